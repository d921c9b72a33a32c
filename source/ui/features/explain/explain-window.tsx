import {type ReactNode, useContext} from 'react';
import {clock} from '../../format.ts';
import {moreLines} from '../../glyphs.ts';
import {Text, useDisplay} from '../../live/lines.tsx';
import {Modal, Scrolled} from '../../modals/modal.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {pageOn, whyLines, widthOn} from './explain-lines.ts';
import type {WhyMode} from './mode.ts';

/** Why a token is in each column or not: the clauses as they were typed, each with what the token has. */
export function Explain({mode}: {readonly mode: WhyMode}): ReactNode {
	const display = useDisplay();
	const screen = useContext(ScreenSize);
	const {glyphs, keys} = display;
	const width = widthOn(screen);
	const lines = whyLines(mode, display, width - 4);
	const page = Math.min(lines.length, pageOn(screen));
	const scroll = Math.min(mode.scroll, Math.max(lines.length - page, 0));
	const rest = lines.length - scroll - page;
	const key = keys.keyOf('why.down', glyphs.subscripts === '') ?? 'wheel';
	const more = rest > 0 ? ` (${moreLines(glyphs, rest)}: ${key})` : '';
	const title = `Which columns show ${mode.entry.symbol ?? 'this token'}, and why, at ${clock(mode.atMs)}${more}`;
	return (
		<Modal title={<Text tone="brand">{title}</Text>} width={width} height={page + 3}>
			<Scrolled lines={lines} scroll={scroll} page={page} />
		</Modal>
	);
}
