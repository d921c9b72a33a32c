import {freshness, isStarting, selected} from '../../../monitor/select.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {whyNotOnChain} from '../../../monitor/tokens/traded-chains.ts';
import {feature, type ModeSpec} from '../../feature.ts';
import {BROWSE, type ModeTraits} from '../../keymap/binding.ts';
import type {MoneyActions} from '../../money/money-actions.ts';
import type {MoneyKind} from '../../money/money-state.ts';

const MONEY_MODES = (traits: ModeTraits): boolean => traits.movesMoney === true;

const WINDOW: ModeSpec<unknown, MoneyActions> = {
	help: 'money',
	movesMoney: true,
	// The signed document must be readable.
	minSize: {columns: 40, rows: 12},
	window: 'money',
	text: (text, a) => a.moneyType(text),
	edit: (change, a) => a.moneyEdit(change),
	fields: {move: (by, a, key) => a.moneyMove(by, key), turn: (by, a) => a.moneyTurn(by)},
	paste: (text, _, a) => {
		a.moneyPaste(text);
		return true;
	},
};

/** The windows that move money: trades, bridge, perpetuals orders, the account for prediction markets. */
export const money = feature({
	name: 'money',
	// Plain mode has no money windows, and no keys for them.
	actions: context => context.money as MoneyActions,
	modes: {bridge: WINDOW, perp: WINDOW, predictionAccount: WINDOW, trade: WINDOW} satisfies Record<
		MoneyKind,
		typeof WINDOW
	>,
	help: {
		money: {
			title: 'MONEY WINDOWS ({trade.buy}, {trade.sell}, {bridge.open}, {perp.open})',
			rank: 190,
			notes: [
				[
					'1 to 4',
					'Trade: an amount of [trade] amounts in USD, or of [trade] sell in per cent, and its quote at once.',
				],
				['$', 'Trade: type another amount: USD to spend; tokens, per cent or max to sell.'],
				['a', 'Trade: another chain that pays for a buy, or receives what a sale brings.'],
				['%', 'Trade: type the slippage in per cent; empty is automatic.'],
			],
		},
	},
	bindings: [
		{
			id: 'trade.buy',
			keys: ['+'],
			modes: BROWSE,
			group: 'Money',
			label: 'buy',
			title: 'Buy token',
			help: 'Buy the token under the cursor with USDC of another chain. Nothing is signed before a review and a typed confirmation.',
			hint: 22,
			needs: 'money',
			danger: true,
			needsTyping: true,
			hintWhen: canChoose,
			labelNow: buyLabel,
			disabled: needsRow,
			run: a => a.tradeOpen('buy'),
		},
		{
			id: 'trade.sell',
			keys: ['-'],
			modes: BROWSE,
			group: 'Money',
			label: 'sell',
			title: 'Sell token',
			help: 'Sell the token under the cursor for USDC on another chain.',
			hint: 23,
			needs: 'money',
			danger: true,
			needsTyping: true,
			hintWhen: s => canChoose(s) && whyNotTraded(s) === undefined,
			disabled: needsRow,
			run: a => a.tradeOpen('sell'),
		},
		{
			id: 'trade.past',
			keys: ['+', '-'],
			modes: ['rewind'],
			group: 'Money',
			label: 'trade',
			help: 'Nothing of the past is traded: go back to the present first.',
			needs: 'money',
			danger: true,
			disabled: () => 'the past cannot be traded: {menu.close} goes back to the present',
			run() {},
		},
		{
			id: 'bridge.open',
			keys: ['b'],
			modes: BROWSE,
			group: 'Money',
			label: 'bridge',
			title: 'Bridge tokens',
			help: 'Send tokens to another chain, gas paid by the service. Nothing is signed before a review and a typed confirmation.',
			hint: 65,
			needs: 'money',
			danger: true,
			hintWhen: canPay,
			disabled: needsLink,
			run: a => a.moneyOpen('bridge'),
		},
		{
			id: 'perp.open',
			keys: [],
			modes: BROWSE,
			group: 'Money',
			label: 'orders',
			title: 'Cancel orders',
			help: 'List the wallet’s open perpetuals orders and cancel one.',
			hint: 66,
			needs: 'money',
			danger: true,
			hintWhen: canPay,
			disabled: needsLink,
			run: a => a.moneyOpen('perp'),
		},
		{
			id: 'wallet.lock',
			keys: [],
			modes: BROWSE,
			group: 'Money',
			label: 'lock',
			title: 'Lock wallet',
			help: 'Lock the wallet.',
			needs: 'money',
			danger: true,
			run: a => a.lockWallet(),
		},
		{
			id: 'wallet.kill',
			keys: ['!'],
			modes: BROWSE,
			group: 'Money',
			label: 'lock signing',
			title: 'Lock signing',
			help: 'Lock signing until you restart pulsetop.',
			needs: 'money',
			danger: true,
			run: a => a.lockSigning(),
		},
		{
			id: 'vault.open',
			keys: ['a'],
			modes: ['prediction'],
			group: 'Money',
			label: 'account',
			help: 'Your account for prediction markets: create, deposit, withdraw. Reviewed and confirmed like a bridge transfer.',
			hint: 16,
			needs: 'money',
			danger: true,
			disabled: s => s.service.noMoney ?? noAnswer(s),
			run: a => a.moneyOpen('predictionAccount'),
		},
		{
			id: 'money.accept',
			keys: ['enter'],
			modes: MONEY_MODES,
			group: 'Money',
			label: 'go on',
			help: 'Next step; in the confirmation, the marked answer, Cancel by default.',
			hint: 5,
			run: a => a.moneyAccept(),
		},
		{
			id: 'money.back',
			keys: ['esc'],
			modes: MONEY_MODES,
			group: 'Money',
			label: 'back',
			help: 'One step back; from the first step, out. What was sent goes on.',
			hint: 6,
			run: a => a.moneyBack(),
		},
		{
			id: 'money.pageDown',
			keys: ['pgdn', 'ctrl+d'],
			modes: MONEY_MODES,
			group: 'Money',
			label: 'scroll',
			help: 'Scroll down.',
			hint: 20,
			run: a => a.moneyScroll(1),
		},
		{
			id: 'money.pageUp',
			keys: ['pgup'],
			modes: MONEY_MODES,
			group: 'Money',
			label: 'scroll up',
			help: 'Scroll up.',
			hint: 21,
			run: a => a.moneyScroll(-1),
		},
		{
			id: 'money.raw',
			keys: ['ctrl+r'],
			modes: MONEY_MODES,
			group: 'Money',
			label: 'raw',
			help: 'Show exactly what is signed and sent, and back.',
			hint: 25,
			run: a => a.moneyRaw(),
		},
		{
			id: 'money.export',
			keys: ['ctrl+o'],
			modes: MONEY_MODES,
			group: 'Money',
			label: 'to file',
			help: 'Write exactly what is about to be signed to a private file, without a signature.',
			hint: 26,
			run: a => a.moneyExport(),
		},
	],
});

/** A trade needs a token that does not move: that of a placed cursor or of the detail pane. */
function needsRow(state: MonitorState): string | undefined {
	const {noMoney} = state.service;
	if (noMoney !== undefined) return noMoney;
	return selected(state) === undefined ? 'choose a row first ({cursor.down})' : undefined;
}

function canChoose(state: MonitorState): boolean {
	return needsRow(state) === undefined;
}

/** Why the token under the cursor can't be traded now, in the words of a hint. */
function whyNotTraded(state: MonitorState): string | undefined {
	const entry = selected(state);
	const why = entry && whyNotOnChain(entry.chain_id);
	if (entry === undefined || why !== undefined) return why;
	if (noAnswer(state) !== undefined) return 'not live';
	return hasOldData(state) ? 'old data' : undefined;
}

/** The hint of the buy key where the key refuses. A honeypot is not bought; the sale of one can be tried. */
function buyLabel(state: MonitorState): string | undefined {
	const why = whyNotTraded(state) ?? (selected(state)?.security?.isHoneypot ? 'a honeypot' : undefined);
	return why && `buy: ${why}`;
}

/** A market of real chains may have no service that moves money. */
function canPay({service}: MonitorState): boolean {
	return service.noMoney === undefined;
}

/** Why nothing can be asked of the service now; undefined while it answers, and while it starts: the window waits for it. */
function noAnswer({link}: MonitorState): string | undefined {
	return isStarting(link) || link?.phase === 'live' || link?.phase === 'polling'
		? undefined
		: 'the service does not answer now';
}

/** Money needs a service that answers, and data that is not old (features, "Freshness"). */
function needsLink(state: MonitorState): string | undefined {
	const why = state.service.noMoney ?? noAnswer(state);
	if (why !== undefined) return why;
	return hasOldData(state) ? 'the data is old: wait for the link, or {feed.retry} requests it again' : undefined;
}

/** Whether nothing is signed on the data of the focused column (features, "Freshness"). */
function hasOldData({columns, focus, nowMs}: MonitorState): boolean {
	return freshness(columns[focus].dataAtMs, nowMs) === 'unusable';
}
