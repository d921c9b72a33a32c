import {selected} from '../../../monitor/select.ts';
import {createMoves} from '../../screens/moves.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {createLabelsLookup} from './labels-lookup.ts';
import {type LabelsState, MAX_WALLETS, readAddresses} from './labels-state.ts';

/** Labels of any wallets: their names, kinds and first funding (spec 4.10). */
export function createLabelsScreen(slice: Slice<LabelsState>, context: ScreenContext): Screen {
	const {monitor, input, notify} = context;
	const lookup = createLabelsLookup(slice, context);

	function add(text: string) {
		const {addresses, rejected} = readAddresses(text);
		if (addresses.length === 0) {
			slice.change(state => ({...state, rejected}));
			return notify('There is no address in this: 0x and 40 digits, or 32 to 44 letters.', 'warn');
		}
		const known = new Set(slice.get().addresses);
		const fresh = addresses.filter(address => !known.has(address));
		const room = MAX_WALLETS - known.size;
		if (fresh.length > room)
			notify(`At most ${MAX_WALLETS} wallets are kept here: ${fresh.length - room} were left out.`, 'warn');
		slice.change(state => ({
			...state,
			rejected,
			addresses: [...state.addresses, ...fresh.slice(0, room)],
			cursor: addresses[0]!,
		}));
		lookup.lookUp();
	}

	/** Requests all labels again, without the client's cache. */
	function refresh(): void {
		slice.change(state => ({...state, found: new Map()}));
		lookup.lookUp(0);
	}

	function shut(): void {
		slice.change(({open: _, ...state}) => ({...state, scroll: 0}));
	}

	function accept() {
		const {open, cursor, addresses} = slice.get();
		if (open !== undefined) return shut();
		const address = cursor ?? addresses[0];
		if (address === undefined) return input.open('addresses', '');
		const path = {address, path: [], isLooking: true};
		slice.change(state => ({...state, cursor: address, open: path, scroll: 0}));
		lookup.followMoney(address);
	}

	function clear(): void {
		lookup.stopLookingUp();
		shut();
		slice.change(({cursor: _, problem: __, waiting: ___, ...state}) => ({
			...state,
			addresses: [],
			rejected: [],
			found: new Map(),
		}));
	}

	/** Labels relative to the selected token, or of the wallets in general. */
	function relate() {
		const entry = selected(monitor.get());
		if (slice.get().token) {
			slice.change(({token: _, ...state}) => state);
			notify('Labels of the wallets as such.');
		} else if (!entry) {
			return notify('Put the cursor on a token in the columns first: labels can be relative to it.', 'warn');
		} else {
			const token = {address: entry.address, symbol: entry.symbol ?? entry.address};
			slice.change(state => ({...state, token}));
			notify(`Labels relative to ${token.symbol}.`);
		}
		refresh();
	}

	return {
		...createMoves({
			keys: () => slice.get().addresses,
			marked: slice.get,
			mark: (cursor, clicked) => slice.change(state => ({...state, cursor, ...(clicked && {clicked})})),
			accept,
			size: () => monitor.get().size,
			page: {
				isShown: () => slice.get().open !== undefined,
				reach: slice.reach,
				scroll: change => slice.change(state => ({...state, scroll: change(state.scroll)})),
			},
		}),
		open() {
			const {addresses, found} = slice.get();
			if (addresses.some(address => !found.has(address))) lookup.lookUp();
		},
		close() {
			lookup.stopLookingUp();
			lookup.stopFollowing();
			shut();
		},
		accept,
		back() {
			if (slice.get().open === undefined) return false;
			lookup.stopFollowing();
			shut();
			return true;
		},
		turn() {},
		refresh,
		run(action) {
			const {cursor, open, addresses} = slice.get();
			if (action === 'type') input.open('addresses', '');
			else if (action === 'clear') clear();
			else if (action === 'relate') relate();
			else if (action === 'copy') {
				const address = open?.address ?? cursor ?? addresses[0];
				if (address === undefined) notify('There is no wallet here to copy.', 'warn');
				else context.copy(address, 'Address');
			}
		},
		acceptInput(_field, text) {
			input.close();
			if (text.trim() !== '') add(text);
		},
		turnInput() {},
		cancelInput() {},
		paste: add,
	};
}
