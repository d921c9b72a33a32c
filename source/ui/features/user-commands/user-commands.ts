import {feature} from '../../feature.ts';
import {confirmItems, createCommandActions} from './command-actions.ts';

/** Programs of the configuration on keys; their bindings are in command-bindings.ts. */
export const userCommands = feature({
	name: 'userCommands',
	actions: createCommandActions,
	modes: {
		commandConfirm: {
			help: 'menus',
			menu: {
				title: 'Run this command?',
				items: mode => confirmItems(mode),
				accept: ({id}, mode, a) => a.accept(mode, id),
			},
		},
	},
});
