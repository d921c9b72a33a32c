import {PracticeWall} from '../../trading/practice.ts';
import type {Call} from '../line/command.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {assertMayAct, chooseWallet, withTrading} from '../trading/context.ts';
import {showOrders} from './orders.ts';

/**
 * `pulsetop perp practice-order`: places an open order with a take-profit and a stop-loss for a practice wallet, to try the
 * cancel; then lists what can be cancelled.
 * @returns the exit code
 * @throws PracticeWall in real mode
 */
export async function perpPracticeOrder({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	if ((await moneyModeOf(config)) === 'real')
		throw new PracticeWall('Orders are placed for practice only', 'a service is configured, so this is real money');
	assertMayAct(config, 'an order');
	return withTrading(config, async context => {
		const wallet = await chooseWallet(context, config, flags);
		const {placePracticeOrder} = await import('../../trading/perp/practice-order.ts');
		await placePracticeOrder(context.trading, context.client, context.practice!);
		return showOrders(context, {config, flags, wallet});
	});
}
