import type {Row, Span} from '../../../terminal/style.ts';
import {middleEllipsis} from '../../../text.ts';
import type {WindowCanvas} from '../../feature.ts';
import {dateTime} from '../../format.ts';
import {THEMES, type Theme, type Tone} from '../../theme.ts';
import {wrapText} from '../../wrap-text.ts';
import type {ActionLogMode, LogLine} from './mode.ts';

/** Whether the log is longer than its window. */
export function actionLogScrolls(mode: ActionLogMode, screen: WindowCanvas['screen']): boolean {
	return actionLogRows(mode, THEMES.dark, widthOn(screen) - 4).length > pageOn(screen);
}

/** Cells and lines of the window on a screen. */
export const widthOn = ({columns}: WindowCanvas['screen']): number => Math.min(columns - 2, 120);
export const pageOn = ({rows}: WindowCanvas['screen']): number => rows - 5;

/** The lines inside the window, for a width. */
export function actionLogRows(
	{lines, wallet, problem, isPractice}: ActionLogMode,
	theme: Theme,
	width: number,
): readonly Row[] {
	const toned = (tone: Tone, text: string): Span => ({text, style: theme.tones[tone]});
	const said = (tone: Tone, text: string): Row[] => wrapText(text, width).map(line => [toned(tone, line)]);
	if (problem) return [...said('bad', problem.what), ...said('text', problem.why), ...said('dim', problem.advice)];
	const shown = wallet === undefined ? lines : lines.filter(line => line.wallet === wallet);
	const world = isPractice ? 'practice money' : 'real money';
	if (shown.length === 0) return said('dim', `No records yet. Every request that could move ${world} is listed here.`);
	const whose = wallet === undefined ? 'all wallets' : `wallet ${wallet}`;
	return [
		...said(
			'dim',
			`${shown.length} of ${lines.length} records, ${world}, ${whose}. The chain of their hashes is intact.`,
		),
		...shown.flatMap(line => recordRows(line, toned, width)),
	];
}

function recordRows(
	{seq, atMs, what, detail, about, wallet}: LogLine,
	toned: (tone: Tone, text: string) => Span,
	width: number,
): Row[] {
	const facts = [detail, about, wallet === undefined ? '' : `wallet ${middleEllipsis(wallet, 15)}`];
	return [
		[],
		[toned('dim', `${dateTime(atMs)}  `), toned('strong', what), toned('faint', `  #${seq}`)],
		...wrapText(facts.filter(fact => fact !== '').join(' · '), width - 2).map(
			(text): Row => [toned('text', `  ${text}`)],
		),
	];
}
