import type {Client} from '../../client/client.ts';
import {type Entry, entryKey} from '../../contract/entry.ts';
import type {SeenPrices, TradeSide, TradeTarget} from '../../contract/trade-target.ts';
import type {Column} from '../../monitor/columns/column.ts';
import {shownKeys} from '../../monitor/columns/shown-keys.ts';
import type {Moment} from '../../monitor/rewind/moment.ts';
import {selected, staleSinceMs} from '../../monitor/select.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';
import {lookalikeOf, lookalikesOnScreen} from '../../monitor/tokens/lookalike.ts';
import {RISK_FIELDS, RISKS, riskOf} from '../../monitor/tokens/risk.ts';
import {VIEWS} from '../../monitor/views.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import {isPrice} from '../../trading/positions/value.ts';
import {targetOf, whyNotTraded} from '../../trading/trade/target.ts';

/** Time after a click or a jump of the cursor in which no trade key counts, ms: the row was not read yet. */
export const JUMP_MS = 250;
/** A second press of a key that was refused counts only after this, ms: a held key repeats sooner. */
export const REPEAT_MS = 700;

/** Result of a press of a trade key. */
export type Pressed =
	| {readonly target: TradeTarget}
	/** Why nothing is opened, in one line. */
	| {readonly why: string}
	/** The key repeats: its first press was answered. */
	| undefined;

/** Decides what the trade keys open: the token under the cursor at the press, and nothing that the person may not mean. */
export interface TradeKeys {
	press(side: TradeSide): Pressed;
	/** The mouse placed the cursor. */
	clicked(): void;
}

/**
 * Follows the cursor of the monitor, and reads its token when a key is pressed.
 * @param nowMs local Unix ms
 */
export function createTradeKeys(
	store: Store<MonitorState>,
	nowMs: () => number,
	moments: () => readonly Moment[],
): TradeKeys {
	let jumpedAtMs = Number.NEGATIVE_INFINITY;
	let refused: {readonly side: TradeSide; readonly atMs: number} | undefined;
	let {focus, key} = placeOf(store.get());

	store.subscribe(() => {
		const state = store.get();
		const place = placeOf(state);
		if (place.key === key && place.focus === focus) return;
		if (place.key !== undefined && (place.focus !== focus || !isNeighbour(state, key, place.key))) jumpedAtMs = nowMs();
		({focus, key} = place);
		refused = undefined;
	});

	return {
		press(side) {
			const atMs = nowMs();
			const isRepeat = refused?.side === side && atMs - refused.atMs < REPEAT_MS;
			const pressed = isRepeat ? undefined : readPress(store.get(), {side, atMs, jumpedAtMs, moments: moments()});
			refused = pressed && 'target' in pressed ? undefined : {side, atMs};
			return pressed;
		},
		clicked() {
			jumpedAtMs = nowMs();
		},
	};
}

/**
 * The token as it is now: from a column that has it, else from the service.
 * @returns undefined for an unknown token
 */
export async function readTargetNow(
	target: TradeTarget,
	{store, client}: {readonly store: Store<MonitorState>; readonly client: Pick<Client, 'fetchToken'>},
): Promise<TradeTarget | undefined> {
	const {side, chainId, address} = target;
	const state = store.get();
	const key = entryKey(chainId, address);
	const row = rowOf(state, key);
	if (row && steadyNow() - row.dataAtMs < ROW_AGE_MS) return readTarget(state, row, side);
	const entry = await client.fetchToken({chainId, address});
	if (!entry || entry.key !== key) return undefined;
	return readTarget(store.get(), {entry, dataAtMs: steadyNow()}, side);
}

/** A row older than this is read again from the service, ms. */
const ROW_AGE_MS = 5000;

/** The token that a trade key would take, and its column. */
function placeOf(state: MonitorState): {readonly focus: string; readonly key: string | undefined} {
	return {focus: state.focus, key: state.detail?.key ?? state.columns[state.focus].cursor};
}

/** Whether the cursor went one row up or down. */
function isNeighbour(state: MonitorState, from: string | undefined, to: string): boolean {
	const keys = shownKeys(state, state.focus);
	const [before, after] = [from === undefined ? -1 : keys.indexOf(from), keys.indexOf(to)];
	return before >= 0 && after >= 0 && Math.abs(after - before) === 1;
}

function readPress(
	state: MonitorState,
	{side, atMs, jumpedAtMs, moments}: Press & {readonly jumpedAtMs: number},
): Pressed {
	const entry = selected(state);
	if (!entry) return {why: 'choose a row first ({cursor.down})'};
	if (atMs - jumpedAtMs < JUMP_MS) return {why: 'the cursor has just moved: look at the row, then press again'};
	const row = rowOf(state, entry.key);
	if (!row) return {why: 'this token has left the list, and no live figures of it are left'};
	return judge(state, row, {side, atMs, moments});
}

/** The press of a trade key. */
export interface Press {
	readonly side: TradeSide;
	/** Local Unix ms. */
	readonly atMs: number;
	/** Earlier states of the columns. */
	readonly moments: readonly Moment[];
}

/** Result of a trade key for a token with its figures of some time. */
export function judge(state: MonitorState, row: LiveRow, {side, atMs, moments}: Press): Exclude<Pressed, undefined> {
	const {skewMs, readOnly, service} = state;
	const target = readTarget(state, row, side, seenPrices(moments, row.entry.key, atMs));
	const why = whyNotTraded(target, {
		nowMs: atMs + skewMs,
		isReadOnly: readOnly,
		isRecording: service.recording !== undefined || topMode(state).kind === 'rewind',
	});
	return why === undefined ? {target} : {why};
}

/** For how long before a trade key prices are compared with the one that it finds, ms. */
const SEEN_MS = 5 * 60_000;

/** The prices of a token that its columns had in the minutes before a key; undefined where they had none. */
function seenPrices(moments: readonly Moment[], key: string, atMs: number): SeenPrices | undefined {
	const seen = moments.flatMap(moment => {
		const price = moment.atMs < atMs - SEEN_MS ? undefined : moment.priceOf(key);
		return isPrice(price) ? [{price, atMs: moment.atMs}] : [];
	});
	const [first] = seen;
	if (first === undefined) return undefined;
	const prices = seen.map(({price}) => price);
	const [lowUSD, highUSD] = [Math.min(...prices), Math.max(...prices)];
	return {lowUSD, highUSD, count: seen.length, spanMs: atMs - first.atMs};
}

function readTarget(
	state: MonitorState,
	{entry, dataAtMs}: LiveRow,
	side: TradeSide,
	seen?: SeenPrices | undefined,
): TradeTarget {
	const {skewMs, display} = state;
	const level = lookalikeOf(entry, lookalikesOnScreen(state))?.level;
	return targetOf(entry, side, {
		// Figures of a market that stands still are as old as that market.
		atMs: Math.min(dataAtMs, staleSinceMs(state) ?? dataAtMs) + skewMs,
		isLive: isLive(state),
		seen,
		lookAlike: level === 'bad' || level === 'warn' ? level : undefined,
		marks: [
			...(entry.is_spam === true ? ['spam, says the service'] : []),
			...RISKS.filter(risk => riskOf(entry, risk, display.thresholds) === 'bad').map(
				risk => `${RISK_WORDS[risk]} ${Math.round(entry[RISK_FIELDS[risk]]!)} %`,
			),
		],
	});
}

const RISK_WORDS = {
	dev: 'developer holds',
	top10: 'ten wallets hold',
	snipers: 'snipers hold',
	insiders: 'insiders hold',
	bundlers: 'bundlers hold',
} as const;

/** A token and its figures. */
export interface LiveRow {
	readonly entry: Entry;
	/** When the figures were current, local Unix ms. */
	readonly dataAtMs: number;
}

/** The newest figures of a token: from a column that still has it, else from the open detail pane. */
function rowOf(state: MonitorState, key: string): LiveRow | undefined {
	const rows = VIEWS.flatMap(view => {
		const column: Column = state.columns[view];
		const row = column.rows.get(key);
		if (!row || row.departed || column.dataAtMs === undefined) return [];
		return [{entry: row.entry, dataAtMs: column.dataAtMs}];
	});
	const {detail} = state;
	const isOpen = detail?.key === key && detail.lookup === 'found';
	const own = isOpen ? [{entry: detail.entry, dataAtMs: detail.entryAtMs}] : [];
	const [newest] = [...rows, ...own].sort((a, b) => b.dataAtMs - a.dataAtMs);
	return newest;
}

/** Whether figures arrive. */
function isLive({link}: MonitorState): boolean {
	return link?.phase === 'live' || link?.phase === 'polling';
}
