import type {ReactNode} from 'react';
import {chainTitle} from '../../../chains/chain-words.ts';
import {truncate} from '../../../text.ts';
import {type Holdings, positionsOf} from '../../../trading/positions/open-positions.ts';
import {isHeld, openPercent, type Position, type PositionSums, sumsOf} from '../../../trading/positions/position.ts';
import {positionWords} from '../../../trading/positions/position-words.ts';
import {dollars} from '../../../trading/positions/value.ts';
import {age, change} from '../../format.ts';
import {Line, Text, useDisplay, useWidth} from '../../live/lines.tsx';
import {Paragraph} from '../../live/paragraph.tsx';
import {markedKey} from '../../screens/list-lines.ts';
import {EndLine, ListPage, PageTitle} from '../../screens/page.tsx';
import type {PageProps} from '../../screens/screen-feature.ts';
import {fittingCells, sortMark, TableCells, TableHeadings} from '../../screens/table.tsx';
import {Tabs} from '../../screens/tabs.tsx';
import {changeTone, type Tone} from '../../theme.ts';
import {moneyText} from './money-text.ts';
import {heldCells, tradeCells, withLongNotes, withRisks} from './positions-cells.ts';
import {linesOf, type PositionLine, positionsNow} from './positions-lines.ts';
import {FOLDS, FOOT_ROWS, type Fold, type PositionsState} from './positions-state.ts';

/** Cells for a symbol. */
const MAX_NAME = 16;
const SORT_WORDS = {value: 'value', open: 'open profit', since: 'newest', symbol: 'symbol'} as const;

type PositionsPageProps = PageProps<PositionsState>;

/** The tokens held, or every trade, with the sums. */
export function PositionsPage({state, monitor, frame}: PositionsPageProps): ReactNode {
	const width = useWidth();
	const {nowMs} = frame;
	const display = useDisplay();
	// A line keeps its place while its price moves, until the list is ordered again.
	const lines = linesOf({...state, unfolded: new Set(FOLDS)}, monitor);
	const of = (key: string): PositionLine | undefined => lines.get(key);
	const hasWallets = new Set(state.read?.holdings.map(({wallet}) => wallet)).size > 1;
	const all =
		state.list === 'held'
			? heldCells(of, {state, monitor, display, nowMs, hasWallets})
			: tradeCells(of, {display, nowMs});
	const cells = withLongNotes(withRisks(fittingCells(all, width, MAX_NAME), all), of, width);
	const isEmpty = state.order.length === 0;
	return (
		<ListPage
			frame={frame}
			title={<Title state={state} monitor={monitor} frame={frame} />}
			headings={!isEmpty && <TableHeadings cells={cells} />}
			keys={state.order}
			marked={state}
			line={key => {
				const line = of(key);
				if (line?.kind !== 'fold') return line && <TableCells cells={cells} of={key} />;
				const act = state.unfolded.has(line.fold) ? '  {menu.accept} folds them' : '  {menu.accept} shows them';
				return <FoldedPositions {...line} act={frame.named(act)} />;
			}}
			empty={<Empty state={state} />}
			end={
				!isEmpty && (
					<>
						<Remark line={of(markedKey(state) ?? '')} />
						<Sums {...sumsOf(positionsNow(state, monitor))} />
					</>
				)
			}
			endRows={1 + FOOT_ROWS}
		/>
	);
}

function Title({state, monitor, frame: {nowMs}}: PositionsPageProps): ReactNode {
	const width = useWidth();
	const {glyphs} = useDisplay();
	const {list, sort, isReversed, read, readAtMs, isReading, atMs, unread, problem} = state;
	const failed = unread ?? problem;
	const ages = [
		...(isReading ? ['reading'] : []),
		...(readAtMs === undefined ? [] : [`amounts ${age(nowMs - readAtMs)}`]),
		...(atMs === undefined ? [] : [`prices ${age(nowMs - atMs)}`]),
	];
	const notes = failed ? (
		<Text tone="bad">{truncate(failed.what, width >> 1)}</Text>
	) : (
		<Text tone="dim">{list === 'held' && ages.join('  ')}</Text>
	);
	return (
		<PageTitle notes={notes}>
			<Tabs monitor={monitor} shown={list} />
			{list === 'held' && read && (
				<>
					<Text tone="text">{`  ${heldCount(read)} held`}</Text>
					<Text tone="dim">{`  ${sortMark(glyphs, isReversed)}${SORT_WORDS[sort]}`}</Text>
				</>
			)}
			{list === 'trades' && read && <Text tone="text">{`  ${tradeCount(read)} settled`}</Text>}
		</PageTitle>
	);
}

function heldCount(read: Holdings): number {
	return positionsOf(read, () => undefined).filter(isHeld).length;
}

function tradeCount({holdings}: Holdings): number {
	return holdings.reduce((count, {trades}) => count + trades.length, 0);
}

function Empty({state: {read, unread}}: {readonly state: PositionsState}): ReactNode {
	if (unread) return <Paragraph tone="bad" text={`${unread.what}: ${unread.why}. ${unread.advice}`} />;
	const text =
		read === undefined
			? 'Reading the journal and the chains'
			: 'Nothing was bought or sold here yet. What is bought here stands here with its cost; sells say what they brought.';
	return <Paragraph tone="dim" text={text} />;
}

const FOLD_WORDS: Readonly<Record<Fold, (count: number) => string>> = {
	small: count => (count === 1 ? 'small one' : 'small ones'),
	gone: () => 'gone with a practice chain that was reset',
	sold: () => 'sold whole',
};

/** `3 small ones, $0.41`: they are folded, and in the sums all the same. */
function FoldedPositions({
	fold,
	positions,
	act,
}: {
	readonly fold: Fold;
	readonly positions: readonly Position[];
	/** The effect of the key. */
	readonly act: string;
}): ReactNode {
	const {valueMicro, realisedMicro} = sumsOf(positions);
	const figure =
		fold === 'small'
			? `, ${moneyText(valueMicro)}`
			: fold === 'sold'
				? `, realised ${moneyText(realisedMicro, {isSigned: true})}`
				: '';
	return (
		<>
			{'  '}
			<Text tone="dim">{`${positions.length} ${FOLD_WORDS[fold](positions.length)}${figure}`}</Text>
			<Text tone="faint">{act}</Text>
		</>
	);
}

/** All that is unusual about the marked line, in words; else where its token is. */
function Remark({line}: {readonly line: PositionLine | undefined}): ReactNode {
	const [tone, text] = remarkOf(line);
	return <EndLine tone={tone}>{text}</EndLine>;
}

function remarkOf(line: PositionLine | undefined): readonly [Tone, string] {
	if (line === undefined || line.kind === 'fold') return ['dim', ''];
	if (line.kind === 'underWay') {
		const {side, symbol, state, chainId} = line.trade;
		const what = `${side === 'buy' ? 'Buying' : 'Selling'} ${symbol} on ${placeOf(chainId)}`;
		return [
			'warn',
			state === 'unseen'
				? `${what}: done, says the service, but no chain has shown it. It is not counted.`
				: `${what}: sent, and not ended yet. It is not counted.`,
		];
	}
	if (line.kind === 'trade') {
		const {trade, withoutCostMicro, isGone} = line.line;
		if (isGone) return ['warn', 'It was on a practice chain that was reset since.'];
		if (trade.end === 'returned')
			return [
				'warn',
				`Sold, but the dollars could not be paid on the other chain: they came back on ${placeOf(trade.chainId)}.`,
			];
		if (withoutCostMicro !== undefined)
			return [
				'warn',
				`${moneyText(withoutCostMicro)} of it is for tokens that were not bought here: they have no cost.`,
			];
		return ['dim', `${trade.token} on ${placeOf(trade.chainId)}`];
	}
	const {holding} = line.position;
	const words = positionWords(line.position);
	if (words.length === 0) return ['dim', `${holding.symbol}  ${holding.token} on ${placeOf(holding.chainId)}`];
	return ['warn', `${holding.symbol}: ${words.join('; ')}.`];
}

function placeOf(chainId: string): string {
	return chainTitle(chainId) ?? chainId;
}

/** Sums over everything, folded lines too; what has no value is left out and counted. */
function Sums({
	valueMicro,
	costMicro,
	openMicro,
	realisedMicro,
	withoutCostMicro,
	feeMicro,
	unvalued,
}: PositionSums): ReactNode {
	const percent = openPercent({openMicro, costMicro});
	return (
		<Line>
			{' '}
			<Text tone="dim">{'value '}</Text>
			<Text tone="strong">{moneyText(valueMicro)}</Text>
			<Text tone="dim">{'  open '}</Text>
			<Profit micro={openMicro} />
			{percent !== undefined && <Text tone={changeTone(percent)}> {change(percent)}</Text>}
			<Text tone="dim">{'  realised '}</Text>
			<Profit micro={realisedMicro} />
			{unvalued > 0 && <Text tone="warn">{`  ${unvalued} without a value`}</Text>}
			{withoutCostMicro > 0n && <Sum name="without cost" micro={withoutCostMicro} />}
			<Sum name="cost" micro={costMicro} />
			<Sum name="fees" micro={feeMicro} />
		</Line>
	);
}

function Profit({micro}: {readonly micro: bigint}): ReactNode {
	return <Text tone={changeTone(dollars(micro))}>{moneyText(micro, {isSigned: true})}</Text>;
}

function Sum({name, micro}: {readonly name: string; readonly micro: bigint}): ReactNode {
	return (
		<>
			<Text tone="dim">{`  ${name} `}</Text>
			<Text tone="text">{moneyText(micro)}</Text>
		</>
	);
}
