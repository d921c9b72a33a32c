import type {ReactNode} from 'react';
import {chainWord} from '../../../chains/chain-words.ts';
import {chainOfKey, type Entry} from '../../../contract/entry.ts';
import {findEntry} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {middleEllipsis, truncate} from '../../../text.ts';
import type {Display} from '../../display.ts';
import {age, change, compact} from '../../format.ts';
import {Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {RISK_WIDTH, riskText} from '../../risk-word.ts';
import {ListPage, PageTitle} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {fittingCells, sortMark, type TableCell, TableCells, TableHeadings} from '../../screens/table.tsx';
import {isDead} from '../../screens/token-list.ts';
import {changeTone} from '../../theme.ts';
import {inTimeFollowed} from '../../time-followed.ts';
import {stageText} from '../watchlist/watchlist-page.tsx';
import type {DeveloperState} from './developer-state.ts';

type DeveloperPageProps = PageProps<DeveloperState>;

/** All tokens of a developer. */
export function DeveloperPage({state, monitor, frame}: DeveloperPageProps): ReactNode {
	const width = useWidth();
	const {nowMs} = frame;
	const cells = fittingCells(cellsOf(state, monitor, nowMs + monitor.skewMs, useDisplay()), width, 28);
	return (
		<ListPage
			frame={frame}
			title={<Title state={state} />}
			headings={state.order.length > 0 && <TableHeadings cells={cells} />}
			keys={state.order}
			marked={state}
			line={key => <TableCells cells={cells} of={key} />}
			empty={<Empty state={state} />}
			end={<Counts state={state} monitor={monitor} nowMs={nowMs + monitor.skewMs} />}
		/>
	);
}

interface PartProps {
	readonly state: DeveloperState;
}

const SORT_WORDS = {age: 'newest', mcap: 'mcap', volume: 'volume 24h', holders: 'holders'};

function Title({state: {of, sort, isReversed, problem}}: PartProps): ReactNode {
	const width = useWidth();
	const {glyphs} = useDisplay();
	return (
		<PageTitle notes={problem && <Text tone="bad">{truncate(problem.what, width >> 1)}</Text>}>
			<Text tone="brand">{'DEVELOPER  '}</Text>
			{of && <Text tone="text">{`deployer of ${truncate(of.symbol, 16)}  `}</Text>}
			<Text tone="dim">
				{of && (width >= 120 ? of.deployer : middleEllipsis(of.deployer, 13))}
				{'  '}
				{sortMark(glyphs, isReversed)}
				{SORT_WORDS[sort]}
			</Text>
		</PageTitle>
	);
}

function cellsOf(
	{rows, of}: DeveloperState,
	monitor: MonitorState,
	nowMs: number,
	display: Display,
): readonly TableCell[] {
	const {unknown} = display.glyphs;
	const figure =
		(paint: (entry: Entry) => string): TableCell['text'] =>
		key => ({text: paint(rows.get(key)!), tone: 'text'});
	const since = (atMs: number | undefined): string => age(atMs === undefined ? undefined : nowMs - atMs, unknown);
	return [
		{
			head: 'TOKEN',
			width: 10,
			align: 'left',
			text: key => {
				const {symbol, address} = rows.get(key)!;
				return {text: symbol ?? middleEllipsis(address, 13), tone: key === of?.key ? 'accent' : 'strong'};
			},
		},
		{
			head: 'CHAIN',
			width: 5,
			align: 'left',
			rank: 5,
			text: key => ({text: chainWord(rows.get(key)!.chain_id), tone: 'dim'}),
		},
		{head: 'AGE', width: 4, align: 'right', text: figure(({created_at: atMs}) => since(atMs))},
		{
			head: 'STAGE',
			width: 13,
			align: 'left',
			text: key => {
				const entry = rows.get(key)!;
				return {text: stageText(entry, unknown), tone: entry.bonded === true ? 'bonded' : 'text'};
			},
		},
		{
			head: 'LAST TRADE',
			width: 10,
			align: 'right',
			rank: 6,
			text: key => {
				const entry = rows.get(key)!;
				const traded = since(entry.latest_trade_date);
				return isDead(entry, nowMs) ? {text: `dead ${traded}`, tone: 'bad'} : {text: traded, tone: 'dim'};
			},
		},
		{head: 'MCAP', width: 6, align: 'right', rank: 7, text: figure(entry => compact(entry.market_cap, unknown))},
		{
			head: 'RISK',
			width: RISK_WIDTH,
			align: 'left',
			text: key => riskText(rows.get(key)!, display),
		},
		{
			head: 'ATH',
			width: 6,
			align: 'right',
			rank: 1,
			text: figure(({ath, latest_price: now, market_cap: mcap}) => athText(ath, now, mcap, unknown)),
		},
		{
			head: 'CHG 1h',
			width: 7,
			align: 'right',
			rank: 2,
			text: key => {
				const percent = rows.get(key)!.price_change_1h;
				return {text: change(percent, unknown), tone: changeTone(percent)};
			},
		},
		{head: 'VOL 24h', width: 7, align: 'right', rank: 4, text: figure(entry => compact(entry.volume_24h, unknown))},
		{head: 'HOLDERS', width: 7, align: 'right', rank: 3, text: figure(entry => compact(entry.holders_count, unknown))},
		{
			head: 'COLUMN',
			width: 7,
			align: 'left',
			rank: 0,
			text: key => {
				const view = findEntry(monitor, key)?.view;
				return view === undefined ? {text: '', tone: 'faint'} : {text: view, tone: view};
			},
		},
	];
}

/** The highest market cap, from the highest price: the supply stays the same. */
function athText(ath: number | undefined, now: number | undefined, mcap: number | undefined, unknown: string): string {
	if (ath === undefined || now === undefined || mcap === undefined || now <= 0) return unknown;
	return compact((mcap / now) * ath, unknown);
}

function Empty({state: {of, problem, atMs, isLocal}}: PartProps): ReactNode {
	const [tone, text] =
		of === undefined
			? (['dim', 'The deployer of this token is not reported.'] as const)
			: problem
				? (['bad', `${problem.what}: ${problem.why}. ${problem.advice}`] as const)
				: (['dim', atMs === undefined ? 'Loading' : isLocal ? UNFILTERED : NO_TOKEN] as const);
	return <Paragraph tone={tone} text={text} />;
}

const NO_TOKEN = 'The service has no token of this deployer.';
const UNFILTERED =
	"The service can't be asked for the tokens of a deployer, and its newest rows have none of this one.";

/** `2 bonded`, and of how many that is not reported. */
function countText(all: readonly Entry[], word: string, is: (entry: Entry) => boolean | undefined): string {
	const unknown = all.filter(entry => is(entry) === undefined).length;
	const counted = `${all.filter(entry => is(entry) === true).length} ${word}`;
	return unknown === 0 ? counted : `${counted} (${unknown} not reported)`;
}

/** How many of the tokens bonded, and how many are dead. */
function Counts({
	state: {rows, order, total, of, isLocal},
	monitor,
	nowMs,
}: {
	readonly state: DeveloperState;
	readonly monitor: MonitorState;
	readonly nowMs: number;
}): ReactNode {
	if (of === undefined || order.length === 0) return null;
	const all = order.map(key => rows.get(key)!);
	const bonded = countText(all, 'bonded', entry => entry.bonded);
	const dead = countText(all, 'dead', entry => isDead(entry, nowMs));
	const isPart = total !== undefined && total > all.length;
	const shown = isPart ? `${all.length} of ${total} tokens` : `${all.length} token${all.length === 1 ? '' : 's'}`;
	return (
		<Line>
			<Text tone="text">{` ${shown}${inTimeFollowed(monitor, chainOfKey(of.key))}: ${bonded}, ${dead}`}</Text>
			{isLocal ? (
				<Text tone="warn"> of the newest rows; the service can't filter</Text>
			) : (
				<Text tone="dim"> (no trade for an hour)</Text>
			)}
		</Line>
	);
}
