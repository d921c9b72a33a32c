import type {ModeOf} from '../../../monitor/mode.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** `hit` is the line found last; `isReal`: the market is that of real chains, not one to practise; `isVisit`: the person comes over SSH. */
		readonly help: {
			readonly scroll: number;
			readonly search: string;
			readonly hit?: number;
			readonly isReal?: boolean;
			readonly isVisit?: boolean;
		};
		/** Words to find in the help are typed; `from` is the line where the search began. */
		readonly helpSearch: {
			readonly edit: TextEdit;
			readonly scroll: number;
			readonly from: number;
			readonly hit?: number;
			readonly isReal?: boolean;
			readonly isVisit?: boolean;
		};
	}
}

export type HelpMode = ModeOf<'help' | 'helpSearch'>;
