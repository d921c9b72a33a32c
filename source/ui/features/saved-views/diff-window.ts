import type {ModeOf} from '../../../monitor/mode.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, padEnd, truncate} from '../../../text.ts';
import type {WindowCanvas, WindowContent} from '../../feature.ts';
import {moreLines} from '../../glyphs.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import type {Tone} from '../../theme.ts';
import {wrapText} from '../../wrap-text.ts';

const NAMES_WIDTH = 20;
const KEYS = '{preset.apply} apply, {preset.keep} apply and save under that number, {preset.refuse} discard';

/** What an imported view would change, before it is applied. */
export function diffWindow(
	{savedView, changes}: ModeOf<'presetDiff'>,
	{screen, theme, glyphs, keys}: WindowCanvas,
): WindowContent {
	const width = Math.min(screen.columns - 2, 100);
	const inner = width - 4;
	const half = Math.floor((inner - NAMES_WIDTH - 4) / 2);
	const toned = (tone: Tone, text: string): Span => ({text, style: theme.tones[tone]});
	const shown = (text: string): string => (text === '' ? 'no filter' : text);
	const lines = changes.flatMap(({view, part, before, after}) =>
		wrapText(shown(after), half).map((text, at): Row => {
			const head = at === 0 ? `${padEnd(view.toUpperCase(), 8)} ${part}` : '';
			return [
				toned(view === 'all' ? 'accent' : view, fitTo(head, NAMES_WIDTH)),
				toned('dim', fitTo(at === 0 ? truncate(shown(before), half) : '', half)),
				toned('faint', ` ${at === 0 ? glyphs.arrow : ' '} `),
				toned('strong', truncate(text, half)),
			];
		}),
	);
	const ways = wrapText(withKeys(KEYS, keys, glyphs.subscripts === ''), inner).map((text): Row => [toned('dim', text)]);
	const frame = 5 + ways.length;
	const height = Math.min(Math.max(lines.length, 1) + frame, screen.rows - 2);
	const room = height - frame;
	const all = lines.length === 0 ? [[toned('dim', 'Nothing: it is what the columns show.')]] : lines;
	const rest = all.length - room + 1;
	const body =
		all.length <= room ? all : [...all.slice(0, Math.max(room - 1, 0)), [toned('warn', moreLines(glyphs, rest))]];
	return {
		title: [toned('brand', `The view “${savedView.name}” would change`)],
		lines: [[], ...body, [], ...ways],
		width,
		height,
	};
}
