import type {ModeKind, ModeOf, Modes} from '../../../monitor/mode.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** Words to narrow a menu are typed; `menu` as it was below, `index` in the lines that are left. */
		readonly menuNarrow: {readonly menu: NarrowableMode; readonly edit: TextEdit; readonly index: number};
	}
}

/** The modes of menus. */
export type MenuMode = {[K in ModeKind]: Modes[K] extends {readonly index: number} ? ModeOf<K> : never}[ModeKind];
