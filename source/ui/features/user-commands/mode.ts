import type {Entry} from '../../../contract/entry.ts';
import type {UserCommand} from '../../../monitor/user-commands.ts';

declare module '../../../monitor/mode.ts' {
	interface Modes {
		/** Whether a command of the configuration should run for a token is asked. */
		readonly commandConfirm: {readonly command: UserCommand; readonly entry: Entry; readonly index: number};
	}
}
