import type {ReactNode} from 'react';
import {age, change, usd} from '../../format.ts';
import type {Glyphs} from '../../glyphs.ts';
import {Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {CutLine} from '../../live/section.tsx';
import {TypedLine} from '../../live/typed-line.tsx';
import {EndLine, ListPage, type PageFrame, PageTitle, TextPage} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {fittingCells, type TableCell, TableCells, TableHeadings} from '../../screens/table.tsx';
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
	const width = useWidth();
	const {named} = frame;
	const {glyphs} = useDisplay();
	const watched = monitor.watchedPredictions;
	if (state.open !== undefined) {
		const item = predictionItem(state, state.open, watched);
		return (
			<TextPage
				frame={frame}
				title={<Title notes={<PricesAge atMs={item.atMs} nowMs={frame.nowMs} />}>{item.platform}</Title>}
				scroll={state.scroll}
			>
				<PredictionDetail state={state} item={item} nowMs={frame.nowMs} />
			</TextPage>
		);
	}
	const items = new Map(predictionKeys(monitor).map(key => [key, predictionItem(state, key, watched)]));
	const cells = fittingCells(cellsOf(items, frame, width, glyphs), width, 90);
	return (
		<ListPage
			frame={frame}
			title={<Title>{`${watched.size} watched`}</Title>}
			headings={<TableHeadings cells={cells} />}
			keys={[...items.keys()]}
			marked={state}
			line={key => <TableCells cells={cells} of={key} />}
			empty={
				<Paragraph
					tone="dim"
					text={named(
						'Nothing is watched yet. {markets.add} adds a prediction by its id, and it stays for the next run.',
					)}
				/>
			}
			end={<End state={state} items={[...items.values()]} frame={frame} />}
		/>
	);
}

function Title({notes, children}: {readonly notes?: ReactNode; readonly children: string}): ReactNode {
	return (
		<PageTitle notes={notes}>
			<Text tone="brand">PREDICTION</Text> <Text tone="badge"> ALPHA </Text> <Text tone="dim">{children}</Text>
		</PageTitle>
	);
}

function PricesAge({atMs, nowMs}: {readonly atMs: number | undefined; readonly nowMs: number}): ReactNode {
	if (atMs === undefined) return <Text tone="warn">no price yet</Text>;
	const ms = nowMs - atMs;
	return <Text tone={ms > STALE_MS ? 'warn' : 'dim'}>{`prices ${age(ms)} old`}</Text>;
}

function cellsOf(
	items: ReadonlyMap<string, PredictionItem>,
	{nowMs}: PageFrame,
	width: number,
	glyphs: Glyphs,
): readonly TableCell[] {
	const {unknown} = glyphs;
	const leadOf = (key: string) => {
		const {market} = items.get(key)!;
		return market && leadingOutcome(market);
	};
	const isStale = ({atMs}: PredictionItem): boolean => atMs === undefined || nowMs - atMs > STALE_MS;
	const figure =
		(of: (stats: NonNullable<PredictionItem['market']>['stats']) => number | null | undefined) => (key: string) => {
			const {market} = items.get(key)!;
			return {text: usd((market && of(market.stats)) ?? undefined, unknown), tone: 'text'} as const;
		};
	return [
		{
			// Questions of one event differ at their ends: they get the room first.
			head: 'QUESTION',
			width: Math.min(Math.floor(width * 0.4), 60),
			align: 'left',
			text(key) {
				const item = items.get(key)!;
				const mark = item.problem !== undefined ? '! ' : item.isWatched ? `${glyphs.pin} ` : '';
				return {text: mark + item.question, tone: item.problem !== undefined ? 'bad' : isEnded(item) ? 'dim' : 'text'};
			},
		},
		{
			head: 'LEADER',
			width: 10,
			align: 'left',
			rank: 6,
			text: key => ({text: leadOf(key)?.label ?? unknown, tone: 'dim'}),
		},
		{
			head: 'PRICE',
			width: 6,
			align: 'right',
			text: key => ({text: cents(leadOf(key)?.priceUSD, glyphs), tone: isStale(items.get(key)!) ? 'dim' : 'strong'}),
		},
		{
			head: '',
			width: 10,
			align: 'left',
			rank: 2,
			text: key => <PriceBar priceUSD={leadOf(key)?.priceUSD} width={10} />,
		},
		{
			head: 'CHG 24h',
			width: 7,
			align: 'right',
			rank: 5,
			text(key) {
				const drift = leadOf(key)?.priceChange24hPercentage ?? undefined;
				return {text: change(drift, unknown), tone: driftTone(drift)};
			},
		},
		{head: 'VOL 24h', width: 7, align: 'right', rank: 4, text: figure(({volume24hUSD}) => volume24hUSD)},
		{head: 'LIQ', width: 7, align: 'right', rank: 1, text: figure(({liquidityUSD}) => liquidityUSD)},
		{
			head: 'ENDS',
			width: 8,
			align: 'left',
			rank: 7,
			text(key) {
				const item = items.get(key)!;
				return {text: endText(item, nowMs, unknown), tone: isEnded(item) ? 'warn' : 'dim'};
			},
		},
		{
			head: 'AGE',
			width: 4,
			align: 'right',
			rank: 3,
			text(key) {
				const item = items.get(key)!;
				const text = item.atMs === undefined ? unknown : age(nowMs - item.atMs);
				return {text, tone: isStale(item) ? 'warn' : 'faint'};
			},
		},
	];
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
	frame: {input},
}: {
	readonly state: PredictionState;
	readonly items: readonly PredictionItem[];
	readonly frame: PageFrame;
}): ReactNode {
	const {glyphs} = useDisplay();
	if (input) return <TypedLine label=" id " edit={input.edit} />;
	if (problem) {
		return <EndLine tone="bad">{`${glyphs.cross} prices: ${problem.what}: ${problem.why}`}</EndLine>;
	}
	const at = Math.max(
		items.findIndex(({id}) => id === cursor),
		0,
	);
	const item = items[at];
	if (item === undefined) return null;
	return (
		<CutLine>
			<Text tone="dim">{` ${at + 1}/${items.length}  `}</Text>
			<Text tone={item.problem === undefined ? 'text' : 'bad'}>{item.problem ?? item.question}</Text>
		</CutLine>
	);
}
