import type {Entry} from '../../../contract/entry.ts';
import type {Actions} from '../../../monitor/actions.ts';
import type {Mode} from '../../../monitor/mode.ts';
import {selected} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {Store} from '../../../store.ts';
import type {MenuItem} from '../../feature.ts';

/** The verbs of commands of the configuration. */
export function createCommandActions({get}: Store<MonitorState>, actions: Actions) {
	return {
		/** Runs a command for the token under the cursor, or asks whether it should, by the configuration. */
		runCommand: (name: string) => {
			const command = get().commands.get(name);
			const entry = selected(get());
			if (!command || !entry || get().service.recording) return;
			if (command.confirm) actions.enterMode({kind: 'commandConfirm', command, entry, index: 0});
			else actions.runProgram(command, entry);
		},
		/** Enter on an answer: only that to run does anything. */
		acceptCommand: (mode: Extract<Mode, {kind: 'commandConfirm'}>, answer: string) => {
			if (answer === RUN) actions.runProgram(mode.command, mode.entry);
			else actions.tell('Cancelled.');
		},
	};
}

const RUN = 'run';

/** The answers: Cancel is marked first. */
export function confirmItems({command, entry}: Extract<Mode, {kind: 'commandConfirm'}>): readonly MenuItem[] {
	return [
		{id: 'cancel', label: 'Cancel', note: ''},
		{id: RUN, label: `Run ${command.name} for ${symbolOf(entry)}`, note: command.run.join(' ')},
	];
}

function symbolOf({symbol, address}: Entry): string {
	return symbol ?? address;
}
