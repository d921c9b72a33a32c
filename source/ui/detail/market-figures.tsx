import type {ReactNode} from 'react';
import {averageMark, compact, dateTime, price, usd} from '../format.ts';
import {Heading, Pairs} from '../live/section.tsx';
import type {SectionProps} from './section-props.ts';

/** The API gives this score no scale. */
function trendText(score: number | undefined): string {
	return score === undefined ? compact(score) : `${compact(score)}, higher is hotter`;
}

/** Capital, supply, extremes and dates. */
export function MarketFigures({model, detail: {entry}}: SectionProps): ReactNode {
	const {subscripts, unknown} = model.glyphs;
	const facts = [
		['market cap', averageMark(entry) + usd(entry.market_cap)],
		['diluted', averageMark(entry) + usd(entry.market_cap_diluted)],
		['liquidity', usd(entry.liquidity)],
		['fees paid', usd(entry.total_fees_paid_usd)],
		['supply', compact(entry.total_supply)],
		['trend 1h', trendText(entry.trending_score_1h)],
		['highest', price(entry.ath, {subscripts})],
		['lowest', price(entry.atl, {subscripts})],
		['created', dateTime(entry.created_at)],
		['bonded', dateTime(entry.bonded_at)],
		['last trade', dateTime(entry.latest_trade_date)],
		['pool type', entry.type ?? unknown],
	] as const;
	return (
		<>
			<Heading title="MARKET" />
			<Pairs facts={facts} />
		</>
	);
}
