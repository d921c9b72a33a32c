import {chainTitle, chainWord} from '../../../chains/chain-words.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {Row, Span} from '../../../terminal/style.ts';
import {truncate} from '../../../text.ts';
import type {FoldedTrade, Holding} from '../../../trading/positions/fold.ts';
import {type Holdings, positionsOf} from '../../../trading/positions/open-positions.ts';
import {
	averageUSD,
	isHeld,
	openPercent,
	type Position,
	type PositionSums,
	sumsOf,
} from '../../../trading/positions/position.ts';
import {positionWords, shortAmount} from '../../../trading/positions/position-words.ts';
import type {TradeUnderWay} from '../../../trading/positions/under-way.ts';
import {dollars, wholeTokens} from '../../../trading/positions/value.ts';
import {age, change, dateTime, price} from '../../format.ts';
import {paragraph} from '../../money/money-rows.ts';
import {tabsTitle} from '../../screens/own-tabs.ts';
import {listScreen, type ScreenCanvas, screenTitle} from '../../screens/screen-rows.ts';
import {markedKey} from '../../screens/token-list.ts';
import {
	changeTone,
	fittingCells,
	GAP,
	type TableCell,
	tableHeader,
	tableLine,
	tableWidth,
} from '../../screens/token-table.ts';
import type {Tone} from '../../theme.ts';
import {toned} from '../../view-model.ts';
import {moneyText} from './money-text.ts';
import {linesOf, type PositionLine, positionsNow} from './positions-lines.ts';
import {FOLDS, type Fold, type PositionsState} from './positions-state.ts';

/** Lines below the list: what is unusual about the marked one, and the sums. */
export const FOOT_ROWS = 2;

const SORT_WORDS = {value: 'value', open: 'open profit', since: 'newest', symbol: 'symbol'} as const;

/** Cells for a symbol, and from how many on a note is a sentence. */
const MOST_OF_NAME = 16;
const LONG_NOTE = 30;
const NOTE = 'NOTE';

type Text = ReturnType<TableCell['text']>;
const NOTHING: Text = {text: '', tone: 'text'};

/** The lines of the screen: what is held, or every trade, with its sums. */
export function positionsRows(state: PositionsState, monitor: MonitorState, canvas: ScreenCanvas): Row[] {
	// A line whose place changes with its price stays what it is until the list is ordered again.
	const lines = linesOf({...state, unfolded: new Set(FOLDS)}, monitor);
	const of = (key: string): PositionLine | undefined => lines.get(key);
	const hasWallets = new Set(state.read?.holdings.map(({wallet}) => wallet)).size > 1;
	const all = state.list === 'held' ? heldCells(of, monitor, canvas, hasWallets) : tradeCells(of, canvas);
	const cells = withLongNotes(fittingCells(all, canvas.width, MOST_OF_NAME), of, canvas.width);
	const rows = listScreen(
		{...canvas, height: canvas.height - FOOT_ROWS},
		{
			title: title(state, monitor, canvas),
			header: state.order.length === 0 ? [] : tableHeader(cells, canvas),
			keys: state.order,
			marked: state,
			line(at) {
				const line = of(state.order[at]!);
				if (line?.kind === 'fold') return foldLine(line.fold, line.positions, state, canvas);
				return line ? tableLine(cells, state.order[at]!, canvas) : [];
			},
			empty: emptyRows(state, canvas),
			end: [],
		},
	);
	const marked = of(markedKey(state) ?? '');
	const foot = state.order.length === 0 ? [[], []] : [remark(marked, canvas), sums(state, monitor, canvas)];
	return [...rows.slice(0, -1), ...foot, rows.at(-1)!];
}

function title(state: PositionsState, monitor: MonitorState, canvas: ScreenCanvas): Row {
	const {glyphs} = canvas;
	const {list, sort, isReversed, read, readAtMs, isReading, atMs, unread, problem} = state;
	const arrow = `${isReversed ? glyphs.up : glyphs.down}${glyphs.subscripts === '' ? ' ' : ''}`;
	const left = [
		...tabsTitle(canvas, monitor, list),
		...(list === 'held' && read
			? [toned(canvas, 'text', `  ${heldCount(read)} held`), toned(canvas, 'dim', `  ${arrow}${SORT_WORDS[sort]}`)]
			: []),
		...(list === 'trades' && read
			? [toned(canvas, 'text', `  ${read.holdings.reduce((count, {trades}) => count + trades.length, 0)} settled`)]
			: []),
	];
	const failed = unread ?? problem;
	if (failed) return screenTitle(canvas, left, [toned(canvas, 'bad', truncate(failed.what, canvas.width >> 1))]);
	const ages = [
		...(isReading ? ['reading'] : []),
		...(readAtMs === undefined ? [] : [`amounts ${age(canvas.nowMs - readAtMs)}`]),
		...(atMs === undefined ? [] : [`prices ${age(canvas.nowMs - atMs)}`]),
	];
	return screenTitle(canvas, left, [toned(canvas, 'dim', list === 'held' ? ages.join('  ') : '')]);
}

/** Where there is room at the right, notes are whole sentences: those that stand below the list for the marked line alone. */
function withLongNotes(
	cells: readonly TableCell[],
	of: (key: string) => PositionLine | undefined,
	width: number,
): readonly TableCell[] {
	const last = cells.at(-1);
	const room = width - tableWidth(cells.slice(0, -1)) - GAP;
	if (last?.head !== NOTE || room < LONG_NOTE) return cells;
	const text: TableCell['text'] = key => {
		const short = last.text(key);
		const line = of(key);
		const words = line?.kind === 'position' ? positionWords(line.position).join('; ') : '';
		return words === '' ? short : {text: words, tone: 'warn'};
	};
	return [...cells.slice(0, -1), {...last, width: room, text}];
}

function heldCount(read: Holdings): number {
	return positionsOf(read, () => undefined).filter(isHeld).length;
}

function emptyRows({read, unread}: PositionsState, canvas: ScreenCanvas): readonly Row[] {
	const at = {...canvas, width: canvas.width - 2};
	if (unread) return paragraph(at, 'bad', `${unread.what}: ${unread.why}. ${unread.advice}`);
	return paragraph(
		at,
		'dim',
		read === undefined
			? 'Reading the journal and the chains'
			: 'Nothing was bought or sold here yet. What is bought here stands here with its cost; sells say what they brought.',
	);
}

/** The words beside a name: at most one mark, the rest is in the note. */
function heldCells(
	of: (key: string) => PositionLine | undefined,
	monitor: MonitorState,
	canvas: ScreenCanvas,
	hasWallets: boolean,
): readonly TableCell[] {
	const {glyphs} = canvas;
	const {unknown, subscripts} = glyphs;
	const faint: Text = {text: unknown, tone: 'faint'};
	const figure =
		(text: (position: Position) => Text | undefined): TableCell['text'] =>
		key => {
			const line = of(key);
			return line?.kind === 'position' ? (text(line.position) ?? faint) : NOTHING;
		};
	const signed = (micro: bigint | undefined): Text | undefined =>
		micro === undefined ? undefined : {text: moneyText(micro, {isSigned: true}), tone: changeTone(dollars(micro))};
	const wallet = (address: string) => `${address.slice(0, 6)}${glyphs.ellipsis}${address.slice(-4)}`;
	const identity = (key: string): {chainId: string; wallet: string; symbol: string} | undefined => {
		const line = of(key);
		return line?.kind === 'position' ? line.position.holding : line?.kind === 'underWay' ? line.trade : undefined;
	};
	return [
		{
			head: 'TOKEN',
			width: 10,
			align: 'left',
			text: key => ({text: identity(key)?.symbol ?? '', tone: of(key)?.kind === 'position' ? 'strong' : 'dim'}),
		},
		{
			head: 'CHAIN',
			width: 5,
			align: 'left',
			rank: 5,
			text: key => ({text: chainWord(identity(key)?.chainId ?? ''), tone: 'dim'}),
		},
		...(hasWallets
			? [
					{
						head: 'WALLET',
						width: 11,
						align: 'left',
						rank: 2,
						text: key => ({text: wallet(identity(key)?.wallet ?? ''), tone: 'dim'}),
					} as const satisfies TableCell,
				]
			: []),
		{
			head: 'AMOUNT',
			width: 7,
			align: 'right',
			text: figure(({amount, holding: {decimals}}) =>
				amount.kind === 'read' ? {text: shortAmount(amount.raw, decimals), tone: 'text'} : undefined,
			),
		},
		{
			head: 'AVG COST',
			width: 10,
			align: 'right',
			rank: 10,
			text: figure(position => {
				const average = averageUSD(position);
				return average === undefined ? undefined : {text: price(average, {unknown, subscripts}), tone: 'dim'};
			}),
		},
		{
			head: 'NOW',
			width: 10,
			align: 'right',
			rank: 11,
			text: figure(({price: now}) => (now ? {text: price(now.usd, {unknown, subscripts}), tone: 'text'} : undefined)),
		},
		{
			head: 'VALUE',
			width: 9,
			align: 'right',
			text: figure(({valueMicro: value}) =>
				value === undefined ? undefined : {text: moneyText(value), tone: 'strong'},
			),
		},
		{head: 'OPEN', width: 10, align: 'right', rank: 8, text: figure(({openMicro}) => signed(openMicro))},
		{
			head: 'OPEN %',
			width: 7,
			align: 'right',
			text: figure(position => {
				const percent = openPercent(position);
				return percent === undefined ? undefined : {text: change(percent, unknown), tone: changeTone(percent)};
			}),
		},
		{
			head: 'REALISED',
			width: 10,
			align: 'right',
			rank: 7,
			text: figure(({holding: {realisedMicro, trades}}) =>
				trades.some(({trade}) => trade.side === 'sell') ? signed(realisedMicro) : NOTHING,
			),
		},
		{
			head: 'SINCE',
			width: 5,
			align: 'right',
			rank: 4,
			text: figure(({holding: {sinceMs}}) =>
				sinceMs === undefined ? undefined : {text: age(canvas.nowMs - sinceMs), tone: 'dim'},
			),
		},
		{
			head: NOTE,
			width: 10,
			align: 'left',
			rank: 9,
			text: key => {
				const line = of(key);
				if (line?.kind === 'underWay') return {text: underWayWord(line.trade), tone: 'warn'};
				if (line?.kind !== 'position') return NOTHING;
				const {key: token, wallet: owner} = line.position.holding;
				const moving = monitor.holdings?.get(token)?.isUnderWay === true && owner !== '';
				return moving ? {text: 'under way', tone: 'warn'} : noteOf(line.position);
			},
		},
	];
}

/** What is unusual about a position in a word or two; the line below the list has all of it. */
function noteOf(position: Position): Text {
	const {holding, amount, movedRaw = 0n, foreignRaw = 0n, boughtRaw = 0n, price: now} = position;
	const warn = (text: string): Text => ({text, tone: 'warn'});
	if (amount.kind === 'unread') return warn('not read');
	if (holding.goneRaw > 0n) return warn('reset');
	if (movedRaw > 0n) return warn(boughtRaw === 0n ? 'moved away' : 'part moved');
	if (foreignRaw > 0n) return warn(boughtRaw === 0n ? 'not bought' : 'part given');
	if (amount.raw > 0n && now === undefined) return warn('no price');
	return NOTHING;
}

function underWayWord({side, state}: TradeUnderWay): string {
	if (state === 'unseen') return 'not seen';
	return side === 'buy' ? 'buying' : 'selling';
}

const FOLD_WORDS: Readonly<Record<Fold, (count: number) => string>> = {
	small: count => (count === 1 ? 'small one' : 'small ones'),
	gone: () => 'gone with a practice chain that was reset',
	sold: () => 'sold whole',
};

/** `3 small ones, $0.41`: they are folded, and in the sums all the same. */
function foldLine(fold: Fold, positions: readonly Position[], {unfolded}: PositionsState, canvas: ScreenCanvas): Row {
	const {valueMicro, realisedMicro} = sumsOf(positions);
	const figure =
		fold === 'small'
			? `, ${moneyText(valueMicro)}`
			: fold === 'sold'
				? `, realised ${moneyText(realisedMicro, {isSigned: true})}`
				: '';
	const words = `${positions.length} ${FOLD_WORDS[fold](positions.length)}${figure}`;
	const act = canvas.named(unfolded.has(fold) ? '  {board.accept} folds them' : '  {board.accept} shows them');
	return [{text: '  '}, toned(canvas, 'dim', words), toned(canvas, 'faint', act)];
}

function tradeCells(of: (key: string) => PositionLine | undefined, canvas: ScreenCanvas): readonly TableCell[] {
	const {glyphs} = canvas;
	const {unknown, subscripts} = glyphs;
	const faint: Text = {text: unknown, tone: 'faint'};
	const settled =
		(text: (line: FoldedTrade, holding: Holding) => Text | undefined): TableCell['text'] =>
		key => {
			const line = of(key);
			return line?.kind === 'trade' ? (text(line.line, line.holding) ?? faint) : faint;
		};
	const facts = (key: string): {symbol: string; side: string; chainId: string; atMs: number} | undefined => {
		const line = of(key);
		if (line?.kind === 'underWay') return {...line.trade, atMs: line.trade.sinceMs};
		return line?.kind === 'trade' ? line.line.trade : undefined;
	};
	return [
		{head: 'TOKEN', width: 10, align: 'left', text: key => ({text: facts(key)?.symbol ?? '', tone: 'strong'})},
		{
			head: 'CHAIN',
			width: 5,
			align: 'left',
			rank: 3,
			text: key => ({text: chainWord(facts(key)?.chainId ?? ''), tone: 'dim'}),
		},
		{
			head: '',
			width: 4,
			align: 'left',
			text: key => {
				const side = facts(key)?.side ?? '';
				return {text: side, tone: side === 'buy' ? 'accent' : 'text'};
			},
		},
		{
			head: 'WHEN',
			width: 4,
			align: 'right',
			rank: 9,
			text: key => ({text: age(canvas.nowMs - (facts(key)?.atMs ?? canvas.nowMs)), tone: 'dim'}),
		},
		{
			head: 'DATE',
			width: 19,
			align: 'left',
			rank: 1,
			text: key => ({text: dateTime(facts(key)?.atMs), tone: 'dim'}),
		},
		{
			head: 'AMOUNT',
			width: 8,
			align: 'right',
			text: settled(({trade}) => ({text: shortAmount(trade.tokenRaw, trade.decimals), tone: 'text'})),
		},
		{
			head: 'PRICE',
			width: 10,
			align: 'right',
			rank: 6,
			text: settled(({trade: {usdMicro, tokenRaw, decimals}}) =>
				tokenRaw === 0n
					? undefined
					: {text: price(dollars(usdMicro) / wholeTokens(tokenRaw, decimals), {unknown, subscripts}), tone: 'dim'},
			),
		},
		{
			head: 'PAID/GOT',
			width: 10,
			align: 'right',
			text: settled(({trade: {usdMicro, side}}) => ({
				text: moneyText(side === 'buy' ? -usdMicro : usdMicro, {isSigned: true}),
				tone: 'text',
			})),
		},
		{
			head: 'FEES',
			width: 7,
			align: 'right',
			rank: 8,
			text: settled(({trade: {feeMicro}}) =>
				feeMicro === undefined ? undefined : {text: moneyText(feeMicro), tone: 'dim'},
			),
		},
		{
			head: 'PROFIT',
			width: 10,
			align: 'right',
			text: settled(({realisedMicro, trade: {side}}) =>
				realisedMicro === undefined
					? side === 'buy'
						? NOTHING
						: undefined
					: {text: moneyText(realisedMicro, {isSigned: true}), tone: changeTone(dollars(realisedMicro))},
			),
		},
		{
			head: NOTE,
			width: 12,
			align: 'left',
			rank: 7,
			text: key => {
				const line = of(key);
				if (line?.kind === 'underWay')
					return {text: line.trade.state === 'unseen' ? 'not seen' : 'under way', tone: 'warn'};
				if (line?.kind !== 'trade') return NOTHING;
				const {trade, withoutCostMicro, isGone} = line.line;
				const words = isGone
					? 'reset'
					: trade.end === 'returned'
						? 'came back'
						: withoutCostMicro !== undefined
							? 'without cost'
							: '';
				return {text: words, tone: 'warn'};
			},
		},
	];
}

/** All that is unusual about the marked line, in words; else where its token is. */
function remark(line: PositionLine | undefined, canvas: ScreenCanvas): Row {
	const [tone, text] = remarkOf(line);
	return text === '' ? [] : [toned(canvas, tone, ` ${truncate(text, canvas.width - 2)}`)];
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
function sums(state: PositionsState, monitor: MonitorState, canvas: ScreenCanvas): Row {
	const all = sumsOf(positionsNow(state, monitor));
	return [{text: ' '}, ...sumSpans(all, canvas)];
}

function sumSpans(
	{valueMicro, costMicro, openMicro, realisedMicro, withoutCostMicro, feeMicro, unvalued}: PositionSums,
	canvas: ScreenCanvas,
): Span[] {
	const label = (text: string): Span => toned(canvas, 'dim', text);
	const signed = (micro: bigint): Span => toned(canvas, changeTone(dollars(micro)), moneyText(micro, {isSigned: true}));
	const percent = openPercent({openMicro, costMicro});
	const spans = [
		label('value '),
		toned(canvas, 'strong', moneyText(valueMicro)),
		label('  open '),
		signed(openMicro),
		...(percent === undefined ? [] : [toned(canvas, changeTone(percent), ` ${change(percent)}`)]),
		label('  realised '),
		signed(realisedMicro),
	];
	if (unvalued > 0) spans.push(toned(canvas, 'warn', `  ${unvalued} without a value`));
	if (withoutCostMicro > 0n) spans.push(label('  without cost '), toned(canvas, 'text', moneyText(withoutCostMicro)));
	spans.push(label('  cost '), toned(canvas, 'text', moneyText(costMicro)));
	spans.push(label('  fees '), toned(canvas, 'text', moneyText(feeMicro)));
	return spans;
}
