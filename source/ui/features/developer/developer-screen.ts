import {isSameAddress} from '../../../address.ts';
import type {Entry} from '../../../contract/entry.ts';
import {deployerHide, hideId} from '../../../monitor/hides/hides.ts';
import {selectedBelow} from '../../../monitor/select.ts';
import {viewOfDeployer} from '../../../monitor/tokens/token-views.ts';
import {hidesAdded} from '../../../monitor/transitions/hides.ts';
import {markedKey} from '../../screens/list-lines.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {type Rank, ranked} from '../../screens/token-list.ts';
import {createTokenList} from '../../screens/token-list-screen.ts';
import {DEVELOPER_SORTS, type DeveloperState, NO_DEVELOPER} from './developer-state.ts';

/** The other tokens of the deployer of the selected token, over all columns and chains, live while the screen is open. */
export function createDeveloperScreen(slice: Slice<DeveloperState>, context: ScreenContext): Screen {
	const {monitor, notify} = context;
	const list = createTokenList({
		slice,
		context,
		name: 'developer',
		sorts: DEVELOPER_SORTS,
		sorted,
		accept,
		onTotal: total => slice.later(state => ({...state, total})),
	});

	function begin({deployer, key, symbol, address}: Entry): void {
		list.close();
		const {sort, isReversed} = slice.get();
		const of = deployer === undefined ? {} : {of: {deployer, key, symbol: symbol ?? address}};
		slice.change(() => ({...NO_DEVELOPER, sort, isReversed, ...of}));
		if (deployer !== undefined) list.follow(viewOfDeployer(deployer));
	}

	function accept(): void {
		const state = slice.get();
		const entry = state.rows.get(markedKey(state) ?? '');
		if (entry) context.openToken(entry);
		else notify('There is no token here to open.', 'warn');
	}

	function hide() {
		const {of} = slice.get();
		if (!of) return;
		const made = deployerHide(of.deployer, of.symbol);
		if (monitor.get().hidden.has(hideId(made))) return notify('This developer is hidden already.', 'warn');
		monitor.apply(all => hidesAdded(all, [made]));
		context.save();
		notify(`Hid all tokens of ${made.label} from the columns.`, 'info', 'In the columns {token.unhide} undoes it.');
	}

	return {
		...list,
		open() {
			const entry = selectedBelow(monitor.get());
			if (entry) begin(entry);
		},
		accept,
		back: () => false,
		turn() {},
		run(action) {
			const {of} = slice.get();
			if (action === 'hide') hide();
			else if (action === 'reverse') list.reverse();
			else if (action === 'sort') list.nextSort();
			else if (action === 'copy' && of) context.copy(of.deployer, 'Deployer');
		},
		acceptInput() {},
		turnInput() {},
		cancelInput() {},
		paste() {},
	};
}

function sorted(state: DeveloperState): DeveloperState {
	const rank: Rank = (_key, entry) => {
		switch (state.sort) {
			case 'age':
				return entry?.created_at;
			case 'mcap':
				return entry?.market_cap;
			case 'volume':
				return entry?.volume_24h;
			case 'holders':
				return entry?.holders_count;
		}
	};
	const keys = [...state.rows.values()].filter(entry => isOwn(entry, state)).map(({key}) => key);
	return {...state, order: ranked(keys, state, rank)};
}

/** A service that does not filter gives tokens of everybody; one that filters need not repeat the deployer. */
function isOwn({deployer}: Entry, {of, isLocal}: DeveloperState): boolean {
	return deployer === undefined ? !isLocal : of !== undefined && isSameAddress(deployer, of.deployer);
}
