import {topMode} from '../../../monitor/state.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import type {Context, MenuItem} from '../../feature.ts';
import {readCommand} from './palette-items.ts';

/** The actions of the palette: run the marked line, or complete it. */
export function createPaletteActions({store, monitor, menuContext, runBinding, runCommand}: Context) {
	function typeLine(line: string): void {
		monitor.changeMode(mode => (mode.kind === 'palette' ? {...mode, edit: editOf(line), index: 0} : mode));
	}

	return {
		open: () => monitor.enterMode({kind: 'palette', edit: editOf(''), index: 0}),
		/** Enter: runs what the line stands for; a command without its arguments goes on being typed. */
		accept: ({id, line, isReady = false}: MenuItem) => {
			if (line === undefined) {
				monitor.leaveMode();
				return runBinding(id);
			}
			const read = readCommand(`${line} `, menuContext().commands);
			if (!isReady || !read) return typeLine(line);
			monitor.leaveMode();
			runCommand(read.command, read.argument.trim());
		},
		/** Tab: takes over the marked line, or goes to the next one where there is nothing to take over. */
		complete: () => {
			const mode = topMode(store.get());
			if (mode.kind !== 'palette') return;
			const items = menuContext().itemsOf(mode);
			const line = items[mode.index]?.line;
			if (line !== undefined && line !== mode.edit.text) typeLine(line);
			else if (items.length > 0) monitor.changeMode(() => ({...mode, index: (mode.index + 1) % items.length}));
		},
	};
}
