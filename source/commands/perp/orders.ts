import {chainName} from '../../chains/chains.ts';
import type {Config} from '../../config/config.ts';
import {clean} from '../../text.ts';
import {describeCancel} from '../../trading/perp/describe-state.ts';
import {type CancelTarget, EXIT_NAMES, sideOf, unreadText} from '../../trading/perp/orders.ts';
import {compact} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {type ChosenWallet, chooseWallet, type TradingContext, withTrading} from '../trading/context.ts';
import {whoActs} from '../trading/output.ts';

/**
 * `pulsetop perp orders`: prints the orders that a wallet can cancel. Reads open cancels of earlier runs, and never sends one again.
 * @returns the exit code
 */
export async function perpOrders({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	return withTrading(config, async context => {
		const wallet = await chooseWallet(context, config, flags);
		return showOrders(context, {config, flags, wallet});
	});
}

/** Prints the orders that a wallet can cancel, and open cancels. @returns the exit code */
export async function showOrders(
	context: TradingContext,
	{config, flags, wallet}: {config: Config; flags: Flags; wallet: ChosenWallet},
): Promise<number> {
	const cancels = await readOpenCancels(context);
	const flow = await context.trading.cancelFlow();
	const orders = await flow.list();
	const {unread = []} = flow.view;
	const options = {width: screenWidth(), ascii: config.ui.ascii};
	const open = cancels.map(({key, title, text}) => `\nThe cancel of ${clean(key)}: ${title}. ${text}\n`).join('');
	const left = unread.length === 0 ? '' : `${unreadText(unread)}\n`;
	await printList(flags, {
		items: orders,
		table: () =>
			orders.length > 0
				? tableText(orderColumns(options.ascii ? '-' : '–'), orders, options) + left + open
				: `${left || 'This wallet has no open order, take-profit or stop-loss.\n'}${open}`,
		document: {
			schema: 'pulsetop.perp-orders/1',
			...whoActs(context.trading.mode, wallet),
			orders,
			...(unread.length > 0 && {unread}),
			cancels,
		},
		csv: {
			...membersCsv<CancelTarget>('key'),
			number: ({index}) => index,
			...membersCsv<CancelTarget>(
				'dex',
				'chainId',
				'marketId',
				'orderType',
				'kind',
				'side',
				'sizeUSD',
				'price',
				'leverage',
			),
			collateral: ({collateralAsset}) => collateralAsset,
		},
	});
	return 0;
}

/** Reads every open cancel once. */
async function readOpenCancels({trading}: TradingContext) {
	const cancels = [];
	for (const {key, atMs} of await trading.openCancels()) {
		const flow = await trading.cancelFlow();
		flow.resume(key);
		const state = await flow.read();
		const {title, text} = describeCancel(state);
		cancels.push({key, atMs, phase: state.phase, title, text});
	}
	return cancels;
}

const orderColumns = (unknown: string): readonly TableColumn<CancelTarget>[] => [
	{title: 'NUMBER', align: 'right', cell: ({index}) => clean(index)},
	{title: 'EXCHANGE', cell: ({dex, chainId}) => `${dex} ${chainName(chainId)}`},
	{title: 'MARKET', cell: ({marketId}) => clean(marketId, {maxCells: 24})},
	{title: 'WHAT', cell: ({kind, orderType}) => (orderType === 'order' ? kind.toLowerCase() : EXIT_NAMES[orderType])},
	{title: 'SIDE', cell: target => sideOf(target) ?? unknown},
	{title: 'SIZE USD', align: 'right', cell: ({sizeUSD}) => compact(sizeUSD, unknown)},
	{title: 'PRICE', align: 'right', cell: ({price}) => (price === undefined ? unknown : String(price))},
	{title: 'LEVERAGE', align: 'right', cell: ({leverage}) => (leverage === undefined ? unknown : `${leverage}x`)},
	{title: 'ORDER', cell: ({key}) => clean(key)},
];
