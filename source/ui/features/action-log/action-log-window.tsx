import {type ReactNode, useContext} from 'react';
import {useDisplay} from '../../live/lines.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {ScrolledModal} from '../../modals/scrolled-modal.tsx';
import {actionLogRows, pageOn, widthOn} from './action-log-rows.ts';
import type {ActionLogMode} from './mode.ts';

/** Every request that could move money, newest first, as the journal has it. */
export function ActionLog({mode}: {readonly mode: ActionLogMode}): ReactNode {
	const {theme} = useDisplay();
	const screen = useContext(ScreenSize);
	const width = widthOn(screen);
	const lines = actionLogRows(mode, theme, width - 4);
	return (
		<ScrolledModal
			title="Action log"
			lines={lines}
			scroll={mode.scroll}
			page={pageOn(screen)}
			width={width}
			down="log.down"
		/>
	);
}
