import {chainWord} from '../../../chains/chain-words.ts';
import type {WhyVerdict} from '../../../monitor/columns/why-column.ts';
import type {ModeOf} from '../../../monitor/mode.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {cellWidth, fitTo, middleEllipsis, truncate} from '../../../text.ts';
import {TITLES} from '../../columns/column-words.ts';
import type {WindowCanvas} from '../../feature.ts';
import {glyphsFor} from '../../glyphs.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {THEMES, type Tone} from '../../theme.ts';
import {wrapText, wrapWithin} from '../../wrap-text.ts';

const VERDICTS: Readonly<Record<WhyVerdict, {readonly title: string; readonly tone: Tone}>> = {
	shown: {title: 'here', tone: 'good'},
	elsewhere: {title: 'elsewhere', tone: 'warn'},
	frozen: {title: 'frozen', tone: 'warn'},
	hidden: {title: 'hidden', tone: 'warn'},
	out: {title: 'not here', tone: 'bad'},
	beyond: {title: 'not here', tone: 'warn'},
	unlisted: {title: 'not here', tone: 'warn'},
};

/** Widest clause that is shown beside its value. */
const CLAUSE_WIDTH = 34;

/** How far the explanation can be scrolled, lines. */
export function explanationReach(mode: ModeOf<'why'>, {screen, keys}: Pick<WindowCanvas, 'screen' | 'keys'>): number {
	const looks = {theme: THEMES.dark, glyphs: glyphsFor(false), keys};
	return Math.max(whyLines(mode, looks, widthOn(screen) - 4).length - pageOn(screen), 0);
}

/** Cells and lines of the window on a screen. */
export const widthOn = ({columns}: WindowCanvas['screen']): number => Math.min(columns - 2, 88);
export const pageOn = ({rows}: WindowCanvas['screen']): number => rows - 5;

/** The lines of the explanation for a width, spans with their looks. */
export function whyLines(
	{entry, columns}: ModeOf<'why'>,
	{theme, glyphs, keys}: Omit<WindowCanvas, 'screen'>,
	width: number,
): readonly Row[] {
	const toned = (tone: Tone, text: string): Span => ({text, style: theme.tones[tone]});
	const address = middleEllipsis(entry.address, Math.max(width - 12, 12));
	const lines: Span[][] = [[toned('dim', `${chainWord(entry.chain_id)} ${address}`)]];
	const clauseWidth = Math.min(CLAUSE_WIDTH, Math.max(Math.floor(width * 0.45), 12));
	for (const {view, verdict, text, hint, clauses} of columns) {
		const {title, tone} = VERDICTS[verdict];
		const head = `${TITLES[view]}  `;
		const said = hint === undefined ? text : `${text} (${withKeys(hint, keys, glyphs.subscripts === '', 'list')})`;
		const mark = `${verdict === 'shown' ? glyphs.check : glyphs.cross} ${title}`;
		const used = cellWidth(head) + cellWidth(mark);
		const [first = '', ...more] = text === 'kept out' ? [] : wrapWithin(`: ${said}`, width - used, width - 4);
		lines.push(
			[],
			[toned(view, head), toned(tone, mark), toned('dim', first)],
			...more.map(line => [toned('dim', `    ${line}`)]),
		);
		for (const clause of clauses) {
			lines.push([
				toned(clause.passed ? 'good' : 'bad', `  ${clause.passed ? glyphs.check : glyphs.cross} `),
				clause.isLocal ? toned('warn', 'L ') : toned('faint', 'S '),
				toned(clause.passed ? 'dim' : 'text', `${fitTo(clause.text, clauseWidth)}  `),
				toned(clause.passed ? 'dim' : 'strong', truncate(clause.actual, Math.max(width - clauseWidth - 8, 4))),
			]);
		}
	}
	const isLocal = columns.some(({clauses}) => clauses.some(clause => clause.isLocal));
	const legend = isLocal
		? 'S: by the service, on all tokens.  L: here, on the rows loaded only.'
		: 'S: applied by the service, on all tokens.';
	lines.push([], ...wrapText(legend, width).map(line => [toned('faint', line)]));
	return lines;
}
