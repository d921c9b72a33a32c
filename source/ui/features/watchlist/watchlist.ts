import {addressOfKey} from '../../../contract/entry.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, LISTED} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {shellWord} from '../../shell-commands.ts';
import {NO_WATCHLIST} from './watchlist-state.ts';

/** All pinned tokens. */
export const watchlist = screenFeature({
	name: 'watchlist',
	initial: NO_WATCHLIST,
	async load() {
		const [{createWatchlistScreen: create}, {WatchlistPage: Page}] = await Promise.all([
			import('./watchlist-screen.ts'),
			import('./watchlist-page.tsx'),
		]);
		return {create, Page};
	},
	hints: ({order}, {service}) => ({
		...(order.length === 0 ? {'menu.close': LABEL} : {...BACK, ...LISTED, 'watchlist.unpin': LABEL}),
		...(service.noMoney === undefined && {'board.nextTab': LABEL}),
	}),
	command({order}) {
		if (order.length === 0) return undefined;
		const addresses = order.map(key => `address:${addressOfKey(key)}`);
		return `pulsetop feed --filter ${shellWord(addresses.join(' | '))}`;
	},
	help: 'tokens',
	bindings: [
		{
			id: 'watchlist.open',
			keys: [],
			modes: BROWSE,
			group: 'Screens',
			label: 'watch list',
			help: 'Watch list: all pinned tokens, with the price now and the change since each was pinned.',
			hint: 71,
			run: a => a.open('watchlist'),
		},
		{
			id: 'watchlist.unpin',
			keys: ['P', '*', 'x', 'delete'],
			modes: ['watchlist'],
			group: 'Screens',
			label: 'unpin',
			help: 'Unpin the marked token.',
			hint: 7,
			run: a => a.run('unpin'),
		},
	],
});
