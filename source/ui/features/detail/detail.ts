import {worstClause} from '../../../monitor/requests/empty-clauses.ts';
import {focused} from '../../../monitor/select.ts';
import {type ChartChoice, topMode} from '../../../monitor/state.ts';
import {tokenInPaste} from '../../../monitor/tokens/pasted-token.ts';
import {chartAfter} from '../../../monitor/transitions/screen.ts';
import {middleEllipsis} from '../../../text.ts';
import {type Context, feature} from '../../feature.ts';
import {createMouse} from '../list/mouse.ts';
import {createLookUp} from '../token/look-up.ts';
import {TOKEN_ARGUMENT} from '../token/token-argument.ts';

const LIST = ['list'] as const;

function createDetailActions(context: Context) {
	const {store, monitor, screen, runBinding} = context;
	const withToken = createLookUp(context);
	return {
		/** Opens the token under the cursor; in a column left empty by its filter, drops the clause that is named there. */
		open: () => {
			if (worstClause(focused(store.get())) === undefined) monitor.openDetail();
			else runBinding('filter.drop');
		},
		close: monitor.closeDetail,
		/** @param token an address, and its chain where it is needed */
		openFor: (token: string) => withToken(token, monitor.openDetailOf),
		scroll: (pages: number) => {
			const {max, page} = screen.detail();
			monitor.scrollDetail(pages * Math.max(page - 2, 1), max);
		},
		nextTimeFrame: monitor.nextTimeFrame,
		nextChart: monitor.nextChart,
		toggleChartScale: monitor.toggleChartScale,
		/** Opens a token that is pasted into the columns. @returns whether the text was one */
		paste: (pasted: string): boolean => {
			const {kind} = topMode(store.get());
			const token = kind === 'list' || kind === 'detail' ? tokenInPaste(pasted) : undefined;
			if (token === undefined) return false;
			monitor.notify(`Looking up ${middleEllipsis(token.split(' ')[0]!, 13)}.`);
			withToken(token, monitor.openDetailOf);
			return true;
		},
		mouse: createMouse(context),
	};
}

/** Everything about one token, in a pane. */
export const detail = feature({
	name: 'detail',
	actions: createDetailActions,
	modes: {detail: {help: 'detail', takesCount: true, mouse: (event, a) => a.mouse(event)}},
	help: {detail: {title: 'WITH A TOKEN OPEN (besides the keys of the columns)', rank: 20}},
	commands: [
		{
			word: 'go',
			usage: 'go ADDRESS [CHAIN]',
			help: 'Open everything about any token.',
			...TOKEN_ARGUMENT,
			run: (token, a) => a.openFor(token),
		},
	],
	paste: (text, a) => a.paste(text),
	bindings: [
		{
			id: 'detail.open',
			keys: ['enter'],
			modes: LIST,
			group: 'Token',
			label: 'open',
			title: 'Open token',
			labelNow: s => (worstClause(focused(s)) === undefined ? undefined : 'drop clause'),
			help: 'Show everything about the token: figures, wallet labels, price line. In a column left empty by its filter: drop the clause that removes most tokens.',
			hint: 5,
			run: a => a.open(),
		},
		{
			id: 'detail.close',
			keys: ['esc', 'enter', 'q'],
			modes: ['detail'],
			isExit: true,
			group: 'Token',
			label: 'close',
			title: 'Close token',
			help: 'Close the detail pane.',
			hint: 5,
			run: a => a.close(),
		},
		{
			id: 'detail.down',
			keys: ['pgdn', 'space', 'ctrl+d', 'J'],
			modes: ['detail'],
			group: 'Token',
			label: 'scroll',
			title: 'Scroll token down',
			help: 'Scroll the detail pane down.',
			hint: 12,
			run: a => a.scroll(1),
		},
		{
			id: 'detail.up',
			keys: ['pgup', 'ctrl+u', 'K'],
			modes: ['detail'],
			group: 'Token',
			label: 'scroll up',
			title: 'Scroll token up',
			help: 'Scroll the detail pane up.',
			run: a => a.scroll(-1),
		},
		{
			id: 'detail.time',
			keys: ['t'],
			modes: ['detail'],
			group: 'Token',
			label: 'timeframe',
			title: 'Chart timeframe',
			help: 'Next timeframe of the price line (1h, 6h, 24h, 7d), or length of a candle (1s, 5s, 1m, 5m).',
			hint: 24,
			run: a => a.nextTimeFrame(1),
		},
		{
			id: 'detail.candles',
			keys: ['i'],
			modes: ['detail'],
			group: 'Token',
			label: 'chart',
			title: 'Chart: next kind',
			labelNow: s => (s.detail ? chartName(chartAfter(s.detail.chart)) : undefined),
			help: 'The price as a line, the market cap, and the price as candles with volume, in turn. Candles are built from live updates of opened and pinned tokens.',
			hint: 25,
			run: a => a.nextChart(),
		},
		{
			id: 'detail.scale',
			keys: [],
			modes: ['detail'],
			group: 'Token',
			label: 'market cap',
			title: 'Chart price or mcap',
			labelNow: s => (s.detail?.chart.scale === 'mcap' ? 'price' : undefined),
			help: 'Chart of the price or of the market cap.',
			hint: 26,
			run: a => a.toggleChartScale(),
		},
	],
});

/** Name of a chart, for the hint of the key that leads to it. */
function chartName({kind, scale}: ChartChoice): string {
	return kind === 'candles' ? 'candles' : scale === 'mcap' ? 'market cap' : 'line';
}
