import type {Row, Span} from '../../../terminal/style.ts';
import {fitTo, padStart, truncate} from '../../../text.ts';
import {AXIS_WIDTH, axisLabel, timeAxis} from '../../detail/chart/axes.ts';
import {age, change, dateTime, grouped, price, usd} from '../../format.ts';
import {fact, heading, paragraph} from '../../money/money-rows.ts';
import type {ScreenCanvas} from '../../screens/screen-rows.ts';
import {drawSparkline} from '../../sparkline.ts';
import type {Tone} from '../../theme.ts';
import {toned} from '../../view-model.ts';
import {bar, cents} from './prediction-price.ts';
import {type PredictionItem, type PredictionState, timeOf} from './prediction-state.ts';

/** Rows of the price line: about a sixth of the screen. */
function lineHeight({height}: ScreenCanvas): number {
	return Math.min(Math.max(Math.round(height / 6), 4), 10);
}

/** The lines of everything about one prediction. */
export function predictionDetail(state: PredictionState, item: PredictionItem, given: ScreenCanvas): Row[] {
	const canvas = {...given, width: given.width - 2};
	const market = state.quotes.get(item.id)?.market;
	const {glyphs} = canvas;
	const usdOr = (value: number | null | undefined) => usd(value ?? undefined, glyphs.unknown);
	const count = (value: number | null | undefined) => grouped(value ?? undefined, glyphs.unknown);
	const status = item.status ?? glyphs.unknown;
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
	if (!market) return [...head, [], ...outcomes(item, canvas), [], ...paragraph(canvas, 'dim', 'Loading the rest')];

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
		...outcomes(item, canvas),
		...priceLine(state, canvas),
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

function endOf({endMs, status}: PredictionItem, nowMs: number): string {
	if (endMs === undefined) return '';
	if (endMs > nowMs) return `  ends in ${age(endMs - nowMs)}`;
	return status === 'active' ? '  past its end, not resolved yet' : `  ended ${age(nowMs - endMs)} ago`;
}

function outcomes(item: PredictionItem, canvas: ScreenCanvas): Row[] {
	const {glyphs, width} = canvas;
	const isWide = width >= 74;
	const isNarrow = width < 52;
	const label = Math.max(Math.min(width - (isWide ? 52 : isNarrow ? 18 : 36), 30), 8);
	const drift = (value: number | undefined): Span => {
		const tone: Tone = value === undefined || Math.abs(value) < 0.05 ? 'dim' : value > 0 ? 'up' : 'down';
		return toned(canvas, tone, padStart(change(value, glyphs.unknown), 9));
	};
	const names = `${fitTo('OUTCOME', label)}${padStart('PRICE', 7)}${isNarrow ? '' : fitTo('', 13)}${padStart('24h', 9)}${isWide ? `${padStart('7d', 9)}${padStart('VOL 24h', 10)}` : ''}`;
	if (item.outcomes.length === 0) return paragraph(canvas, 'dim', 'no outcome reported');
	return [
		[toned(canvas, 'faint', truncate(names, width))],
		...item.outcomes.map(
			(outcome): Row => [
				toned(canvas, 'text', fitTo(outcome.label, label)),
				toned(canvas, 'strong', padStart(cents(outcome.price, glyphs), 7)),
				...(isNarrow ? [] : [{text: ' '}, ...bar(outcome.price, 11, canvas), {text: ' '}]),
				drift(outcome.change24h),
				...(isWide
					? [drift(outcome.change7d), toned(canvas, 'dim', padStart(usd(outcome.volume24h, glyphs.unknown), 10))]
					: []),
			],
		),
	];
}

/** The last week of the leading outcome. */
function priceLine({candles}: PredictionState, canvas: ScreenCanvas): Row[] {
	if (candles.kind === 'failed') return [[], ...paragraph(canvas, 'dim', `No price line: ${candles.problem.why}`)];
	if (candles.kind !== 'ready' || candles.value.length < 2) return [];
	const points = candles.value.map(candle => candle.close);
	const {glyphs} = canvas;
	const [low, high] = [Math.min(...points), Math.max(...points)];
	const spanMs = candles.value.at(-1)!.timestamp - candles.value[0]!.timestamp;
	const sinceMs = canvas.nowMs - candles.value.at(-1)!.timestamp;
	// The line of a resolved prediction ended when it was resolved.
	const endAgoMs = sinceMs > 2 * (spanMs / (points.length - 1)) ? sinceMs : 0;
	const width = Math.max(canvas.width - AXIS_WIDTH, 8);
	const lines = drawSparkline(points, width, lineHeight(canvas), glyphs.subscripts === '');
	const label = (y: number): Span =>
		y === 0 || (y === lines.length - 1 && low !== high)
			? toned(canvas, 'dim', axisLabel(cents(y === 0 ? high : low, glyphs)))
			: {text: ''};
	return [
		[],
		heading(canvas, `Leading price, ${age(spanMs)}`),
		...lines.map((text, y): Row => [toned(canvas, 'accent', text), label(y)]),
		timeAxis(canvas, spanMs, width, false, endAgoMs),
	];
}
