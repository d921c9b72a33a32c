import type {ReactNode} from 'react';
import type {Market} from '../../../contract/prediction.ts';
import {fitTo, padStart, truncate} from '../../../text.ts';
import {age, change, dateTime, grouped, price, usd} from '../../format.ts';
import {Fact, Facts} from '../../live/fact.tsx';
import {Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {Section} from '../../screens/page.tsx';
import {cents, driftTone} from './prediction-price.ts';
import {type PredictionItem, type PredictionState, timeOf} from './prediction-state.ts';

interface PredictionDetailProps {
	readonly state: PredictionState;
	readonly item: PredictionItem;
	/** Local Unix ms. */
	readonly nowMs: number;
}

/** Everything about one prediction. */
export function PredictionDetail({state: {problem}, item, nowMs}: PredictionDetailProps): ReactNode {
	const {glyphs} = useDisplay();
	const {market} = item;
	const status = market?.status ?? glyphs.unknown;
	return (
		<>
			<Paragraph tone="strong" text={item.question} />
			<Line>
				<Text tone={status === 'active' ? 'good' : 'warn'}>{status}</Text>
				<Text tone="dim">{endOf(item, nowMs)}</Text>
				{item.isWatched && <Text tone="accent">{`  ${glyphs.pin} watched`}</Text>}
			</Line>
			{item.problem !== undefined && <Paragraph tone="bad" text={`${glyphs.cross} ${item.problem}`} />}
			{problem && <Paragraph tone="bad" text={`${glyphs.cross} ${problem.what}: ${problem.why}. ${problem.advice}`} />}
			<Line />
			{market ? (
				<MarketFacts market={market} item={item} />
			) : (
				item.problem === undefined && <Paragraph tone="dim" text="Loading" />
			)}
		</>
	);
}

interface MarketProps {
	readonly market: Market;
}

function MarketFacts({market, item}: MarketProps & {readonly item: PredictionItem}): ReactNode {
	const {unknown} = useDisplay().glyphs;
	const usdOr = (value: number | null | undefined) => usd(value ?? undefined, unknown);
	const count = (value: number | null | undefined) => grouped(value ?? undefined, unknown);
	const {stats, metadata, reference, description} = market;
	const facts: readonly (readonly [string, string])[] = [
		[
			'volume',
			`${usdOr(stats.volume24hUSD)} in 24h, ${usdOr(stats.volume7dUSD)} in 7d, ${usdOr(stats.totalVolumeUSD)} total`,
		],
		['liquidity', `${usdOr(stats.liquidityUSD)}, open interest ${usdOr(stats.openInterestUSD)}`],
		['holders', count(stats.holdersCount)],
		['trades', `${count(stats.trades24h)} in 24h, ${count(stats.tradesCount)} total`],
		['ends', dateTime(item.endMs, unknown)],
		['created', dateTime(timeOf(metadata?.createdAt), unknown)],
		...known(
			'resolved',
			metadata?.resolved
				? `${metadata.resolvedOutcome ?? 'no outcome reported'}, ${dateTime(timeOf(metadata.resolvedAt), unknown)}`
				: undefined,
		),
		...known('resolver', metadata?.resolver),
		...known('category', market.category),
		...known('tags', market.tags?.join(', ')),
		...known('kind', market.type),
		...known('event', market.eventTitle),
		...known('page', metadata?.url),
	];
	return (
		<>
			<Outcomes market={market} />
			<Section title="Figures" />
			<Facts facts={facts} />
			{reference && <ReferencePrice reference={reference} />}
			{description && (
				<>
					<Section title="Rules" />
					{description.split(/\n+/).map((part, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
						<Paragraph key={at} tone="text" text={part} />
					))}
				</>
			)}
			<Line />
			<Fact label="id" tone="dim">
				{item.id}
			</Fact>
		</>
	);
}

function ReferencePrice({
	reference: {symbol, marketType, type, priceToBeat, current, finalPrice},
}: {
	readonly reference: NonNullable<Market['reference']>;
}): ReactNode {
	const {unknown, subscripts} = useDisplay().glyphs;
	const facts = [
		['asset', [symbol, marketType, type].filter(Boolean).join(', ') || unknown],
		['target', price(priceToBeat?.price, {unknown, subscripts})],
		['now', price(current ?? undefined, {unknown, subscripts})],
		...known('final', typeof finalPrice === 'number' ? price(finalPrice) : undefined),
	] as const;
	return (
		<>
			<Section title="Reference price" />
			<Facts facts={facts} />
		</>
	);
}

function known(name: string, value: string | null | undefined): readonly (readonly [string, string])[] {
	return value === null || value === undefined || value === '' ? [] : [[name, value]];
}

function endOf({endMs, market}: PredictionItem, nowMs: number): string {
	if (endMs === undefined) return '';
	if (endMs > nowMs) return `  ends in ${age(endMs - nowMs)}`;
	return market?.status === 'active' ? '  past its end, not resolved yet' : `  ended ${age(nowMs - endMs)} ago`;
}

function Outcomes({market: {outcomes}}: MarketProps): ReactNode {
	const width = useWidth();
	const {glyphs} = useDisplay();
	const isWide = width >= 74;
	const isNarrow = width < 52;
	const label = Math.max(Math.min(width - (isWide ? 52 : isNarrow ? 18 : 36), 30), 8);
	const names = `${fitTo('OUTCOME', label)}${padStart('PRICE', 7)}${isNarrow ? '' : fitTo('', 13)}${padStart('24h', 9)}${isWide ? `${padStart('7d', 9)}${padStart('VOL 24h', 10)}` : ''}`;
	if (outcomes.length === 0) return <Paragraph tone="dim" text="no outcome reported" />;
	return (
		<>
			<Line>
				<Text tone="faint">{truncate(names, width)}</Text>
			</Line>
			{outcomes.map((outcome, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: an outcome is its place
				<Line key={at}>
					<Text tone="text">{fitTo(outcome.label, label)}</Text>
					<Text tone="strong">{padStart(cents(outcome.priceUSD, glyphs), 7)}</Text>
					{!isNarrow && [' ', <PriceBar key="bar" priceUSD={outcome.priceUSD} width={11} />, ' ']}
					<Drift percent={outcome.priceChange24hPercentage} />
					{isWide && <Drift percent={outcome.priceChange7dPercentage} />}
					{isWide && <Text tone="dim">{padStart(usd(outcome.volume24hUSD ?? undefined, glyphs.unknown), 10)}</Text>}
				</Line>
			))}
		</>
	);
}

function Drift({percent}: {readonly percent: number | null | undefined}): ReactNode {
	const {unknown} = useDisplay().glyphs;
	return <Text tone={driftTone(percent ?? undefined)}>{padStart(change(percent ?? undefined, unknown), 9)}</Text>;
}

/** A price as a part of a dollar. */
export function PriceBar({
	priceUSD,
	width,
}: {
	readonly priceUSD: number | undefined;
	readonly width: number;
}): ReactNode {
	const {barFull, barEmpty} = useDisplay().glyphs;
	const share = priceUSD === undefined || !Number.isFinite(priceUSD) ? 0 : Math.min(Math.max(priceUSD, 0), 1);
	const full = Math.round(share * width);
	return (
		<>
			<Text tone="barFull">{barFull.repeat(full)}</Text>
			<Text tone="barEmpty">{barEmpty.repeat(width - full)}</Text>
		</>
	);
}
