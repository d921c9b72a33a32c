import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';

/** The connection to the service. */
export const feed = feature({
	name: 'feed',
	actions: ({monitor: {togglePause, retry}}) => ({togglePause, retry}),
	bindings: [
		{
			id: 'feed.pause',
			keys: ['p'],
			modes: BROWSE,
			group: 'View',
			label: 'pause',
			title: 'Pause feed',
			labelNow: s => (s.paused ? 'resume' : undefined),
			help: 'Pause or resume the feed.',
			hint: 45,
			run: a => a.togglePause(),
		},
		{
			id: 'feed.retry',
			keys: ['R'],
			modes: BROWSE,
			group: 'View',
			label: 'retry',
			title: 'Reconnect',
			help: 'Reconnect and refresh everything now.',
			run: a => a.retry(),
		},
	],
});
