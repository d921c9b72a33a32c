import type {BoardKind} from '../../monitor/boards/board.ts';
import type {Mode} from '../../monitor/mode.ts';
import {selected} from '../../monitor/select.ts';
import type {KeyHints, MonitorState} from '../../monitor/state.ts';
import type {LabelsState} from '../features/labels/labels-state.ts';
import {listedMarkets, type MarketsState} from '../features/prediction/prediction-state.ts';
import {listedWebhooks, type WebhooksState} from '../features/webhooks/webhooks-state.ts';
import type {BoardsState} from '../screens/screens-state.ts';

/** The usual word of an action, from the table of keys. */
const USUAL = '';

/** The actions that do something on a board as it stands; undefined where no board is on top. */
export function boardOffers(mode: Mode, boards: BoardsState, monitor: MonitorState): KeyHints | undefined {
	const reach = boards.reach ?? 0;
	switch (mode.kind) {
		case 'markets':
			return marketsOffers(boards.markets, monitor, reach);
		case 'webhooks':
			return webhooksOffers(boards.webhooks, reach);
		case 'labels':
			return labelsOffers(boards.labels, monitor, reach);
		case 'watchlist':
			return boards.watchlist.order.length === 0
				? {'board.back': USUAL}
				: {...BACK, ...LISTED, 'watchlist.unpin': USUAL};
		case 'developer':
			return boards.developer.order.length === 0 ? BACK : {...BACK, ...LISTED, 'developer.hide': USUAL};
		case 'boardInput': {
			const {step} = boards.webhooks;
			const accept: Readonly<Partial<Record<BoardKind, string>>> = {
				markets: 'search',
				labels: 'look up',
				webhooks: step === 'edit' ? 'change filter' : 'create',
			};
			return {
				'boardInput.accept': accept[mode.board] ?? USUAL,
				...(mode.board === 'webhooks' && step === 'create' && {'boardInput.next': USUAL}),
				'boardInput.cancel': USUAL,
				...(mode.edit.text !== '' && {'edit.line': USUAL}),
			};
		}
		default:
			return undefined;
	}
}

/** What all lists of tokens do. */
const LISTED = {'board.accept': USUAL, 'tokens.sort': USUAL, 'tokens.reverse': USUAL, 'board.copy': USUAL} as const;

const BACK = {'board.back': USUAL, 'board.refresh': USUAL} as const;

function scrolling(scroll: number, reach: number): KeyHints {
	return scroll < reach ? {'board.pageDown': 'scroll'} : scroll > 0 ? {'board.pageUp': 'scroll up'} : {};
}

function marketsOffers(state: MarketsState, {markets: watched}: MonitorState, reach: number): KeyHints {
	const isEmpty = (state.source === 'watched' ? watched.size : listedMarkets(state).length) === 0;
	if (state.open !== undefined)
		return {
			...BACK,
			...scrolling(state.scroll, reach),
			'markets.watch': USUAL,
			'board.copy': USUAL,
			'vault.open': USUAL,
		};
	return {
		...(!isEmpty && {'board.accept': USUAL, 'markets.watch': USUAL, 'board.copy': USUAL}),
		...BACK,
		'markets.turn': USUAL,
		'markets.search': USUAL,
		'markets.status': USUAL,
		'vault.open': USUAL,
	};
}

function webhooksOffers(state: WebhooksState, reach: number): KeyHints {
	const all = listedWebhooks(state);
	const marked = all.find(({id}) => id === state.cursor) ?? all[0];
	const health = marked && state.health.get(marked.id);
	const hasLetters = health?.kind === 'ready' && health.value.deadLettersCount > 0;
	const own = {
		'webhooks.edit': USUAL,
		...(hasLetters && {'webhooks.redeliver': USUAL}),
		'webhooks.remove': USUAL,
		'board.copy': USUAL,
	};
	switch (state.step) {
		case 'list':
			return {...BACK, 'webhooks.create': USUAL, ...(marked && {'board.accept': USUAL, ...own})};
		case 'detail':
			return {...BACK, ...scrolling(state.scroll, reach), ...own};
		case 'remove':
			return {
				'board.accept': state.answer === 'remove' ? 'delete it' : 'cancel',
				'webhooks.turn': USUAL,
				'board.back': USUAL,
			};
		case 'secret':
			return {'board.accept': 'go on', 'board.copy': 'copy the secret', 'board.back': USUAL};
		default:
			return BACK;
	}
}

function labelsOffers({open, addresses, token, scroll}: LabelsState, monitor: MonitorState, reach: number): KeyHints {
	const relate = token ? 'as such' : selected(monitor) ? USUAL : undefined;
	const related = relate === undefined ? {} : {'labels.relate': relate};
	if (open) return {...BACK, ...scrolling(scroll, reach), ...related, 'board.copy': USUAL};
	if (addresses.length === 0) return {'board.back': USUAL, 'labels.type': USUAL, ...related};
	return {
		...BACK,
		...related,
		'board.accept': USUAL,
		'labels.type': USUAL,
		'labels.clear': USUAL,
		'board.copy': USUAL,
	};
}
