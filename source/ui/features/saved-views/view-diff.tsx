import {type ReactNode, useContext} from 'react';
import type {ModeOf} from '../../../monitor/mode.ts';
import {fitTo, padEnd, truncate} from '../../../text.ts';
import {moreLines} from '../../glyphs.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {FromRows, Line, linesOf, Text, useDisplay} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {Modal} from '../../modals/modal.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {wrapText} from '../../wrap-text.ts';

type Change = ModeOf<'presetDiff'>['changes'][number];

const NAMES_WIDTH = 20;
const KEYS = '{menu.accept} apply, {preset.load} apply and save under that number, {menu.close} discard';

/** The changes of an imported view, before the view is applied. */
export function ViewDiff({mode: {savedView, changes}}: {readonly mode: ModeOf<'presetDiff'>}): ReactNode {
	const display = useDisplay();
	const screen = useContext(ScreenSize);
	const {glyphs, keys} = display;
	const width = Math.min(screen.columns - 2, 100);
	const inner = width - 4;
	const half = Math.floor((inner - NAMES_WIDTH - 4) / 2);
	const lines = linesOf(
		changes.map(change => <ChangedPart key={`${change.view} ${change.part}`} change={change} width={half} />),
		display,
		inner,
	);
	const ways = withKeys(KEYS, keys, glyphs.subscripts === '');
	const frame = 5 + wrapText(ways, inner).length;
	const height = Math.min(Math.max(lines.length, 1) + frame, screen.rows - 2);
	const room = height - frame;
	const isCut = lines.length > room;
	const page = isCut ? Math.max(room - 1, 0) : lines.length;
	return (
		<Modal title={<Text tone="brand">The view “{savedView.name}” would change</Text>} width={width} height={height}>
			<Line />
			<FromRows rows={lines.slice(0, page)} />
			{isCut && (
				<Line>
					<Text tone="warn">{moreLines(glyphs, lines.length - room + 1)}</Text>
				</Line>
			)}
			{lines.length === 0 && (
				<Line>
					<Text tone="dim">Nothing: it is what the columns show.</Text>
				</Line>
			)}
			<Line />
			<Paragraph text={ways} tone="dim" />
		</Modal>
	);
}

/** A part of a column before and after the change. @param width cells of each of the two texts */
function ChangedPart({
	change: {view, part, before, after},
	width,
}: {
	readonly change: Change;
	readonly width: number;
}): ReactNode {
	const {glyphs} = useDisplay();
	const shown = (text: string): string => (text === '' ? 'no filter' : text);
	return wrapText(shown(after), width).map((text, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={at}>
			<Text tone={view === 'all' ? 'accent' : view}>
				{fitTo(at === 0 ? `${padEnd(view.toUpperCase(), 8)} ${part}` : '', NAMES_WIDTH)}
			</Text>
			<Text tone="dim">{fitTo(at === 0 ? truncate(shown(before), width) : '', width)}</Text>
			<Text tone="faint">{` ${at === 0 ? glyphs.arrow : ' '} `}</Text>
			<Text tone="strong">{truncate(text, width)}</Text>
		</Line>
	));
}
