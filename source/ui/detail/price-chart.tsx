import type {ReactNode} from 'react';
import type {Entry} from '../../contract/entry.ts';
import type {Candle, CandleStepMs} from '../../monitor/candles/candle-series.ts';
import type {Detail} from '../../monitor/state.ts';
import {timeFrameMs} from '../../monitor/transitions/screen.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {cellWidth} from '../../text.ts';
import {age, averageMark, change, grouped, price, usd} from '../format.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {FromRows, FromSpans, Line, linesOf, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Heading} from '../live/section.tsx';
import {dataAgeMs, isOld} from '../old-data.ts';
import {drawSparkline, type ValueRange} from '../sparkline.ts';
import type {Tone} from '../theme.ts';
import {cutSpans, toned, type ViewModel} from '../view-model.ts';
import {wrapText} from '../wrap-text.ts';
import {AXIS_WIDTH, axisLabel, type Scale, timeAxis, withScale} from './chart/axes.ts';
import {candleRows, volumeRows} from './chart/candle-chart.ts';
import {sampled, type TimedLine, timedLine, withLivePrices} from './chart/line-chart.ts';
import type {SectionProps} from './section-props.ts';
import {Sparkline} from './sparkline.tsx';

/** The price, the figures beside it, and its history: as a line, or as candles with volume. */
export function PriceChart({model, detail}: SectionProps): ReactNode {
	const width = useWidth();
	const {entry, chart, timeFrame} = detail;
	const {glyphs, state, keys} = model;
	const time = chart.kind === 'candles' ? stepText(chart.stepMs) : timeFrame;
	const note = isOld(state)
		? `${age(dataAgeMs(state))} old`
		: `${time}  ${withKeys('{detail.time}: timeframe', keys, glyphs.subscripts === '')}`;
	const title = `PRICE ${averageMark(entry)}${price(entry.latest_price, {subscripts: glyphs.subscripts})}`;
	return (
		<>
			<Heading title={title} note={note} />
			<KeyFigures entry={entry} />
			{chart.kind === 'candles' ? (
				<FromRows rows={candleChart(model, detail, width)} />
			) : (
				<LineChart model={model} detail={detail} />
			)}
		</>
	);
}

/** The figures beside the price: market cap, liquidity, volume and change of an hour, holders; as many as fit. */
function KeyFigures({entry}: {readonly entry: Entry}): ReactNode {
	const width = useWidth();
	const {unknown} = useDisplay().glyphs;
	const moved = entry.price_change_1h;
	const tone: Tone = moved === undefined || moved === 0 ? 'dim' : moved > 0 ? 'up' : 'down';
	const figures: readonly (readonly [name: string, tone: Tone, value: string])[] = [
		['mcap', 'strong', averageMark(entry) + usd(entry.market_cap, unknown)],
		['1h', tone, change(moved, unknown)],
		['liq', 'text', usd(entry.liquidity, unknown)],
		['vol 1h', 'text', usd(entry.volume_1h, unknown)],
		['holders', 'text', grouped(entry.holders_count, unknown)],
	];
	let used = 0;
	const shown = figures.map(([name, tone, value], at) => {
		const label = `${at === 0 ? '' : '  '}${name} `;
		used += cellWidth(label) + cellWidth(value);
		if (used > width) return null;
		return [
			<Text key={name} tone="dim">
				{label}
			</Text>,
			<Text key={`${name} value`} tone={tone}>
				{value}
			</Text>,
		];
	});
	return <Line>{shown}</Line>;
}

/** Rows of a chart: about a fifth of the pane. */
function chartRows({layout}: ViewModel): number {
	return Math.min(Math.max(Math.round(layout.bodyHeight * 0.2), 4), 14);
}

/** Between price and market cap: what a price is multiplied with, and which of the two is drawn. */
function scaleOf({entry, chart}: Detail): {readonly factor: number; readonly scale: Scale} {
	const {latest_price: latest, market_cap: cap} = entry;
	if (chart.scale === 'price' || cap === undefined || latest === undefined || !(latest > 0))
		return {factor: 1, scale: 'price'};
	return {factor: cap / latest, scale: 'mcap'};
}

/** The service's line with its times; undefined before one is loaded, or when it has no scale and `needsScale`. */
function lineOf(
	{state}: ViewModel,
	{sparkline, entry, timeFrame}: Detail,
): (TimedLine & {readonly isScaled: boolean}) | undefined {
	const value = sparkline.kind === 'ready' ? sparkline.value : sparkline.kind === 'idle' ? undefined : sparkline.last;
	if (value === undefined) return undefined;
	const fetchedAtMs = sparkline.kind === 'ready' ? sparkline.atMs : state.nowMs;
	const ageMs =
		entry.created_at === undefined ? Number.POSITIVE_INFINITY : fetchedAtMs + state.skewMs - entry.created_at;
	const longestMs = Math.max(Math.min(timeFrameMs(timeFrame), ageMs), 1000);
	return {...timedLine(value, {skewMs: state.skewMs, fetchedAtMs, longestMs}), isScaled: value.unit === 'usd'};
}

/** Why there is no line. */
function LineMissing({model, detail: {sparkline}, rows}: SectionProps & {readonly rows: number}): ReactNode {
	const width = useWidth();
	const text =
		sparkline.kind === 'failed'
			? `${sparkline.problem.what}: ${sparkline.problem.why}`
			: sparkline.kind === 'ready'
				? 'The service has no price line for this token.'
				: `price line ${model.glyphs.ellipsis}`;
	const tone = sparkline.kind === 'failed' ? 'bad' : 'dim';
	// A line that is loading keeps its place.
	const isComing = sparkline.kind === 'idle' || sparkline.kind === 'loading';
	const blank = isComing ? Math.max(rows + 1 - wrapText(text, width).length, 0) : 0;
	return (
		<>
			<Paragraph text={text} tone={tone} />
			<FromRows rows={Array.from({length: blank}, () => [])} />
		</>
	);
}

function LineChart({model, detail}: SectionProps): ReactNode {
	const width = useWidth();
	const {state} = model;
	const rows = chartRows(model);
	const line = lineOf(model, detail);
	if (line === undefined) return <LineMissing model={model} detail={detail} rows={rows} />;
	const {factor, scale} = scaleOf(detail);
	const latest = detail.entry.latest_price;
	const nowMs = Math.max(state.nowMs, line.points.at(-1)!.atMs);
	const present = line.isScaled && latest !== undefined ? {atMs: nowMs, value: latest} : undefined;
	const watched = line.isScaled ? (model.candles?.(detail.key)?.candles(1000, 120, nowMs) ?? []) : [];
	const points = withLivePrices(line, watched, present);
	const cells = Math.max(width - AXIS_WIDTH, 8);
	const fromMs = points[0]!.atMs;
	const values = sampled(points, fromMs, points.at(-1)!.atMs, cells * 2).map(value => value * factor);
	// Between two samples a peak may be missed: the scale has all of them.
	const range = rangeOf([...values, ...points.map(({value}) => value * factor)]);
	const lines = linesOf(<Sparkline values={values} width={cells} height={rows} range={range} />, model.display, cells);
	const axis = timeAxis(model, points.at(-1)!.atMs - fromMs, cells, line.isRough);
	return (
		<>
			<FromRows rows={line.isScaled ? withScale(model, lines, {range, last: values.at(-1), scale}) : lines} />
			<Line>
				<FromSpans spans={axis} />
				<Text tone="faint">{line.isScaled ? scaleNote(scale) : ' no scale'}</Text>
			</Line>
		</>
	);
}

function scaleNote(scale: Scale): string {
	return scale === 'mcap' ? `${' '.repeat(AXIS_WIDTH - 4)}mcap` : '';
}

/** Rows of volume under the candles. */
const VOLUME_ROWS = 2;

function candleChart(model: ViewModel, detail: Detail, width: number): Row[] {
	const {state} = model;
	const {chart} = detail;
	const {factor, scale} = scaleOf(detail);
	const cells = Math.max(width - AXIS_WIDTH, 8);
	const rows = Math.max(chartRows(model) - 1, 3);
	const series = model.candles?.(detail.key);
	const candles = (series?.candles(chart.stepMs, cells, state.nowMs) ?? []).map(
		candle => candle && scaled(candle, factor),
	);
	const startMs = (Math.floor(state.nowMs / chart.stepMs) - cells + 1) * chart.stepMs;
	const beganAtMs = series?.startedAtMs ?? state.nowMs;
	const {lead, values} = historyOf(model, detail, {startMs, beganAtMs, cells});
	const history = values.map(value => value * factor);
	const known = candles.filter(candle => candle !== undefined);
	if (known.length === 0 && history.length === 0) {
		const lines: Row[] = [[toned(model, 'dim', 'Candles are built while the token is watched: none yet.')]];
		return Array.from({length: rows + VOLUME_ROWS + 2}, (_, at) => lines[at] ?? []);
	}
	const range = rangeOf([...history, ...known.flatMap(({low, high}) => [low, high])]);
	const past = history.length === 0 ? 0 : lead + history.length / 2;
	const ascii = model.glyphs.subscripts === '';
	const pastLines = past === 0 ? [] : drawSparkline(history, past - lead, rows, ascii, range);
	const lines = candleRows(model, candles.slice(past), range, rows).map((line, y) => [
		...(past === 0 ? [] : [toned(model, 'faint', ' '.repeat(lead) + pastLines[y]!)]),
		...line,
	]);
	const volumesUSD = known.flatMap(({volumeUSD}) => volumeUSD ?? []);
	const most = Math.max(0, ...volumesUSD);
	const volumes = volumeRows(model, candles.slice(past), most, VOLUME_ROWS).map((line, y): Span[] => [
		{text: ' '.repeat(past)},
		...line,
		toned(
			model,
			'dim',
			axisLabel(y === 0 ? usd(volumesUSD.length === 0 ? undefined : most, model.glyphs.unknown) : 'volume'),
		),
	]);
	const drawn = withScale(model, lines, {range, last: known.at(-1)?.close, scale});
	return [
		...drawn,
		...volumes,
		[...timeAxis(model, cells * chart.stepMs, cells), toned(model, 'faint', scaleNote(scale))],
		cutSpans([toned(model, 'faint', legend(known, past > 0))], width),
	];
}

function scaled(candle: Candle, factor: number): Candle {
	const {open, high, low, close} = candle;
	return {...candle, open: open * factor, high: high * factor, low: low * factor, close: close * factor};
}

/** Two values for each cell before the first candle, and how many cells before those lie before the line's beginning. */
function historyOf(
	model: ViewModel,
	detail: Detail,
	{startMs, beganAtMs, cells}: {startMs: number; beganAtMs: number; cells: number},
): {readonly lead: number; readonly values: readonly number[]} {
	const line = lineOf(model, detail);
	const {stepMs} = detail.chart;
	const end = Math.min(Math.floor(beganAtMs / stepMs) - startMs / stepMs, cells);
	if (line === undefined || !line.isScaled) return {lead: 0, values: []};
	const lead = Math.max(Math.ceil((line.points[0]!.atMs - startMs) / stepMs), 0);
	if (end <= lead) return {lead: 0, values: []};
	const values = sampled(line.points, startMs + lead * stepMs, startMs + end * stepMs, (end - lead) * 2);
	return {lead, values};
}

/** The meaning of pale and blank cells, and the source of the volume. */
function legend(candles: readonly Candle[], hasHistory: boolean): string {
	const isVolumeUnknown = candles.length > 0 && candles.every(({volumeUSD}) => volumeUSD === undefined);
	const parts = [
		...(hasHistory ? ['pale: price line'] : []),
		'blank: not watched',
		isVolumeUnknown ? '?: no volume' : 'volume: from the 24h sum',
	];
	return parts.join('  ');
}

function rangeOf(values: readonly number[]): ValueRange {
	return {low: Math.min(...values), high: Math.max(...values)};
}

function stepText(stepMs: CandleStepMs): string {
	return stepMs < 60_000 ? `${stepMs / 1000}s` : `${stepMs / 60_000}m`;
}
