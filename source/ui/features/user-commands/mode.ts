import type {Entry} from '../../../contract/entry.ts';
import type {UserCommand} from '../../../monitor/user-commands.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** The question whether a command of the configuration should run for a token. */
		readonly commandConfirm: {readonly command: UserCommand; readonly entry: Entry; readonly index: number};
	}
}
