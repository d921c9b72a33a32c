import type {Market} from '../../../contract/prediction.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../../text.ts';
import {age, change, dateTime, grouped, price, usd} from '../../format.ts';
import {fact, heading, paragraph} from '../../money/money-rows.ts';
import type {ScreenCanvas} from '../../screens/screen-rows.ts';
import {toned} from '../../view-model.ts';
import {bar, cents, driftTone} from './prediction-price.ts';
import {type PredictionItem, type PredictionState, timeOf} from './prediction-state.ts';

/** The lines of everything about one prediction. */
export function predictionDetail(state: PredictionState, item: PredictionItem, given: ScreenCanvas): Row[] {
	const canvas = {...given, width: given.width - 2};
	const {market} = item;
	const {glyphs} = canvas;
	const usdOr = (value: number | null | undefined) => usd(value ?? undefined, glyphs.unknown);
	const count = (value: number | null | undefined) => grouped(value ?? undefined, glyphs.unknown);
	const status = market?.status ?? glyphs.unknown;
	const head: Row[] = [
		...paragraph(canvas, 'strong', item.question),
		[
			toned(canvas, status === 'active' ? 'good' : 'warn', status),
			toned(canvas, 'dim', endOf(item, canvas.nowMs)),
			...(item.isWatched ? [toned(canvas, 'accent', `  ${glyphs.pin} watched`)] : []),
		],
	];
	if (item.problem !== undefined) head.push(...paragraph(canvas, 'bad', `${glyphs.cross} ${item.problem}`));
	if (state.problem)
		head.push(
			...paragraph(
				canvas,
				'bad',
				`${glyphs.cross} ${state.problem.what}. ${state.problem.why}. ${state.problem.advice}`,
			),
		);
	if (!market) return [...head, [], ...(item.problem === undefined ? paragraph(canvas, 'dim', 'Loading') : [])];

	const {stats, metadata, reference} = market;
	const facts: readonly (readonly [string, string])[] = [
		[
			'volume',
			`${usdOr(stats.volume24hUSD)} in 24h, ${usdOr(stats.volume7dUSD)} in 7d, ${usdOr(stats.totalVolumeUSD)} total`,
		],
		['liquidity', `${usdOr(stats.liquidityUSD)}, open interest ${usdOr(stats.openInterestUSD)}`],
		['holders', count(stats.holdersCount)],
		['trades', `${count(stats.trades24h)} in 24h, ${count(stats.tradesCount)} total`],
		['ends', dateTime(item.endMs, glyphs.unknown)],
		['created', dateTime(timeOf(metadata?.createdAt), glyphs.unknown)],
		...known(
			'resolved',
			metadata?.resolved
				? `${metadata.resolvedOutcome ?? 'no outcome reported'}, ${dateTime(timeOf(metadata.resolvedAt), glyphs.unknown)}`
				: undefined,
		),
		...known('resolver', metadata?.resolver),
		...known('category', market.category),
		...known('tags', market.tags?.join(', ')),
		...known('kind', market.type),
		...known('event', market.eventTitle),
		...known('page', metadata?.url),
	];
	return [
		...head,
		[],
		...outcomes(market, canvas),
		[],
		heading(canvas, 'Figures'),
		...facts.flatMap(([name, value]) => fact(canvas, name, value)),
		...(reference
			? [
					[],
					heading(canvas, 'Reference price'),
					...fact(
						canvas,
						'asset',
						[reference.symbol, reference.marketType, reference.type].filter(Boolean).join(', ') || glyphs.unknown,
					),
					...fact(
						canvas,
						'target',
						price(reference.priceToBeat?.price, {unknown: glyphs.unknown, subscripts: glyphs.subscripts}),
					),
					...fact(
						canvas,
						'now',
						price(reference.current ?? undefined, {unknown: glyphs.unknown, subscripts: glyphs.subscripts}),
					),
					...(typeof reference.finalPrice === 'number' ? fact(canvas, 'final', price(reference.finalPrice)) : []),
				]
			: []),
		...(market.description ? [[], heading(canvas, 'Rules'), ...paragraphs(market.description, canvas)] : []),
		[],
		...fact(canvas, 'id', item.id, 'dim'),
	];
}

function known(name: string, value: string | null | undefined): readonly (readonly [string, string])[] {
	return value === null || value === undefined || value === '' ? [] : [[name, value]];
}

function paragraphs(text: string, canvas: ScreenCanvas): Row[] {
	return text.split(/\n+/).flatMap(part => paragraph(canvas, 'text', part));
}

function endOf({endMs, market}: PredictionItem, nowMs: number): string {
	if (endMs === undefined) return '';
	if (endMs > nowMs) return `  ends in ${age(endMs - nowMs)}`;
	return market?.status === 'active' ? '  past its end, not resolved yet' : `  ended ${age(nowMs - endMs)} ago`;
}

function outcomes(market: Market, canvas: ScreenCanvas): Row[] {
	const {glyphs, width} = canvas;
	const isWide = width >= 74;
	const isNarrow = width < 52;
	const label = Math.max(Math.min(width - (isWide ? 52 : isNarrow ? 18 : 36), 30), 8);
	const drift = (value: number | null | undefined): Span =>
		toned(canvas, driftTone(value ?? undefined), padStart(change(value ?? undefined, glyphs.unknown), 9));
	const names = `${fitTo('OUTCOME', label)}${padStart('PRICE', 7)}${isNarrow ? '' : fitTo('', 13)}${padStart('24h', 9)}${isWide ? `${padStart('7d', 9)}${padStart('VOL 24h', 10)}` : ''}`;
	if (market.outcomes.length === 0) return paragraph(canvas, 'dim', 'no outcome reported');
	return [
		[toned(canvas, 'faint', truncate(names, width))],
		...market.outcomes.map(
			(outcome): Row => [
				toned(canvas, 'text', fitTo(outcome.label, label)),
				toned(canvas, 'strong', padStart(cents(outcome.priceUSD, glyphs), 7)),
				...(isNarrow ? [] : [{text: ' '}, ...bar(outcome.priceUSD, 11, canvas), {text: ' '}]),
				drift(outcome.priceChange24hPercentage),
				...(isWide
					? [
							drift(outcome.priceChange7dPercentage),
							toned(canvas, 'dim', padStart(usd(outcome.volume24hUSD ?? undefined, glyphs.unknown), 10)),
						]
					: []),
			],
		),
	];
}
