import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** The program itself: quit, suspend, report, configuration. */
export const program = feature({
	name: 'program',
	actions: ({monitor: {quit, suspend, reportBug, reloadConfig}}) => ({quit, suspend, reportBug, reloadConfig}),
	bindings: [
		{
			id: 'program.quit',
			keys: ['q'],
			modes: ['list'],
			isExit: true,
			group: 'Program',
			label: 'quit',
			title: 'Quit',
			help: 'Leave the program.',
			hint: 95,
			run: a => a.quit(),
		},
		{
			id: 'program.interrupt',
			keys: ['ctrl+c'],
			modes: () => true,
			group: 'Program',
			label: 'quit',
			help: 'Leave the program, from anywhere.',
			run: a => a.quit(),
		},
		{
			id: 'program.suspend',
			keys: ['ctrl+z'],
			modes: () => true,
			group: 'Program',
			label: 'suspend',
			title: 'Suspend to the shell',
			help: 'Back to the shell; fg brings the monitor back.',
			needs: 'shell',
			run: a => a.suspend(),
		},
		{
			id: 'program.report',
			keys: [],
			modes: [...BROWSE, 'rewind', 'why', 'help', 'presets', 'alerts', 'fields', 'themes', 'hidden'],
			group: 'Program',
			label: 'bug report',
			title: 'Write bug report',
			help: 'Write a bug report into the data directory: screen, state, settings without secrets, what doctor finds, the last minutes of the feed.',
			needs: 'operator',
			run: a => a.reportBug(),
		},
		{
			id: 'config.reload',
			keys: [],
			modes: BROWSE,
			group: 'Program',
			label: 'reload',
			title: 'Reload configuration',
			help: 'Read the configuration file again. A change of the file is noticed without it, too.',
			needs: 'operator',
			run: a => a.reloadConfig(),
		},
	],
});
