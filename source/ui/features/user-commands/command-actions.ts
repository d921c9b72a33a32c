import type {Entry} from '../../../contract/entry.ts';
import type {ModeOf} from '../../../monitor/mode.ts';
import {selected} from '../../../monitor/select.ts';
import type {Context, MenuItem} from '../../feature.ts';

/** The actions that run a command of the configuration. */
export function createCommandActions({store: {get}, monitor}: Context) {
	return {
		/** Runs a command for the token under the cursor, or opens the question first, as configured. */
		run: (name: string) => {
			const command = get().commands.get(name);
			const entry = selected(get());
			if (!command || !entry || get().service.recording) return;
			if (command.confirm) monitor.enterMode({kind: 'commandConfirm', command, entry, index: 0});
			else monitor.runProgram(command, entry);
		},
		/** Enter on an answer: runs the command, or closes the question. */
		accept: (mode: ModeOf<'commandConfirm'>, answer: string) => {
			monitor.leaveMode();
			if (answer === RUN) monitor.runProgram(mode.command, mode.entry);
			else monitor.notify('Cancelled.');
		},
	};
}

const RUN = 'run';

/** The answers: Cancel is marked first. */
export function confirmItems({command, entry}: ModeOf<'commandConfirm'>): readonly MenuItem[] {
	return [
		{id: 'cancel', label: 'Cancel', note: ''},
		{id: RUN, label: `Run ${command.name} for ${symbolOf(entry)}`, note: command.run.join(' ')},
	];
}

function symbolOf({symbol, address}: Entry): string {
	return symbol ?? address;
}
