import type {TextEdit} from '../../../monitor/transitions/text-edit.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		readonly sort: {readonly edit: TextEdit; readonly index: number};
	}
}
