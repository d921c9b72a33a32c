import type {ModeOf} from '../../../monitor/mode.ts';
import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly hidden: {readonly index: number};
		/** A keyword to hide is typed, a list to import, or the name of a file to export to. */
		readonly hidePrompt: {readonly purpose: 'keyword' | 'import' | 'export'; readonly edit: TextEdit};
	}
}

export type HidePurpose = ModeOf<'hidePrompt'>['purpose'];
