import type {TokenHolding, TokenHoldings} from '../../../monitor/tokens/holdings.ts';
import {type Holdings, positionsOf} from '../../../trading/positions/open-positions.ts';
import {averageUSD, isHeld, type Position} from '../../../trading/positions/position.ts';
import {positionWords} from '../../../trading/positions/position-words.ts';
import {dollars, wholeTokens} from '../../../trading/positions/value.ts';

/** Positions as rows and the detail pane show them, by the tokens' keys; several wallets of a token are one. */
export function tokenHoldings(read: Holdings): TokenHoldings {
	const holdings = new Map<string, TokenHolding>();
	const moving = new Set(read.underWay.filter(({state}) => state === 'moving').map(({key}) => key));
	for (const [key, positions] of Map.groupBy(positionsOf(read, noPrice), ({holding}) => holding.key)) {
		const here = positions.filter(isHeld);
		if (here.length > 0) holdings.set(key, {...joined(here), isUnderWay: moving.has(key)});
	}
	for (const key of moving) {
		if (!holdings.has(key)) holdings.set(key, {isHeld: false, isUnderWay: true, words: []});
	}
	return holdings;
}

/** The row has the price of the moment. */
const noPrice = (): undefined => undefined;

function joined(positions: readonly Position[]): Omit<TokenHolding, 'isUnderWay'> {
	const words = positions.flatMap(position => positionWords(position).filter(word => !word.startsWith('no price')));
	if (positions.some(({amount}) => amount.kind === 'unread')) return {isHeld: true, words, ...costOf(positions)};
	const sum = (of: (position: Position) => number) => positions.reduce((all, position) => all + of(position), 0);
	const tokens = (raw: bigint, {holding}: Position) => wholeTokens(raw, holding.decimals);
	return {
		isHeld: true,
		words,
		amount: sum(position => (position.amount.kind === 'read' ? tokens(position.amount.raw, position) : 0)),
		bought: sum(position => tokens(position.boughtRaw!, position)),
		...costOf(positions),
	};
}

/** The cost of the part that is held, and the average, which is known without the chain as well. */
function costOf(positions: readonly Position[]): Pick<TokenHolding, 'costUSD' | 'averageUSD'> {
	const costUSD = positions.reduce((all, {costMicro, holding}) => all + dollars(costMicro ?? holding.costMicro), 0);
	if (positions.length === 1) {
		const average = averageUSD(positions[0]!);
		return average === undefined ? {costUSD} : {costUSD, averageUSD: average};
	}
	const bought = positions.reduce(
		(all, {boughtRaw, holding}) => all + wholeTokens(boughtRaw ?? holding.trackedRaw, holding.decimals),
		0,
	);
	return bought === 0 ? {costUSD} : {costUSD, averageUSD: costUSD / bought};
}
