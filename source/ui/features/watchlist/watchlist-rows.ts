import {chainWord} from '../../../chains/chain-words.ts';
import {addressOfKey, chainOfKey, type Entry} from '../../../contract/entry.ts';
import {findEntry} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {changeSincePin, type Pin} from '../../../monitor/tokens/pins.ts';
import type {Row} from '../../../terminal/style.ts';
import {middleEllipsis, truncate} from '../../../text.ts';
import {age, averageMark, change, compact, price, share} from '../../format.ts';
import {paragraph} from '../../money/money-rows.ts';
import {tabsTitle} from '../../screens/own-tabs.ts';
import {listScreen, type ScreenCanvas, screenTitle} from '../../screens/screen-rows.ts';
import {changeTone, fittingCells, type TableCell, tableHeader, tableLine} from '../../screens/token-table.ts';
import {toned} from '../../view-model.ts';
import {type WatchlistState, watchedEntry} from './watchlist-state.ts';

/** The lines of the watch list: every pinned token, with its price now and since it was pinned. */
export function watchlistRows(state: WatchlistState, monitor: MonitorState, canvas: ScreenCanvas): Row[] {
	const cells = fittingCells(cellsOf(state, monitor, canvas), canvas.width, 24);
	return listScreen(canvas, {
		title: title(state, monitor, canvas),
		header: state.order.length === 0 ? [] : tableHeader(cells, canvas),
		keys: state.order,
		marked: state,
		line: at => tableLine(cells, state.order[at]!, canvas),
		empty: paragraph(
			{...canvas, width: canvas.width - 2},
			'dim',
			canvas.named(
				'Nothing is pinned. In the columns {token.pin} pins the token under the cursor; its price at that time is kept.',
			),
		),
		end: endLine(state, monitor, canvas),
	});
}

function title({sort, isReversed, problem}: WatchlistState, monitor: MonitorState, canvas: ScreenCanvas): Row {
	const order = {
		pinned: 'newest pin',
		change: 'change since pinned',
		mcap: 'mcap',
		age: 'newest token',
		symbol: 'symbol',
	};
	const left = [
		...tabsTitle(canvas, monitor, 'watchlist'),
		toned(canvas, 'text', `  ${monitor.pins.size} pinned`),
		toned(
			canvas,
			'dim',
			`  ${isReversed ? canvas.glyphs.up : canvas.glyphs.down}${canvas.glyphs.subscripts === '' ? ' ' : ''}${order[sort]}`,
		),
	];
	return screenTitle(canvas, left, problem ? [toned(canvas, 'bad', truncate(problem.what, canvas.width >> 1))] : []);
}

function cellsOf(state: WatchlistState, monitor: MonitorState, canvas: ScreenCanvas): readonly TableCell[] {
	const {glyphs} = canvas;
	const {unknown} = glyphs;
	const entryOf = (key: string): Entry | undefined => watchedEntry(state, monitor, key);
	const pinOf = (key: string): Pin | undefined => monitor.pins.get(key);
	const nowMs = canvas.nowMs + monitor.skewMs;
	const money = (value: number | undefined) => price(value, {unknown, subscripts: glyphs.subscripts});
	const figure = (of: (entry: Entry) => string): TableCell['text'] => {
		return key => {
			const entry = entryOf(key);
			return entry ? {text: of(entry), tone: 'text'} : {text: unknown, tone: 'faint'};
		};
	};
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
				return {text: atMs === undefined ? unknown : `${age(canvas.nowMs - atMs)} ago`, tone: 'dim'};
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

function endLine(state: WatchlistState, monitor: MonitorState, canvas: ScreenCanvas): Row {
	const missing = state.atMs === undefined ? 0 : state.order.filter(key => !watchedEntry(state, monitor, key)).length;
	if (missing === 0) return [];
	return [toned(canvas, 'dim', ` The service does not report ${missing} of them now.`)];
}
