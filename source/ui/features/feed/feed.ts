import {feature} from '../../feature.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {addressItems} from './address-items.ts';

/** The connection to the service. */
export const feed = feature({
	name: 'feed',
	actions: ({store, monitor}) => ({
		togglePause: () => {
			monitor.togglePause();
			if (store.get().paused) monitor.notify('Paused: every column stands still.', 'info', '{feed.pause} goes on.');
		},
		retry: monitor.retry,
		openAddresses: () => monitor.enterMode({kind: 'addresses', index: 0}),
		/** Opens a token that came and went. @param key as its line has it */
		openMissed: (key: string) => {
			const entry = store.get().lastLoss?.missed.find(token => token.entry.key === key)?.entry;
			if (entry === undefined) return monitor.notify('Another address is taken when the one that serves fails.');
			monitor.leaveMode();
			monitor.openDetailOf(entry);
		},
	}),
	modes: {
		addresses: {
			help: 'menus',
			menu: {
				title: 'Addresses of the service',
				width: 92,
				items: (_, {state}) => addressItems(state),
				source: ({link, lastLoss}) =>
					`${link?.address} ${link?.addresses?.map(({name, atMs}) => `${name} ${atMs}`)} ${lastLoss?.atMs}`,
				accept: ({id}, _, a) => a.openMissed(id),
			},
		},
	},
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
		{
			id: 'feed.addresses',
			keys: [],
			modes: BROWSE,
			group: 'View',
			label: 'addresses',
			title: 'Addresses of the service',
			help: 'Addresses of the service: which one serves now, which failed and why, and what came and went while the stream was lost.',
			needs: 'operator',
			disabled: ({link, lastLoss}) =>
				link?.addresses || lastLoss ? undefined : 'the service has one address, and nothing was missed',
			run: a => a.openAddresses(),
		},
	],
});
