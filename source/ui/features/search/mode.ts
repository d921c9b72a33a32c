import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** `before` is the search and the cursor that were in force. */
		readonly search: {readonly edit: TextEdit; readonly before: {readonly search: string; readonly cursor?: string}};
	}
}
