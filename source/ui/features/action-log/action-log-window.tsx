import {type ReactNode, useContext} from 'react';
import {moreLines} from '../../glyphs.ts';
import {Text, useDisplay} from '../../live/lines.tsx';
import {Modal, Scrolled} from '../../modals/modal.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {actionLogRows, pageOn, widthOn} from './action-log-rows.ts';
import type {ActionLogMode} from './mode.ts';

/** Every request that could move money, newest first, as the journal has it. */
export function ActionLog({mode}: {readonly mode: ActionLogMode}): ReactNode {
	const {theme, glyphs, keys} = useDisplay();
	const screen = useContext(ScreenSize);
	const width = widthOn(screen);
	const lines = actionLogRows(mode, theme, width - 4);
	const page = Math.min(lines.length, pageOn(screen));
	const scroll = Math.min(mode.scroll, Math.max(lines.length - page, 0));
	const rest = lines.length - scroll - page;
	const down = keys.keyOf('log.down', glyphs.subscripts === '') ?? 'wheel';
	const more = rest > 0 ? ` (${moreLines(glyphs, rest)}: ${down})` : '';
	return (
		<Modal title={<Text tone="brand">Action log{more}</Text>} width={width} height={page + 3}>
			<Scrolled lines={lines} scroll={scroll} page={page} />
		</Modal>
	);
}
