import {chainName} from '../../chains/chains.ts';
import {PAYLOAD_FRESH_MS} from '../../trading/perp/checks.ts';
import {describeCancel} from '../../trading/perp/describe-state.ts';
import type {CancelFlow, CancelView} from '../../trading/perp/flow.ts';
import {isUnderWay, mayRetry} from '../../trading/perp/machine.ts';
import type {MoneyPart} from './money-part.ts';
import type {OrderList} from './money-state.ts';
import type {MoneyWallet} from './money-wallet.ts';
import {CancelFacts, Orders, SignedTexts} from './perp-view.tsx';
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
		FormBody: Orders,
		formHints({view}, {mode}) {
			const count = view?.targets?.length ?? 0;
			if (count === 0)
				return {'money.accept': mode === 'practice' ? 'place an order' : 'read again', 'money.back': 'close'};
			return {
				'money.accept': 'review the cancel',
				...(count > 1 && {'form.next': 'next order'}),
				'money.back': 'close',
			};
		},
		details: DETAILS,
		lines: ({lines}) => lines.map(line => (line.label === 'cancels' ? {...line, tone: 'strong'} : line)),
		Signed: SignedTexts,
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
		StatusFacts: CancelFacts,
	};
}

/** Whether a cancel was sent whose end is not known yet. */
function isOpen(state: CancelView['state']): boolean {
	return isUnderWay(state) && !mayRetry(state);
}
