import {WINDOWS_8} from '../../../contract/windows.ts';
import {findWindow, windowWord} from '../../../monitor/filter/field-words.ts';
import {focused} from '../../../monitor/select.ts';
import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** The span of time that volume, counts and change of a column are about. */
export const timeWindow = feature({
	name: 'timeWindow',
	actions: ({monitor}) => ({next: monitor.nextWindow, set: monitor.setWindow}),
	commands: [
		{
			word: 'window',
			usage: 'window 1m|5m|15m|1h|4h|6h|12h|24h',
			help: 'Time window of volume, buys, sells and change.',
			problem: argument => (findWindow(argument.trim()) ? undefined : 'write 1m, 5m, 15m, 1h, 4h, 6h, 12h or 24h'),
			completions: (argument, state) =>
				WINDOWS_8.map(windowWord)
					.filter(word => word.startsWith(argument.trim()))
					.map(word => ({argument: word, note: findWindow(word) === focused(state).window ? 'now' : ''})),
			run: (argument, a) => {
				const window = findWindow(argument.trim());
				if (window) a.set(window);
			},
		},
	],
	bindings: [
		{
			id: 'window.next',
			keys: ['w'],
			modes: BROWSE,
			group: 'Columns',
			label: 'window',
			title: 'Next time window',
			help: 'Next time window for volume, buys, sells and change: 1m to 24h, then 1m again.',
			hint: 60,
			run: a => a.next(1),
		},
		{
			id: 'window.previous',
			keys: [],
			modes: BROWSE,
			group: 'Columns',
			label: 'shorter window',
			title: 'Shorter time window',
			help: 'Shorter time window.',
			run: a => a.next(-1),
		},
	],
});
