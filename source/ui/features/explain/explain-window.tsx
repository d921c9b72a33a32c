import {type ReactNode, useContext} from 'react';
import type {ModeOf} from '../../../monitor/mode.ts';
import {clock} from '../../format.ts';
import {useDisplay} from '../../live/lines.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {ScrolledModal} from '../../modals/scrolled-modal.tsx';
import {pageOn, whyLines, widthOn} from './explain-lines.ts';

/** Why a token is in each column or not: the clauses as they were typed, each with what the token has. */
export function Explain({mode}: {readonly mode: ModeOf<'why'>}): ReactNode {
	const display = useDisplay();
	const screen = useContext(ScreenSize);
	const width = widthOn(screen);
	const lines = whyLines(mode, display, width - 4);
	const title = `Which columns show ${mode.entry.symbol ?? 'this token'}, and why, at ${clock(mode.atMs)}`;
	return <ScrolledModal {...{title, lines, width}} scroll={mode.scroll} page={pageOn(screen)} down="board.down" />;
}
