import type {Entry} from '../../../contract/entry.ts';
import {findEntry} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {FoldedTrade, Holding} from '../../../trading/positions/fold.ts';
import {positionsOf} from '../../../trading/positions/open-positions.ts';
import {isHeld, isSmall, type Position, type Price} from '../../../trading/positions/position.ts';
import type {TradeUnderWay} from '../../../trading/positions/under-way.ts';
import {ranked} from '../../screens/token-list.ts';
import {FOLDS, type Fold, type PositionsState} from './positions-state.ts';

/** One line of the screen. */
export type PositionLine =
	| {readonly kind: 'position'; readonly position: Position; readonly fold?: Fold}
	/** Bought for the first time: there is no position yet. */
	| {readonly kind: 'underWay'; readonly trade: TradeUnderWay}
	| {readonly kind: 'fold'; readonly fold: Fold; readonly positions: readonly Position[]}
	| {readonly kind: 'trade'; readonly holding: Holding; readonly line: FoldedTrade};

type Seen = Pick<PositionsState, 'read' | 'rows' | 'atMs'>;

/** The newest entry of a token: its own feed's, or a column's while that has not answered. */
export function entryOfToken({rows}: Pick<Seen, 'rows'>, monitor: MonitorState, key: string): Entry | undefined {
	return rows.get(key) ?? findEntry(monitor, key)?.entry;
}

/** All positions, with the prices of the moment. */
export function positionsNow({read, rows, atMs}: Seen, monitor: MonitorState): readonly Position[] {
	if (read === undefined) return [];
	return positionsOf(read, (key): Price | undefined => {
		const usd = entryOfToken({rows}, monitor, key)?.latest_price;
		return usd === undefined ? undefined : {usd, atMs: atMs ?? monitor.nowMs};
	});
}

/** Whether a position is folded into a line with others, and into which. */
function foldOf(position: Position, moving: ReadonlySet<string>): Fold | undefined {
	const {holding} = position;
	if (moving.has(`${holding.wallet}|${holding.key}`)) return undefined;
	// Tokens that were bought here and have left stand among the holdings, so that their absence is seen.
	if (!isHeld(position) && holding.trackedRaw === 0n) return holding.goneRaw > 0n ? 'gone' : 'sold';
	return isHeld(position) && isSmall(position) ? 'small' : undefined;
}

/** The lines of the list that is shown, by their keys and in their order. */
export function linesOf(state: PositionsState, monitor: MonitorState): ReadonlyMap<string, PositionLine> {
	return new Map(state.list === 'held' ? heldLines(state, monitor) : tradeLines(state));
}

function* heldLines(state: PositionsState, monitor: MonitorState): Generator<readonly [string, PositionLine]> {
	const positions = positionsNow(state, monitor);
	const underWay = state.read?.underWay ?? [];
	const known = new Set(positions.map(({holding}) => `${holding.wallet}|${holding.key}`));
	for (const trade of underWay.toReversed())
		if (!known.has(`${trade.wallet}|${trade.key}`)) yield [trade.intentId, {kind: 'underWay', trade}];
	const moving = new Set(underWay.map(({wallet, key}) => `${wallet}|${key}`));
	const folded = Map.groupBy(positions, position => foldOf(position, moving));
	for (const position of sorted(state, folded.get(undefined) ?? [])) yield lineOf(position);
	for (const fold of FOLDS) {
		const inside = folded.get(fold);
		if (!inside) continue;
		yield [`fold:${fold}`, {kind: 'fold', fold, positions: inside}];
		if (state.unfolded.has(fold)) for (const position of sorted(state, inside)) yield lineOf(position, fold);
	}
}

function lineOf(position: Position, fold?: Fold): readonly [string, PositionLine] {
	return [position.holding.id, {kind: 'position', position, ...(fold && {fold})}];
}

/** The largest figure first; names from A on. */
function sorted({sort, isReversed, rows}: PositionsState, positions: readonly Position[]): readonly Position[] {
	const byId = new Map(positions.map(position => [position.holding.id, position]));
	const rank = (id: string): number | string | undefined => {
		const {holding, valueMicro, openMicro} = byId.get(id)!;
		switch (sort) {
			case 'value':
				return valueMicro === undefined ? undefined : Number(valueMicro);
			case 'open':
				return openMicro === undefined ? undefined : Number(openMicro);
			case 'since':
				return holding.sinceMs ?? holding.trades.at(-1)?.trade.atMs;
			case 'symbol':
				return holding.symbol.toLowerCase();
		}
	};
	// Those without the figure go last, the newest of them first.
	const newest = [...byId.keys()].toReversed();
	return ranked(newest, {rows, isReversed: isReversed !== (sort === 'symbol')}, rank).map(id => byId.get(id)!);
}

/** Every trade, the newest first; those without an end before them. */
function* tradeLines({read}: PositionsState): Generator<readonly [string, PositionLine]> {
	for (const trade of read?.underWay.toReversed() ?? []) yield [trade.intentId, {kind: 'underWay', trade}];
	const trades = (read?.holdings ?? []).flatMap(holding => holding.trades.map(line => ({holding, line})));
	for (const {holding, line} of trades.toSorted((a, b) => b.line.trade.atMs - a.line.trade.atMs))
		yield [line.trade.intentId, {kind: 'trade', holding, line}];
}

/** The lines in the order of now: after a reading, a key, or when tokens came or went. */
export function ordered(state: PositionsState, monitor: MonitorState): PositionsState {
	return {...state, order: [...linesOf(state, monitor).keys()]};
}
