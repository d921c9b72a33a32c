import type {TradeTarget} from '../../contract/trade-target.ts';
import {confirmationText} from '../../trading/acknowledge.ts';
import type {BridgeFlow, BridgeInput, BridgeView} from '../../trading/bridge/flow.ts';
import {isEnd} from '../../trading/bridge/machine.ts';
import {shortUnits} from '../../trading/decimal.ts';
import type {ReviewLine} from '../../trading/flow.ts';
import {NO_RESALE} from '../../trading/trade/review-lines.ts';
import type {Tone} from '../theme.ts';
import type {MoneyPart} from './money-part.ts';
import {NO_TRADE, type TradeForm, type TradeWindow} from './money-state.ts';
import type {MoneyWallet} from './money-wallet.ts';
import {linesNow, quoteAge} from './plan-age.ts';
import {
	chainTurned,
	type FilledTrade,
	fieldMoved,
	formEdited,
	hasAmount,
	keyPressed,
	tradeFormOver,
	tradeOf,
} from './trade-form.ts';
import {describeTrade} from './trade-status.ts';
import {TradeFacts, TradeFormBody} from './trade-view.tsx';
import {BATCH_DETAILS, isUnsentEnd, TRANSFER_STEPS, transferStatus} from './transfer-steps.ts';

export interface TradePartOptions {
	readonly wallet: Pick<MoneyWallet, 'tokens' | 'holding' | 'bridgeFlow'>;
	/** The chain that [trade] from names; undefined: the largest balance. */
	readonly payingChain: () => string | undefined;
	/** The token as its row is now; undefined when no row has it any more. */
	readonly targetNow: (target: TradeTarget) => TradeTarget | undefined | Promise<TradeTarget | undefined>;
	/** Called with every change of a trade. */
	readonly onTrade: (state: BridgeView['state']) => void;
}

/** Labels of the lines with the amounts of a review. */
const STRONG: ReadonlySet<string> = new Set(['you pay', 'you sell', 'at least', 'the swap', 'worst case']);
/** Labels of the lines that the confirmation repeats. */
const CONFIRMED: ReadonlySet<string> = new Set([...STRONG, 'buy', 'sell', 'about', 'to']);
/** Labels of the lines that every step has elsewhere: above all others, or with what could not be checked. */
const ELSEWHERE: ReadonlySet<string> = new Set(['address', 'marks', 'not checked']);
const DETAILS: ReadonlySet<string> = new Set([...BATCH_DETAILS, 'buy', 'sell', '', 'deadline']);

/** A token that is bought with USDC of another chain, or sold for it. */
export function tradePart({
	wallet,
	payingChain,
	targetNow,
	onTrade,
}: TradePartOptions): MoneyPart<TradeForm, BridgeView, BridgeFlow> {
	const inputOf = ({target, dollar, amount, slippage}: FilledTrade): BridgeInput => {
		const [from, to] = target.side === 'buy' ? [dollar, target] : [target, dollar];
		return {
			originChainId: from.chainId,
			originToken: from.address,
			amount,
			destinationChainId: to.chainId,
			destinationToken: to.address,
			trade: target,
			tradeNow: () => targetNow(target),
			...(slippage !== undefined && {slippage}),
		};
	};
	return {
		...TRANSFER_STEPS,
		kind: 'trade',
		emptyForm: NO_TRADE,
		reading: 'Reading the wallet',
		async read(flow, {target}) {
			if (!target) return undefined;
			const [{origins}, held] = await Promise.all([
				wallet.tokens(),
				target.side === 'sell' ? wallet.holding(target.chainId, target.address) : undefined,
			]);
			const isOver = flow !== undefined && isEnd(flow.view.state);
			return {
				form: before => {
					const form = tradeFormOver(before, {tokens: origins, held, chainId: payingChain()});
					return isOver ? withoutAmount(form) : form;
				},
			};
		},
		moved: ({form}, by) => fieldMoved(form, by),
		turned: ({form}, by) => chainTurned(form, by),
		pressed: ({form}, key) => keyPressed(form, key),
		edited: ({form}, change) => formEdited(form, change),
		start({form}) {
			if (!form.target || form.dollars.length === 0 || !hasAmount(form)) return undefined;
			return {
				text: 'Asking for a quote and checking it',
				async run() {
					const trade = tradeOf(form)!;
					const flow = await wallet.bridgeFlow();
					await flow.quote(inputOf(trade));
					return flow;
				},
			};
		},
		again: (_window, flow) => ({
			text: 'Checking again',
			async run() {
				await flow.review();
				return flow;
			},
		}),

		age: quoteAge,
		// It signs only what is as good.
		confirmsFresh: true,
		refresh({form}, flow) {
			return async () => {
				const trade = tradeOf(form);
				if (trade) await flow.quote(inputOf(trade));
			};
		},
		expected: ({quoted, acknowledge}) =>
			quoted && {
				what: 'amount',
				text: confirmationText(shortUnits(quoted.request.amountRaw, quoted.request.decimals), acknowledge),
			},
		isUnsent,
		changed: ({state}) => onTrade(state),

		FormBody: TradeFormBody,
		formHints({form, problem}) {
			const close = {'money.back': problem ? 'back' : 'close'};
			if (form.dollars.length === 0 || !form.target) return close;
			return {
				...(hasAmount(form) && {'money.accept': 'get a quote'}),
				'form.next': 'next line',
				...(form.dollars.length > 1 && {'edit.right': 'other chain'}),
				...close,
			};
		},
		texts: {
			...TRANSFER_STEPS.texts,
			untried: ({plan}) => (plan?.trade?.target.side === 'buy' ? NO_RESALE : undefined),
		},
		details: DETAILS,
		lines(view, step, nowMs) {
			const toneOf = ({label, isMarked}: ReviewLine): Tone =>
				isMarked ? 'warn' : STRONG.has(label) ? 'strong' : 'text';
			const lines = linesNow(view, nowMs).map(line => ({...line, tone: toneOf(line)}));
			if (step === 'review') return lines.filter(({label}) => !ELSEWHERE.has(label));
			return [
				...lines.filter(({label}) => CONFIRMED.has(label)),
				...view.acknowledge.map(({why}) => ({label: 'you accept', text: why, tone: 'warn' as const})),
			];
		},
		status: window =>
			transferStatus(window.view, describeTrade(window), {
				followed: 'trade',
				again: 'trade it again',
				enter: 'trade this token again',
				isUnsent: isUnsent(window),
			}),
		StatusFacts: TradeFacts,
	};
}

/** After an end the next trade begins without an amount: the same one must be chosen again. */
function withoutAmount({preset: _, ...form}: TradeForm): TradeForm {
	return {...form, amount: NO_TRADE.amount, field: 'presets'};
}

/** Whether a trade ended without anything sent, and can be changed and requested again. */
function isUnsent({form, view}: Pick<TradeWindow, 'form' | 'view'>): boolean {
	return form.dollars.length > 0 && isUnsentEnd(view);
}
