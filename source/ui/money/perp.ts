import {chainName} from '../../chains/chains.ts';
import type {Row} from '../../terminal/style.ts';
import {clean, fitTo, padStart} from '../../text.ts';
import {PAYLOAD_FRESH_MS} from '../../trading/perp/checks.ts';
import {describeCancel} from '../../trading/perp/describe-state.ts';
import type {CancelFlow, CancelView} from '../../trading/perp/flow.ts';
import {isUnderWay, mayRetry} from '../../trading/perp/machine.ts';
import {describeTarget, sideOf} from '../../trading/perp/orders.ts';
import {price, usd} from '../format.ts';
import {toned} from '../view-model.ts';
import type {MoneyPart} from './money-part.ts';
import {fact, factsOf, heading, type MoneyCanvas, paragraph} from './money-rows.ts';
import type {OrderList, PerpWindow, WalletView} from './money-state.ts';
import type {MoneyWallet} from './money-wallet.ts';
import {builtAge} from './plan-age.ts';

const DETAILS: ReadonlySet<string> = new Set(['order', 'wallet', 'simulated', 'contract', 'gas', 'nonce']);

/** The cancel of a perpetuals order: chosen from a list, reviewed, signed, and followed until the list no longer has the order. */
export function perpPart({
	wallet,
}: {
	readonly wallet: Pick<MoneyWallet, 'cancelFlow' | 'placePracticeOrder'>;
}): MoneyPart<OrderList, CancelView, CancelFlow> {
	const reading = 'Reading the orders';
	return {
		kind: 'perp',
		emptyForm: {index: 0},
		reading,
		async read(before) {
			const flow = before ?? (await wallet.cancelFlow());
			if (!isOpen(flow.view.state)) flow.dismiss();
			const last = Math.max((await flow.list()).length - 1, 0);
			return {flow, form: ({index}) => ({index: Math.min(index, last)})};
		},
		moved({form: {index}, view}, by) {
			const count = view?.targets?.length ?? 0;
			return count === 0 ? undefined : {index: (index + by + count) % count};
		},
		start({form, view}, flow) {
			const target = view?.targets?.[form.index];
			if (target && flow) {
				return {
					text: 'Signing the request for the payload, and checking it',
					mustBeSeen: true,
					async run() {
						await flow.build(target);
						return flow;
					},
				};
			}
			const place = wallet.placePracticeOrder;
			if (!place) return {text: reading, run: async () => undefined};
			return {
				text: 'Placing a practice order',
				mustBeSeen: true,
				async run() {
					await place();
					return undefined;
				},
			};
		},
		again: (_window, flow) => ({
			text: 'Signing the request for a fresh payload, and checking it',
			async run() {
				await flow.rebuild();
				return flow;
			},
		}),
		left: flow => flow.dismiss(),

		age: (view, nowMs) => builtAge(view, nowMs, PAYLOAD_FRESH_MS),
		refresh: ({view}, flow) => (view?.plan ? () => flow.rebuild() : undefined),
		refreshSigns: true,
		isReviewAgain: ({state}) => state.phase === 'built' || state.phase === 'reviewed',
		isReady: ({state}) => state.phase === 'reviewed',
		accept: (flow, _contract, typed) => flow.accept(typed),
		execute: flow => flow.execute(),

		isUnderWay: ({state}) => isUnderWay(state),
		next: ({state}) => (isOpen(state) ? undefined : 'form'),

		document: ({plan}) => plan && {envelope: plan.envelope, transaction: plan.evm?.tx},
		formRows: listRows,
		formHints({view}, {mode}) {
			const count = view?.targets?.length ?? 0;
			if (count === 0)
				return {'money.accept': mode === 'practice' ? 'place an order' : 'read again', 'money.back': 'close'};
			return {
				'money.accept': 'review the cancel',
				...(count > 1 && {'money.next': 'next order'}),
				'money.back': 'close',
			};
		},
		details: DETAILS,
		lines: ({lines}) => lines.map(line => (line.label === 'cancels' ? {...line, tone: 'strong'} : line)),
		signedRows,
		texts: {
			firstUse: () => 'First time using the exchange’s contract. Enter shows it, to accept or not.',
			contract: (_contract, {plan}) => `the exchange’s contract on ${chainName(plan!.target.chainId)}`,
			accepted: 'The contract is accepted.',
			proposal: 'payload',
			failed: 'Enter asks for a fresh payload and checks it, Esc goes back. The order still stands.',
			again: 'ask again',
			question: 'A fresh cancel request will be signed and sent. Choose with Tab; Enter alone keeps the order.',
			answers: {keep: 'Keep the order', sign: 'Sign and cancel it'},
			answerHints: {keep: 'keep', sign: 'sign and cancel it'},
		},
		status({view: {state}}) {
			const description = describeCancel(state);
			return {
				...description,
				isOpen: isUnderWay(state),
				hasProblem: description.tone !== 'good',
				hint: isOpen(state) ? 'Closing this window changes nothing.' : 'Enter goes back to the orders, Esc closes.',
				...(!isOpen(state) && {accept: 'back to the orders'}),
			};
		},
		statusRows: ({view: {plan, state}}, canvas) => [
			...(plan ? [[], ...fact(canvas, 'order', describeTarget(plan.target))] : []),
			...factsOf(canvas, {hash: state.txHash, message: state.said}),
		],
	};
}

/** Whether a cancel was sent whose end is not known yet. */
function isOpen(state: CancelView['state']): boolean {
	return isUnderWay(state) && !mayRetry(state);
}

function listRows({view, form: {index}}: PerpWindow, {address, mode}: WalletView, canvas: MoneyCanvas): Row[] {
	const targets = view?.targets ?? [];
	if (targets.length === 0) {
		return [
			...paragraph(canvas, 'text', 'This wallet has no open order, take-profit or stop-loss.'),
			...fact(canvas, 'wallet', address ?? ''),
			[],
			...paragraph(
				canvas,
				'dim',
				mode === 'practice'
					? 'To try the cancel, Enter places an order with test money: the wallet signs an approval of 100 USDC and a limit order for ETH at 1000 with take-profit and stop-loss.'
					: 'Enter reads the listing again.',
			),
		];
	}
	// Otherwise the chain is cut on 80 columns.
	const isNarrow = canvas.width < 78;
	const w = {market: isNarrow ? 11 : 13, price: isNarrow ? 10 : 12};
	const header: Row = [
		toned(
			canvas,
			'faint',
			`  ${fitTo('EXCHANGE', 9)}${fitTo('MARKET', w.market + 1)}${fitTo('SIDE', 5)}${fitTo('KIND', 13)}${padStart('SIZE', 9)}${padStart('PRICE', w.price)}  CHAIN`,
		),
	];
	const rows = targets.map((target, at): Row => {
		const isMarked = at === index;
		const side = sideOf(target);
		const kind =
			target.orderType === 'order'
				? target.kind.toLowerCase()
				: target.orderType === 'tp'
					? 'take-profit'
					: 'stop-loss';
		return [
			toned(canvas, 'accent', isMarked ? `${canvas.glyphs.cursor} ` : '  '),
			toned(canvas, isMarked ? 'strong' : 'text', `${fitTo(target.dex, 9)}${fitTo(clean(target.marketId), w.market)} `),
			toned(canvas, side === 'BUY' ? 'up' : side === 'SELL' ? 'down' : 'text', fitTo(clean(side ?? '?'), 5)),
			toned(
				canvas,
				isMarked ? 'strong' : 'text',
				`${fitTo(clean(kind), 13)}${padStart(usd(target.sizeUSD), 9)}${padStart(price(target.price, {subscripts: canvas.glyphs.subscripts}), w.price)}`,
			),
			toned(canvas, 'dim', `  ${chainName(target.chainId)}`),
		];
	});
	return [
		header,
		...rows,
		[],
		...fact(canvas, 'selected', describeTarget(targets[index] ?? targets[0]!), 'strong'),
		[],
		...paragraph(
			canvas,
			'dim',
			'Enter requests the payload that cancels the order. The wallet signs that request, the text api/2/perp/payloads/cancel-order-TIME with the current time; this alone cancels nothing.',
		),
	];
}

/** The texts that the wallet has signed for this cancel so far. */
function signedRows({signed}: CancelView, canvas: MoneyCanvas): Row[] {
	if (signed.length === 0) return [];
	return [
		[],
		heading(canvas, 'Signed'),
		...signed.flatMap(({what, text}) => [
			...paragraph(canvas, 'dim', what),
			...fact(canvas, '', clean(text, {maxLength: 2000})),
		]),
	];
}
