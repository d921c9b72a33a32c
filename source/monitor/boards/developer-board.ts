import type {Feed, FeedEvent} from '../../client/feed/feed-events.ts';
import type {Entry} from '../../contract/entry.ts';
import {explain} from '../../errors.ts';
import type {Store} from '../../store.ts';
import {hidesAdded} from '../hides/hide-transitions.ts';
import {deployerHide, hideId} from '../hides/hides.ts';
import {selectedBelow} from '../select.ts';
import {type Board, type BoardContext, ServiceNotThere} from './board.ts';
import type {BoardsState} from './boards-state.ts';
import {DEVELOPER_SORTS, type DeveloperState, NO_DEVELOPER} from './developer-state.ts';
import {listMoves, markedKey, type Rank, ranked, tokensArrived} from './token-list.ts';

/** The most rows of a view (spec 8). */
const LIMIT = 100;
const VIEW = 'developer';

/** What else the deployer of the selected token launched, over all columns and chains, live while it is open. */
export function createDeveloperBoard(store: Store<BoardsState>, context: BoardContext): Board {
	const {monitor, tell} = context;
	let feed: Feed | undefined;

	const state = (): DeveloperState => store.get().developer;

	function change(transition: (developer: DeveloperState) => DeveloperState, {isNews = false} = {}): void {
		const apply = (all: BoardsState): BoardsState => {
			const developer = transition(all.developer);
			return developer === all.developer ? all : {...all, developer};
		};
		if (isNews) store.later(apply);
		else store.apply(apply);
	}

	function sorted(developer: DeveloperState): DeveloperState {
		const rank: Rank = (_key, entry) => {
			switch (developer.sort) {
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
		return {...developer, order: ranked([...developer.rows.keys()], developer, rank)};
	}

	function onEvent(event: FeedEvent): void {
		if (event.type === 'snapshot' || event.type === 'change')
			change(({problem: _, ...developer}) => tokensArrived<DeveloperState>(developer, event, sorted), {isNews: true});
		else if (event.type === 'total') change(developer => ({...developer, total: event.total}), {isNews: true});
		else if (event.type === 'problem') change(developer => ({...developer, problem: explain(event.error)}));
	}

	/** Begins with the deployer of a token. */
	function begin({deployer, key, symbol, address}: Entry) {
		shut();
		const {sort, isReversed} = state();
		change(() => ({
			...NO_DEVELOPER,
			sort,
			isReversed,
			...(deployer !== undefined && {of: {deployer, key, symbol: symbol ?? address}}),
		}));
		if (deployer === undefined) return;
		const client = context.client();
		if (!client) return change(developer => ({...developer, problem: explain(new ServiceNotThere())}));
		feed = client.openFeed({
			request: {
				assetMode: true,
				views: {
					[VIEW]: {
						filters: {deployer: {equals: deployer}},
						sortBy: 'created_at',
						sortOrder: 'desc',
						limit: LIMIT,
						excludeLPTokens: false,
					},
				},
			},
			onEvent,
		});
	}

	function shut(): void {
		feed?.close();
		feed = undefined;
	}

	function accept(): void {
		const entry = state().rows.get(markedKey(state()) ?? '');
		if (entry) context.openToken(entry);
		else tell('There is no token here to open.', 'warn');
	}

	function hide() {
		const {of} = state();
		if (!of) return;
		const made = deployerHide(of.deployer, of.symbol);
		if (monitor.get().hidden.has(hideId(made))) return tell('This developer is hidden already.', 'warn');
		monitor.apply(all => hidesAdded(all, [made]));
		context.save();
		tell(`Hid all tokens of ${made.label} from the columns.`, 'info', 'In the columns {token.unhide} undoes it.');
	}

	return {
		open() {
			const entry = selectedBelow(monitor.get());
			if (entry) begin(entry);
		},
		close: shut,
		...listMoves({
			list: state,
			mark: (cursor, clicked) =>
				change(({clicked: _, ...developer}) => ({...developer, cursor, ...(clicked && {clicked})})),
			size: () => monitor.get().size,
			accept,
		}),
		accept,
		back: () => false,
		turn() {},
		refresh: () => feed?.retryNow(),
		run(verb) {
			if (verb === 'hide') hide();
			else if (verb === 'reverse') change(developer => sorted({...developer, isReversed: !developer.isReversed}));
			else if (verb === 'sort') {
				const at = DEVELOPER_SORTS.indexOf(state().sort);
				const sort = DEVELOPER_SORTS[(at + 1) % DEVELOPER_SORTS.length]!;
				change(developer => sorted({...developer, sort, isReversed: false}));
			} else if (verb === 'copy') {
				const {of} = state();
				if (of) context.copy(of.deployer, 'Deployer');
			}
		},
		acceptInput() {},
		turnInput() {},
		cancelInput() {},
		paste() {},
	};
}
