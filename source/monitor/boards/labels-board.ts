import type {Client} from '../../client/client.ts';
import {MAX_LABELLED_WALLETS} from '../../contract/labels.ts';
import {explain} from '../../errors.ts';
import type {Store} from '../../store.ts';
import {selected} from '../select.ts';
import {type Board, type BoardContext, keyAfter, lineClicked, listPage, ServiceNotThere, scrolledBy} from './board.ts';
import type {BoardsState} from './boards-state.ts';
import {type LabelsState, MAX_WALLETS, type PathStep, readAddresses} from './labels-state.ts';

/** How far the way of the money is followed back. */
const MAX_STEPS = 6;

/** Labels of any wallets: who they are, what kind, and where their first money came from (spec 4.10). */
export function createLabelsBoard(store: Store<BoardsState>, context: BoardContext): Board {
	const {monitor, input, tell} = context;
	let looking: AbortController | undefined;
	let following: AbortController | undefined;

	const state = (): LabelsState => store.get().labels;

	function change(transition: (labels: LabelsState) => LabelsState): void {
		store.apply(all => {
			const labels = transition(all.labels);
			return labels === all.labels ? all : {...all, labels};
		});
	}

	function service(): Client {
		const client = context.client();
		if (!client) throw new ServiceNotThere();
		return client;
	}

	function add(text: string): void {
		const {addresses, rejected} = readAddresses(text);
		if (addresses.length === 0) {
			change(s => ({...s, rejected}));
			tell('There is no address in this: 0x and 40 digits, or 32 to 44 letters.', 'warn');
			return;
		}
		const known = new Set(state().addresses);
		const fresh = addresses.filter(address => !known.has(address));
		const room = MAX_WALLETS - known.size;
		if (fresh.length > room)
			tell(`At most ${MAX_WALLETS} wallets are kept here: ${fresh.length - room} were left out.`, 'warn');
		change(s => ({...s, rejected, addresses: [...s.addresses, ...fresh.slice(0, room)], cursor: addresses[0]!}));
		void lookUp();
	}

	/** Asks for what is not known yet, a hundred at a time; what came stays when a later batch fails. */
	async function lookUp(maxAgeMs?: number): Promise<void> {
		looking?.abort();
		const current = new AbortController();
		looking = current;
		const {signal} = current;
		const missing = state().addresses.filter(address => !state().found.has(address));
		change(({problem: _, waiting: __, ...s}) => (missing.length === 0 ? s : {...s, waiting: missing.length}));
		const token = state().token?.address;
		try {
			for (let at = 0; at < missing.length; at += MAX_LABELLED_WALLETS) {
				const batch = missing.slice(at, at + MAX_LABELLED_WALLETS);
				const labels = await service().labels(batch, {
					signal,
					...(token !== undefined && {token}),
					...(maxAgeMs !== undefined && {maxAgeMs}),
				});
				if (signal.aborted) return;
				change(s => ({...s, found: new Map([...s.found, ...labels]), waiting: missing.length - at - batch.length}));
			}
		} catch (error) {
			if (!signal.aborted) change(s => ({...s, problem: explain(error)}));
		} finally {
			if (looking === current) change(({waiting: _, ...s}) => s);
		}
	}

	/** Everything is asked for anew: for another token, or because it is old. */
	function anew(): void {
		change(s => ({...s, found: new Map()}));
		void lookUp(0);
	}

	/** Follows the money back from a wallet to whoever funded him, and so on, until nobody is told or it goes in a circle. */
	async function follow(address: string): Promise<void> {
		following?.abort();
		const current = new AbortController();
		following = current;
		const {signal} = current;
		const path: PathStep[] = [];
		const show = (isLooking: boolean) =>
			change(s => (s.open?.address === address ? {...s, open: {address, path: [...path], isLooking}} : s));
		try {
			const seen = new Set([address]);
			let funding = state().found.get(address)?.funding;
			while (funding !== undefined && path.length < MAX_STEPS) {
				const {from} = funding;
				path.push({funding});
				if (from === undefined || seen.has(from)) break;
				seen.add(from);
				show(true);
				const labels = (await service().labels([from], {signal})).get(from);
				if (signal.aborted) return;
				path[path.length - 1] = {funding, ...(labels && {labels})};
				funding = labels?.funding;
			}
		} catch (error) {
			if (!signal.aborted) tell(`The way of the money ends here: ${explain(error).why}`, 'warn');
		} finally {
			if (!signal.aborted) show(false);
		}
	}

	function step(by: number): void {
		const {open, addresses, cursor} = state();
		const next = keyAfter(addresses, cursor, by);
		if (open !== undefined) change(s => ({...s, scroll: scrolledBy(s.scroll, by, store.get().reach)}));
		else if (next !== undefined) change(s => ({...s, cursor: next}));
	}

	const shut = () => change(({open: _, ...s}) => ({...s, scroll: 0}));

	return {
		open() {
			if (state().addresses.some(address => !state().found.has(address))) void lookUp();
		},
		close() {
			looking?.abort();
			following?.abort();
			shut();
		},
		move: step,
		scroll: step,
		click(line) {
			const {open, addresses} = state();
			const hit = open === undefined && lineClicked(addresses, state(), listPage(monitor.get().size), line);
			if (!hit) return;
			if (hit.isAgain) return this.accept();
			change(s => ({...s, cursor: hit.cursor, clicked: hit.clicked}));
		},
		page: by => step(by * Math.max(listPage(monitor.get().size) - 1, 1)),
		jump(to) {
			const {open, addresses} = state();
			if (open !== undefined) return change(s => ({...s, scroll: to === 'first' ? 0 : (store.get().reach ?? 0)}));
			const cursor = to === 'first' ? addresses[0] : addresses.at(-1);
			if (cursor !== undefined) change(s => ({...s, cursor}));
		},
		accept() {
			const {open, cursor, addresses} = state();
			if (open !== undefined) return shut();
			const address = cursor ?? addresses[0];
			if (address === undefined) return input.open('addresses', '');
			change(s => ({...s, cursor: address, open: {address, path: [], isLooking: true}, scroll: 0}));
			void follow(address);
		},
		back() {
			if (state().open === undefined) return false;
			following?.abort();
			shut();
			return true;
		},
		turn() {},
		refresh: anew,
		run(verb) {
			const {cursor, token, open, addresses} = state();
			switch (verb) {
				case 'type':
					return input.open('addresses', '');
				case 'clear':
					looking?.abort();
					shut();
					return change(({cursor: _, problem: __, waiting: ___, ...s}) => ({
						...s,
						addresses: [],
						rejected: [],
						found: new Map(),
					}));
				case 'relate': {
					const entry = selected(monitor.get());
					if (token) {
						change(({token: _, ...s}) => s);
						tell('Labels of the wallets as such.');
					} else if (!entry) {
						return tell('Put the cursor on a token in the columns first: labels can be relative to it.', 'warn');
					} else {
						change(s => ({...s, token: {address: entry.address, symbol: entry.symbol ?? entry.address}}));
						tell(`Labels relative to ${entry.symbol ?? entry.address}.`);
					}
					return anew();
				}
				case 'copy': {
					const address = open?.address ?? cursor ?? addresses[0];
					return address === undefined
						? tell('There is no wallet here to copy.', 'warn')
						: context.copy(address, 'Address');
				}
				default:
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
