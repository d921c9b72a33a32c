import type {ReactNode} from 'react';
import {fitTo, padStart} from '../../../text.ts';
import {age, change, usd} from '../../format.ts';
import {Line, Text, useDisplay} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {Cut, EndLine, InputLine, ListPage, type PageFrame, PageTitle, TextPage} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {Headings} from '../../screens/table.tsx';
import {PredictionDetail, PriceBar} from './prediction-detail.tsx';
import {cents, driftTone, STALE_MS} from './prediction-price.ts';
import {
	leadingOutcome,
	type PredictionItem,
	type PredictionState,
	predictionItem,
	predictionKeys,
} from './prediction-state.ts';

type PredictionPageProps = PageProps<PredictionState>;

/** Prices of the predictions that are watched, or everything about one. */
export function PredictionPage({state, monitor, frame}: PredictionPageProps): ReactNode {
	const {width, named} = frame;
	const watched = monitor.watchedPredictions;
	if (state.open !== undefined) {
		const item = predictionItem(state, state.open, watched);
		return (
			<TextPage
				frame={frame}
				title={
					<Title frame={frame} notes={<PricesAge atMs={item.atMs} nowMs={frame.nowMs} />}>
						{item.platform}
					</Title>
				}
				scroll={state.scroll}
			>
				<PredictionDetail state={state} item={item} width={width - 2} nowMs={frame.nowMs} />
			</TextPage>
		);
	}
	const items = new Map(predictionKeys(monitor).map(key => [key, predictionItem(state, key, watched)]));
	const widths = columnsOf(width);
	return (
		<ListPage
			frame={frame}
			title={<Title frame={frame}>{`${watched.size} watched`}</Title>}
			headings={<Headings width={width}>{headingsOf(widths)}</Headings>}
			keys={[...items.keys()]}
			marked={state}
			line={key => <Prediction item={items.get(key)!} widths={widths} nowMs={frame.nowMs} />}
			empty={
				<Paragraph
					tone="dim"
					width={width - 2}
					text={named(
						'Nothing is watched yet. {markets.add} adds a prediction by its id, and it stays for the next run.',
					)}
				/>
			}
			end={<End state={state} items={[...items.values()]} frame={frame} />}
		/>
	);
}

function Title({
	frame: {width},
	notes,
	children,
}: {
	readonly frame: PageFrame;
	readonly notes?: ReactNode;
	readonly children: string;
}): ReactNode {
	return (
		<PageTitle width={width} notes={notes}>
			<Text tone="brand">PREDICTION</Text> <Text tone="badge"> ALPHA </Text> <Text tone="dim">{children}</Text>
		</PageTitle>
	);
}

function PricesAge({atMs, nowMs}: {readonly atMs: number | undefined; readonly nowMs: number}): ReactNode {
	if (atMs === undefined) return <Text tone="warn">no price yet</Text>;
	const ms = nowMs - atMs;
	return <Text tone={ms > STALE_MS ? 'warn' : 'dim'}>{`prices ${age(ms)} old`}</Text>;
}

/** Which cells there is room for; what doesn't fit drops from the right of this order: price, ends, change, volume, bar, ... */
interface Widths {
	readonly question: number;
	readonly label: number;
	readonly bar: number;
	readonly change: number;
	readonly volume: number;
	readonly liquidity: number;
	readonly ends: number;
	readonly age: number;
}

function columnsOf(width: number): Widths {
	const cells = {
		// Questions of one event differ at their ends: they get the room first.
		label: width >= 84 ? 11 : width >= 54 ? 7 : 0,
		bar: width >= 96 ? 11 : 0,
		change: width >= 66 ? 8 : 0,
		volume: width >= 76 ? 8 : 0,
		liquidity: width >= 110 ? 8 : 0,
		ends: width >= 46 ? 10 : 0,
		age: width >= 84 ? 5 : 0,
	};
	const rest = Object.values(cells).reduce((sum, cell) => sum + cell, 0);
	return {...cells, question: Math.max(width - rest - 12, 8)};
}

function headingsOf(w: Widths): string[] {
	const right = (text: string, width: number) => (width === 0 ? '' : padStart(text, width));
	return [
		fitTo('QUESTION', w.question),
		w.label === 0 ? '' : ` ${fitTo('LEADER', w.label - 1)}`,
		padStart('PRICE', 8),
		' '.repeat(w.bar),
		right('CHG 24h', w.change),
		right('VOL 24h', w.volume),
		right('LIQ', w.liquidity),
		w.ends === 0 ? '' : `  ${fitTo('ENDS', w.ends - 2)}`,
		right('AGE', w.age),
	];
}

/** The line of one prediction. */
function Prediction({
	item,
	widths: w,
	nowMs,
}: {
	readonly item: PredictionItem;
	readonly widths: Widths;
	readonly nowMs: number;
}): ReactNode {
	const {glyphs} = useDisplay();
	const {market, problem, atMs} = item;
	const leads = market && leadingOutcome(market);
	const isOver = isEnded(item);
	const isStale = atMs === undefined || nowMs - atMs > STALE_MS;
	const drift = leads?.priceChange24hPercentage ?? undefined;
	const figure = (value: number | null | undefined, width: number): string =>
		padStart(usd(value ?? undefined, glyphs.unknown), width);
	const mark = problem !== undefined ? '! ' : item.isWatched ? `${glyphs.pin} ` : '  ';
	return (
		<>
			<Text tone={problem === undefined ? 'accent' : 'bad'}>{mark}</Text>
			<Text tone={isOver ? 'dim' : 'text'}>{fitTo(item.question, w.question)}</Text>
			{w.label > 0 && <Text tone="dim"> {fitTo(leads?.label ?? glyphs.unknown, w.label - 1)}</Text>}
			<Text tone={isStale ? 'dim' : 'strong'}>{padStart(cents(leads?.priceUSD, glyphs), 8)}</Text>
			{w.bar > 0 && ' '}
			{w.bar > 0 && <PriceBar priceUSD={leads?.priceUSD} width={w.bar - 1} />}
			{w.change > 0 && <Text tone={driftTone(drift)}>{padStart(change(drift, glyphs.unknown), w.change)}</Text>}
			{w.volume > 0 && <Text tone="text">{figure(market?.stats.volume24hUSD, w.volume)}</Text>}
			{w.liquidity > 0 && <Text tone="dim">{figure(market?.stats.liquidityUSD, w.liquidity)}</Text>}
			{w.ends > 0 && (
				<Text tone={isOver ? 'warn' : 'dim'}>{`  ${fitTo(endText(item, nowMs, glyphs.unknown), w.ends - 2)}`}</Text>
			)}
			{w.age > 0 && (
				<Text tone={isStale ? 'warn' : 'faint'}>
					{padStart(atMs === undefined ? glyphs.unknown : age(nowMs - atMs), w.age)}
				</Text>
			)}
		</>
	);
}

function isEnded({market}: PredictionItem): boolean {
	return typeof market?.status === 'string' && market.status !== 'active';
}

/** When an active prediction ends; the status of any other. */
function endText(item: PredictionItem, nowMs: number, unknown: string): string {
	const {market, endMs} = item;
	if (isEnded(item)) return market!.status!;
	if (endMs === undefined) return unknown;
	return endMs > nowMs ? `in ${age(endMs - nowMs)}` : 'now';
}

/** The last line: the id that is typed, else the failure, else the whole question of the marked line. */
function End({
	state: {problem, cursor},
	items,
	frame: {width, input},
}: {
	readonly state: PredictionState;
	readonly items: readonly PredictionItem[];
	readonly frame: PageFrame;
}): ReactNode {
	const {glyphs} = useDisplay();
	if (input) return <InputLine label="id" edit={input.edit} width={width} />;
	if (problem) {
		return (
			<EndLine tone="bad" width={width}>
				{`${glyphs.cross} prices: ${problem.what}. ${problem.why}`}
			</EndLine>
		);
	}
	const at = Math.max(
		items.findIndex(({id}) => id === cursor),
		0,
	);
	const item = items[at];
	if (item === undefined) return null;
	return (
		<Line>
			<Cut width={width}>
				<Text tone="dim">{` ${at + 1}/${items.length}  `}</Text>
				<Text tone={item.problem === undefined ? 'text' : 'bad'}>{item.problem ?? item.question}</Text>
			</Cut>
		</Line>
	);
}
