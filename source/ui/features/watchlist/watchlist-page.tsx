import type {ReactNode} from 'react';
import {chainWord} from '../../../chains/chain-words.ts';
import {addressOfKey, chainOfKey, type Entry} from '../../../contract/entry.ts';
import {findEntry} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {changeSincePin, type Pin} from '../../../monitor/tokens/pins.ts';
import {middleEllipsis, truncate} from '../../../text.ts';
import type {Display} from '../../display.ts';
import {age, averageMark, change, compact, price, share} from '../../format.ts';
import {Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {RISK_WIDTH, riskText} from '../../risk-word.ts';
import {EndLine, ListPage, PageTitle} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {
	type CellText,
	fittingCells,
	sortMark,
	type TableCell,
	TableCells,
	TableHeadings,
} from '../../screens/table.tsx';
import {Tabs} from '../../screens/tabs.tsx';
import {changeTone} from '../../theme.ts';
import {type WatchlistState, watchedEntry} from './watchlist-state.ts';

type WatchlistPageProps = PageProps<WatchlistState>;

/** The watch list: every pinned token, with its price now and since it was pinned. */
export function WatchlistPage({state, monitor, frame}: WatchlistPageProps): ReactNode {
	const width = useWidth();
	const {nowMs, named} = frame;
	const cells = fittingCells(cellsOf(state, monitor, nowMs, useDisplay()), width, 24);
	return (
		<ListPage
			frame={frame}
			title={<Title state={state} monitor={monitor} frame={frame} />}
			headings={state.order.length > 0 && <TableHeadings cells={cells} />}
			keys={state.order}
			marked={state}
			line={key => <TableCells cells={cells} of={key} />}
			empty={
				<Paragraph
					tone="dim"
					text={named(
						'Nothing is pinned. In the columns {token.pin} pins the token under the cursor; its price at that time is kept.',
					)}
				/>
			}
			end={<Missing state={state} monitor={monitor} frame={frame} />}
		/>
	);
}

const SORT_WORDS = {
	pinned: 'newest pin',
	change: 'change since pinned',
	mcap: 'mcap',
	age: 'newest token',
	symbol: 'symbol',
};

function Title({state: {sort, isReversed, problem}, monitor}: WatchlistPageProps): ReactNode {
	const width = useWidth();
	return (
		<PageTitle notes={problem && <Text tone="bad">{truncate(problem.what, width >> 1)}</Text>}>
			<Tabs monitor={monitor} shown="watchlist" />
			<Text tone="text">{`  ${monitor.pins.size} pinned`}</Text>
			<Text tone="dim">
				{'  '}
				{sortMark(useDisplay().glyphs, isReversed)}
				{SORT_WORDS[sort]}
			</Text>
		</PageTitle>
	);
}

function cellsOf(
	state: WatchlistState,
	monitor: MonitorState,
	localMs: number,
	display: Display,
): readonly TableCell[] {
	const {glyphs} = display;
	const {unknown} = glyphs;
	const entryOf = (key: string): Entry | undefined => watchedEntry(state, monitor, key);
	const pinOf = (key: string): Pin | undefined => monitor.pins.get(key);
	const nowMs = localMs + monitor.skewMs;
	const money = (value: number | undefined) => price(value, {unknown, subscripts: glyphs.subscripts});
	const painted = (of: (entry: Entry) => CellText): TableCell['text'] => {
		return key => {
			const entry = entryOf(key);
			return entry ? of(entry) : {text: unknown, tone: 'faint'};
		};
	};
	const figure = (of: (entry: Entry) => string): TableCell['text'] =>
		painted(entry => ({text: of(entry), tone: 'text'}));
	return [
		{
			head: 'TOKEN',
			width: 10,
			align: 'left',
			text: key => {
				const name = entryOf(key)?.symbol ?? pinOf(key)?.symbol ?? middleEllipsis(addressOfKey(key), 11);
				return {text: name, tone: 'strong'};
			},
		},
		{
			head: 'CHAIN',
			width: 5,
			align: 'left',
			rank: 5,
			text: key => ({text: chainWord(chainOfKey(key)), tone: 'dim'}),
		},
		{head: 'PRICE', width: 10, align: 'right', text: figure(entry => averageMark(entry) + money(entry.latest_price))},
		{
			head: 'SINCE PIN',
			width: 9,
			align: 'right',
			text: key => {
				const pin = pinOf(key);
				const percent = pin && changeSincePin(pin, entryOf(key)?.latest_price);
				return {text: change(percent, unknown), tone: changeTone(percent)};
			},
		},
		{
			head: 'PINNED AT',
			width: 10,
			align: 'right',
			rank: 6,
			text: key => ({text: money(pinOf(key)?.price), tone: 'dim'}),
		},
		{
			head: 'PINNED',
			width: 8,
			align: 'right',
			rank: 3,
			text: key => {
				const atMs = pinOf(key)?.atMs;
				return {text: atMs === undefined ? unknown : `${age(localMs - atMs)} ago`, tone: 'dim'};
			},
		},
		{
			head: 'MCAP',
			width: 6,
			align: 'right',
			rank: 8,
			text: figure(entry => averageMark(entry) + compact(entry.market_cap, unknown)),
		},
		{
			head: 'RISK',
			width: RISK_WIDTH,
			align: 'left',
			rank: 9,
			text: painted(entry => riskText(entry, display)),
		},
		{
			head: 'CHG 1h',
			width: 7,
			align: 'right',
			rank: 2,
			text: key => {
				const percent = entryOf(key)?.price_change_1h;
				return {text: change(percent, unknown), tone: changeTone(percent)};
			},
		},
		{head: 'VOL 24h', width: 7, align: 'right', rank: 1, text: figure(entry => compact(entry.volume_24h, unknown))},
		{
			head: 'AGE',
			width: 4,
			align: 'right',
			rank: 7,
			text: figure(({created_at: atMs}) => age(atMs === undefined ? undefined : nowMs - atMs, unknown)),
		},
		{
			head: 'WHERE',
			width: 12,
			align: 'left',
			rank: 4,
			text: key => {
				const shown = findEntry(monitor, key)?.view;
				if (shown !== undefined) return {text: shown, tone: shown};
				const entry = entryOf(key);
				return entry
					? {text: stageText(entry, unknown), tone: 'dim'}
					: {text: state.atMs === undefined ? '' : 'not reported', tone: 'faint'};
			},
		},
	];
}

/** How far a token is on its way to an exchange: `bonded`, `bonding 43%`. */
export function stageText({bonded, bonding_percentage: percent}: Entry, unknown: string): string {
	if (bonded === true) return 'bonded';
	return percent === undefined ? unknown : `bonding ${share(percent)}`;
}

/** How many pinned tokens the service does not report. */
function Missing({state, monitor}: WatchlistPageProps): ReactNode {
	const missing = state.atMs === undefined ? 0 : state.order.filter(key => !watchedEntry(state, monitor, key)).length;
	if (missing === 0) return null;
	return <EndLine tone="dim">{`The service does not report ${missing} of them now.`}</EndLine>;
}
