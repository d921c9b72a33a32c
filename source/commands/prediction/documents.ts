import type {ListedMarket, Market} from '../../contract/prediction.ts';
import {leadingOutcome} from '../../ui/features/prediction/prediction-state.ts';

/*
 * Markets for JSON documents: a value that the service does not report is absent, which is not 0.
 */

/** The document of a market in a list. */
export function listedDocument({outcomes, ...market}: ListedMarket) {
	return {
		id: `${market.platform}:${market.marketId}`,
		...known(market),
		outcomes: outcomes.map(outcome => known(outcome)),
	};
}
export type ListedDocument = ReturnType<typeof listedDocument>;

/** The document of a market with all details. */
export function marketDocument({outcomes, stats, metadata, reference, tags, ...market}: Market) {
	const {priceToBeat, ...measured} = reference ?? {};
	return {
		...known(market),
		...(tags !== undefined && {tags}),
		outcomes: outcomes.map(outcome => known(outcome)),
		stats: known(stats),
		...(metadata && {metadata: known(metadata)}),
		...(reference && {reference: {...known(measured), ...(priceToBeat && {priceToBeat})}}),
	};
}
export type MarketDocument = ReturnType<typeof marketDocument>;

/** The members that are neither null nor undefined. */
function known<T extends object>(value: T): {[Name in keyof T]?: NonNullable<T[Name]>} {
	return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)) as {
		[Name in keyof T]?: NonNullable<T[Name]>;
	};
}

/** The outcome with the highest price, and its price in US dollars. */
export function leader(outcomes: readonly {readonly label?: string; readonly priceUSD?: number}[]) {
	return leadingOutcome(
		outcomes.flatMap(({label, priceUSD}) =>
			label === undefined || priceUSD === undefined ? [] : [{label, price: priceUSD}],
		),
	);
}
