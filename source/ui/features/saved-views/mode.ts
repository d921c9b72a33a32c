import type {SavedView, SavedViewChange} from '../../../monitor/saved-views/saved-view.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The next key is the number of a saved view. */
		readonly slot: object;
		readonly presets: {readonly index: number; readonly narrow?: string};
		/** A name for the view of a number is typed; `saves` what is on screen, or only renames. */
		readonly presetName: {readonly slot: number; readonly saves: boolean; readonly edit: TextEdit};
		readonly presetImport: {readonly edit: TextEdit};
		/** An imported view, with what it would change. */
		readonly presetDiff: {readonly savedView: SavedView; readonly changes: readonly SavedViewChange[]};
	}
}
