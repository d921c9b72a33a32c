import type {ModeOf} from '../../../monitor/mode.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** `hit` is the line found last. */
		readonly help: {readonly scroll: number; readonly search: string; readonly hit?: number};
		/** Words to find in the help are typed; `from` is the line where the search began. */
		readonly helpSearch: {
			readonly edit: TextEdit;
			readonly scroll: number;
			readonly from: number;
			readonly hit?: number;
		};
	}
}

export type HelpMode = ModeOf<'help' | 'helpSearch'>;
