import type {ReactNode} from 'react';
import type {Mode, ModeKind, ModeOf} from '../monitor/mode.ts';
import {ActionLog} from './features/action-log/action-log-window.tsx';
import {Explain} from './features/explain/explain-window.tsx';
import {Help} from './features/help/help-window.tsx';
import {ViewDiff} from './features/saved-views/view-diff.tsx';

type Windows = {readonly [K in ModeKind]?: (props: {readonly mode: ModeOf<K>}) => ReactNode};

/** The component of each mode that has a window of its own. */
const WINDOWS: Windows = {
	actionLog: ActionLog,
	help: Help,
	helpSearch: Help,
	presetDiff: ViewDiff,
	why: Explain,
};

/** The window of the mode that has the keyboard. */
export function OwnWindow({mode}: {readonly mode: Mode}): ReactNode {
	const Window = WINDOWS[mode.kind] as ((props: {readonly mode: Mode}) => ReactNode) | undefined;
	return Window && <Window mode={mode} />;
}
