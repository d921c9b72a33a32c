import type {TradeTarget} from '../../contract/trade-target.ts';
import type {Explanation} from '../../errors.ts';
import {editOf, type TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {BridgeView} from '../../trading/bridge/flow.ts';
import type {CheckResult} from '../../trading/check.ts';
import type {CancelView} from '../../trading/perp/flow.ts';
import type {NewContract} from '../../trading/pins.ts';
import type {PredictionAction} from '../../trading/prediction/checks.ts';
import type {PredictionView} from '../../trading/prediction/flow.ts';

/** The money windows, each by the kind of its mode. */
export const MONEY_KINDS = ['bridge', 'perp', 'predictionAccount', 'trade'] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];

/** The wallet as the windows show it. Its key is never here. */
export interface WalletView {
	readonly mode: 'practice' | 'real';
	readonly status: 'none' | 'locked' | 'unlocked' | 'signing-locked';
	readonly name?: string;
	readonly address?: string;
	readonly why?: string;
}

/** A token that can be sent or received. */
export interface TokenChoice {
	readonly chainId: string;
	readonly address: string;
	readonly symbol: string;
	readonly decimals: number;
	/** Balance of the wallet, raw units; undefined when it was not read. */
	readonly balanceRaw?: bigint;
}

export const BRIDGE_FIELDS = ['from', 'amount', 'to', 'recipient'] as const;
export type BridgeField = (typeof BRIDGE_FIELDS)[number];

/** A transfer as it is filled in: tokens by choice, the rest as text. */
export interface BridgeForm {
	readonly origins: readonly TokenChoice[];
	readonly destinations: readonly TokenChoice[];
	readonly origin: number;
	readonly destination: number;
	readonly amount: TextEdit;
	/** Empty: the wallet itself. */
	readonly recipient: TextEdit;
	readonly field: BridgeField;
}

/** The list of orders: which one is marked. */
export interface OrderList {
	readonly index: number;
}

/** An action of the prediction account as it is filled in. */
export interface PredictionForm {
	readonly action: PredictionAction;
	readonly amount: TextEdit;
	readonly field: 'action' | 'amount';
}

export const TRADE_FIELDS = ['presets', 'amount', 'chain', 'slippage'] as const;
export type TradeField = (typeof TRADE_FIELDS)[number];

/** A trade as it is filled in. What is traded was chosen before the window opened, and is never another token. */
export interface TradeForm {
	/** Undefined only before a window was opened. */
	readonly target?: TradeTarget;
	/** USDC on other chains than the token's, the largest balance first: pays for a buy, receives what a sale brings. */
	readonly dollars: readonly TokenChoice[];
	readonly dollar: number;
	/** The token in the wallet; undefined while it was not read, or where it is not on the chain. */
	readonly held?: TokenChoice;
	/** Amounts of the number keys: USD (buy), per cent of the holding (sell). */
	readonly amounts: readonly number[];
	/** Index of the chosen amount, from 0; undefined: none yet, or another one is typed. */
	readonly preset?: number;
	/** A buy: USD. A sale: tokens, per cent with its sign, or `max`. */
	readonly amount: TextEdit;
	/** Per cent; empty: automatic. */
	readonly slippage: TextEdit;
	readonly field: TradeField;
}

/** The common members of the views of all flows. */
export interface FlowView {
	readonly state: {readonly phase: string};
	/** The plan that would be signed and sent. */
	readonly plan?: object;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly {readonly label: string; readonly text: string}[];
	/** Contracts that are met for the first time. */
	readonly toAccept: readonly NewContract[];
	readonly problem?: Explanation;
}

/**
 * The steps of every money window, in order. No request is made before `form` (which may be a list); `confirm` is
 * the last step before a signature; from `status` on the window only watches. `no-wallet` and `unavailable` lead nowhere.
 */
export type MoneyStep =
	| 'opening'
	| 'no-wallet'
	| 'unlock'
	| 'unavailable'
	| 'form'
	| 'review'
	| 'accept'
	| 'confirm'
	| 'status';

/** The state of a money window. */
export interface WindowState<Form, View extends FlowView> {
	readonly step: MoneyStep;
	/** Another number for each step and each plan: a key answers only what was seen. */
	readonly serial: number;
	/** The wallet locked itself in this step. After the unlock a form goes on as it was; a review is made again. */
	readonly resumes?: 'form' | 'review';
	/** The work under way, for the screen; keys other than Esc wait for it. */
	readonly busy?: string;
	readonly form: Form;
	/** The text that the step requires: a passphrase, the end of a fingerprint, or the text that confirms. */
	readonly typed: TextEdit;
	/** Cancel is the answer until the other one is chosen. */
	readonly answer: 'cancel' | 'sign';
	/** Lines. */
	readonly scroll: number;
	/** How much of a review is shown: what decides, all facts and checks, or the bytes that are signed. */
	readonly shows: 'summary' | 'details' | 'raw';
	readonly view?: View;
	readonly problem?: Explanation;
	/** Where the last export was written. */
	readonly writtenTo?: string;
	/** Local Unix ms. */
	readonly sentAtMs?: number;
}

export type BridgeWindow = WindowState<BridgeForm, BridgeView>;
export type PerpWindow = WindowState<OrderList, CancelView>;
export type PredictionWindow = WindowState<PredictionForm, PredictionView>;
export type TradeWindow = WindowState<TradeForm, BridgeView>;

/** The wallet and the windows that are open. */
export interface MoneyState {
	readonly wallet: WalletView;
	readonly bridge?: BridgeWindow;
	readonly perp?: PerpWindow;
	readonly predictionAccount?: PredictionWindow;
	readonly trade?: TradeWindow;
	/**
	 * The highest serial of any window so far, from which each opening goes on: a trade has a controller of its own for each token, and
	 * what was seen of one does not count for the next.
	 */
	readonly lastSerial?: number;
	/** The state that was last drawn, and since when it has been in sight, local Unix ms. */
	readonly drawn?: {readonly what: string; readonly atMs: number};
	/** How far the window can be scrolled, lines; undefined until it was drawn. */
	readonly reach?: number;
}

export const NO_TRANSFER: BridgeForm = {
	origins: [],
	destinations: [],
	origin: 0,
	destination: 0,
	amount: editOf(''),
	recipient: editOf(''),
	field: 'from',
};

export const NO_TRADE: TradeForm = {
	dollars: [],
	dollar: 0,
	amounts: [],
	amount: editOf(''),
	slippage: editOf(''),
	field: 'presets',
};

/** A window that opens, over an empty form. */
export function windowOpened<Form, View extends FlowView>(form: Form): WindowState<Form, View> {
	return {step: 'opening', serial: 0, form, typed: editOf(''), answer: 'cancel', scroll: 0, shows: 'summary'};
}

/** Another step begins: nothing typed, nothing scrolled, and the answer is Cancel again. */
export function stepTaken<Window extends WindowState<unknown, FlowView>>(window: Window, step: MoneyStep): Window {
	const {busy: _, problem: __, writtenTo: ___, resumes: ____, ...rest} = window;
	const {serial} = window;
	const typed = editOf('');
	// Another plan in place of an old one is shown as far as that was.
	const shows = step === 'review' && window.step === step ? window.shows : 'summary';
	return {...rest, step, serial: serial + 1, typed, answer: 'cancel', scroll: 0, shows} as unknown as Window;
}

/** The window was scrolled by lines: never beyond what it shows, so that the way back is as long as the way there. */
export function windowScrolled<Window extends WindowState<unknown, FlowView>>(
	window: Window,
	by: number,
	{reach = Number.POSITIVE_INFINITY}: Pick<MoneyState, 'reach'>,
): Window {
	const scroll = Math.min(Math.max(Math.min(window.scroll, reach) + by, 0), reach);
	return scroll === window.scroll ? window : {...window, scroll};
}

/** How long a step must have been in sight before a key counts: what was typed before it was drawn is not an answer. */
export const SIGHT_MS = 300;

/** A name for what a window shows: a key counts only for the name that was seen. */
export function drawnName(
	kind: MoneyKind,
	window: Pick<WindowState<unknown, FlowView>, 'step' | 'serial'> | undefined,
) {
	return `${kind} ${window?.step} ${window?.serial}`;
}

/** Whether the window was in sight long enough (SIGHT_MS). */
export function isSeen(state: MoneyState, kind: MoneyKind, nowMs: number): boolean {
	const {drawn} = state;
	return drawn?.what === drawnName(kind, state[kind]) && nowMs - drawn.atMs >= SIGHT_MS;
}
