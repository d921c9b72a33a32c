import {chainWord} from '../../../chains/chain-words.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {FoldedTrade, Holding} from '../../../trading/positions/fold.ts';
import {averageUSD, openPercent, type Position} from '../../../trading/positions/position.ts';
import {positionWords, shortAmount} from '../../../trading/positions/position-words.ts';
import type {TradeUnderWay} from '../../../trading/positions/under-way.ts';
import {dollars, wholeTokens} from '../../../trading/positions/value.ts';
import type {Display} from '../../display.ts';
import {age, change, dateTime, price} from '../../format.ts';
import {RISK_WIDTH, riskText} from '../../risk-word.ts';
import {type CellText, GAP, type TableCell, tableWidth} from '../../screens/table.tsx';
import {changeTone} from '../../theme.ts';
import {moneyText} from './money-text.ts';
import {entryOfToken, type PositionLine} from './positions-lines.ts';
import type {PositionsState} from './positions-state.ts';

/** From how many cells on a note is a sentence. */
const LONG_NOTE = 30;
const NOTE = 'NOTE';
const RISK = 'RISK';

const NOTHING: CellText = {text: '', tone: 'text'};

interface CellOptions {
	readonly display: Pick<Display, 'glyphs' | 'thresholds'>;
	/** Local Unix ms. */
	readonly nowMs: number;
}

/** The cells of the holdings. @param of the line of a key */
export function heldCells(
	of: (key: string) => PositionLine | undefined,
	{
		state,
		monitor,
		display,
		nowMs,
		hasWallets,
	}: CellOptions & {
		readonly state: Pick<PositionsState, 'rows'>;
		readonly monitor: MonitorState;
		readonly hasWallets: boolean;
	},
): readonly TableCell[] {
	const {unknown, subscripts, ellipsis} = display.glyphs;
	const faint: CellText = {text: unknown, tone: 'faint'};
	const figure =
		(text: (position: Position) => CellText | undefined): TableCell['text'] =>
		key => {
			const line = of(key);
			return line?.kind === 'position' ? (text(line.position) ?? faint) : NOTHING;
		};
	const signed = (micro: bigint | undefined): CellText | undefined =>
		micro === undefined ? undefined : {text: moneyText(micro, {isSigned: true}), tone: changeTone(dollars(micro))};
	const wallet = (address: string) => `${address.slice(0, 6)}${ellipsis}${address.slice(-4)}`;
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
				sinceMs === undefined ? undefined : {text: age(nowMs - sinceMs), tone: 'dim'},
			),
		},
		{
			head: RISK,
			width: RISK_WIDTH,
			align: 'left',
			rank: 9,
			text: figure(({holding: {key}}) => {
				const entry = entryOfToken(state, monitor, key);
				return entry && riskText(entry, display);
			}),
		},
		{
			head: NOTE,
			width: 10,
			align: 'left',
			rank: 12,
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

/** Names the oddity of a position in a word or two; the line below the list has the whole sentence. */
function noteOf(position: Position): CellText {
	const {holding, amount, movedRaw = 0n, foreignRaw = 0n, boughtRaw = 0n, price: now} = position;
	const warn = (text: string): CellText => ({text, tone: 'warn'});
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

/** The cells of every trade. @param of the line of a key */
export function tradeCells(
	of: (key: string) => PositionLine | undefined,
	{display: {glyphs}, nowMs}: CellOptions,
): readonly TableCell[] {
	const {unknown, subscripts} = glyphs;
	const faint: CellText = {text: unknown, tone: 'faint'};
	const settled =
		(text: (line: FoldedTrade, holding: Holding) => CellText | undefined): TableCell['text'] =>
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
			text: key => ({text: age(nowMs - (facts(key)?.atMs ?? nowMs)), tone: 'dim'}),
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

/** Where RISK has no room, a bad risk stands before the notes. */
export function withRisks(cells: readonly TableCell[], all: readonly TableCell[]): readonly TableCell[] {
	const risk = all.find(({head}) => head === RISK);
	if (risk === undefined || cells.includes(risk)) return cells;
	const text =
		(note: TableCell['text']): TableCell['text'] =>
		key => {
			const worst = risk.text(key) as CellText;
			return worst.tone === 'bad' ? worst : note(key);
		};
	return cells.map(cell => (cell.head === NOTE ? {...cell, text: text(cell.text)} : cell));
}

/** Where there is room at the right, notes are whole sentences: those that stand below the list for the marked line alone. */
export function withLongNotes(
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
