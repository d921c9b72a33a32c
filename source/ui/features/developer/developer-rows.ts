import {chainWord} from '../../../chains/chain-words.ts';
import type {Entry} from '../../../contract/entry.ts';
import {findEntry} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import type {Row} from '../../../terminal/style.ts';
import {middleEllipsis, truncate} from '../../../text.ts';
import {age, change, compact} from '../../format.ts';
import {paragraph} from '../../money/money-rows.ts';
import {listScreen, type ScreenCanvas, screenTitle} from '../../screens/screen-rows.ts';
import {isDead} from '../../screens/token-list.ts';
import {changeTone, fittingCells, type TableCell, tableHeader, tableLine} from '../../screens/token-table.ts';
import {toned} from '../../view-model.ts';
import {stageText} from '../watchlist/watchlist-rows.ts';
import type {DeveloperState} from './developer-state.ts';

/** The lines of a developer's tokens. */
export function developerRows(state: DeveloperState, monitor: MonitorState, canvas: ScreenCanvas): Row[] {
	const cells = fittingCells(cellsOf(state, monitor, canvas), canvas.width, 28);
	return listScreen(canvas, {
		title: title(state, canvas),
		header: state.order.length === 0 ? [] : tableHeader(cells, canvas),
		keys: state.order,
		marked: state,
		line: at => tableLine(cells, state.order[at]!, canvas),
		empty: emptyRows(state, {...canvas, width: canvas.width - 2}),
		end: endLine(state, monitor, canvas),
	});
}

function title({of, sort, isReversed, problem}: DeveloperState, canvas: ScreenCanvas): Row {
	const order = {age: 'newest', mcap: 'mcap', volume: 'volume 24h', holders: 'holders'};
	const who = of === undefined ? '' : `deployer of ${truncate(of.symbol, 16)}  `;
	const address = of === undefined ? '' : canvas.width >= 120 ? of.deployer : middleEllipsis(of.deployer, 13);
	const left = [
		toned(canvas, 'brand', 'DEVELOPER  '),
		toned(canvas, 'text', who),
		toned(
			canvas,
			'dim',
			`${address}  ${isReversed ? canvas.glyphs.up : canvas.glyphs.down}${canvas.glyphs.subscripts === '' ? ' ' : ''}${order[sort]}`,
		),
	];
	return screenTitle(canvas, left, problem ? [toned(canvas, 'bad', truncate(problem.what, canvas.width >> 1))] : []);
}

function cellsOf({rows, of}: DeveloperState, monitor: MonitorState, canvas: ScreenCanvas): readonly TableCell[] {
	const {unknown} = canvas.glyphs;
	const nowMs = canvas.nowMs + monitor.skewMs;
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
			text: key => {
				const entry = rows.get(key)!;
				const traded = since(entry.latest_trade_date);
				return isDead(entry, nowMs) ? {text: `dead ${traded}`, tone: 'bad'} : {text: traded, tone: 'dim'};
			},
		},
		{head: 'MCAP', width: 6, align: 'right', text: figure(entry => compact(entry.market_cap, unknown))},
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

function emptyRows({of, problem, atMs}: DeveloperState, canvas: ScreenCanvas): Row[] {
	if (of === undefined) return paragraph(canvas, 'dim', 'The deployer of this token is not reported.');
	if (problem) return paragraph(canvas, 'bad', `${problem.what}: ${problem.why}. ${problem.advice}`);
	return paragraph(canvas, 'dim', atMs === undefined ? 'Loading' : 'The service has no token of this deployer.');
}

/** The last line: how many of the tokens bonded, and how many are dead. */
function endLine({rows, total, of}: DeveloperState, monitor: MonitorState, canvas: ScreenCanvas): Row {
	if (of === undefined || rows.size === 0) return [];
	const nowMs = canvas.nowMs + monitor.skewMs;
	const all = [...rows.values()];
	const bonded = all.filter(entry => entry.bonded === true).length;
	const dead = all.filter(entry => isDead(entry, nowMs) === true).length;
	const shown =
		total !== undefined && total > rows.size
			? `${rows.size} of ${total} tokens`
			: `${rows.size} token${rows.size === 1 ? '' : 's'}`;
	return [
		toned(canvas, 'text', ` ${shown}: ${bonded} bonded, ${dead} dead`),
		toned(canvas, 'dim', ' (no trade for an hour)'),
	];
}
