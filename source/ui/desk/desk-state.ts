import type {Explanation} from '../../errors.ts';
import {editOf, type TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {BridgeView} from '../../trading/bridge/flow.ts';
import type {CancelView} from '../../trading/perp/flow.ts';
import type {VaultAction} from '../../trading/prediction/checks.ts';
import type {VaultView} from '../../trading/prediction/flow.ts';

/** The wallet as the desk shows it. Its key is never here. */
export interface WalletView {
	readonly mode: 'practice' | 'real';
	readonly status: 'none' | 'locked' | 'unlocked' | 'killed';
	readonly name?: string;
	readonly address?: string;
	readonly why?: string;
}

/** A token that can be sent or asked for. */
export interface TokenChoice {
	readonly chainId: string;
	readonly address: string;
	readonly symbol: string;
	readonly decimals: number;
	/** What the wallet has of it, raw units; undefined when it was not read. */
	readonly balanceRaw?: bigint;
}

export const BRIDGE_FIELDS = ['from', 'amount', 'to', 'recipient'] as const;
export type BridgeField = (typeof BRIDGE_FIELDS)[number];

/** What is filled in: tokens by choice, the rest as text. */
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

/**
 * Where a money modal stands. `opening` to `unlock` come before anything is asked of the service; `confirm` is the last
 * stop before a signature; from `status` on the window only watches.
 */
export type BridgeStep = 'opening' | 'no-wallet' | 'unlock' | 'form' | 'review' | 'accept' | 'confirm' | 'status';

export interface BridgeDesk {
	readonly step: BridgeStep;
	/** What is under way, in words; keys other than Esc wait for it. */
	readonly busy?: string;
	readonly form: BridgeForm;
	/** A passphrase, the end of an address, or the amount: what the step asks to be typed. */
	readonly typed: TextEdit;
	/** Cancel is the answer until another was chosen on purpose. */
	readonly answer: 'cancel' | 'sign';
	readonly scroll: number;
	readonly isRaw: boolean;
	readonly view?: BridgeView;
	readonly problem?: Explanation;
	/** Where the last export was written. */
	readonly writtenTo?: string;
	/** When the transfer was sent, local Unix ms. */
	readonly sentAtMs?: number;
	/** Counts the quotes that took the place of an older one in the same step: what was seen of that is not this. */
	readonly quotes?: number;
}

export type PerpStep = 'opening' | 'no-wallet' | 'unlock' | 'list' | 'review' | 'accept' | 'confirm' | 'status';

export interface PerpDesk {
	readonly step: PerpStep;
	readonly busy?: string;
	readonly index: number;
	readonly typed: TextEdit;
	readonly answer: 'cancel' | 'sign';
	readonly scroll: number;
	readonly isRaw: boolean;
	readonly view?: CancelView;
	readonly problem?: Explanation;
	/** Where the last export was written. */
	readonly writtenTo?: string;
	readonly sentAtMs?: number;
}

/** `unavailable`: the accounts here are not those of the practice chain, or the chain does not run. */
export type VaultStep =
	| 'opening'
	| 'no-wallet'
	| 'unlock'
	| 'unavailable'
	| 'form'
	| 'review'
	| 'accept'
	| 'confirm'
	| 'status';

export interface VaultDesk {
	readonly step: VaultStep;
	readonly busy?: string;
	readonly action: VaultAction;
	readonly amount: TextEdit;
	readonly field: 'action' | 'amount';
	readonly typed: TextEdit;
	readonly answer: 'cancel' | 'sign';
	readonly scroll: number;
	readonly isRaw: boolean;
	readonly view?: VaultView;
	readonly problem?: Explanation;
	/** Where the last export was written. */
	readonly writtenTo?: string;
	readonly sentAtMs?: number;
}

export interface DeskState {
	readonly wallet: WalletView;
	readonly bridge?: BridgeDesk;
	readonly perp?: PerpDesk;
	readonly vault?: VaultDesk;
	/** What was last drawn, and since when it has been in sight, local Unix ms. */
	readonly drawn?: {readonly what: string; readonly atMs: number};
	/** How far the window can be scrolled, lines; undefined until it was drawn. */
	readonly reach?: number;
}

const NO_FORM: BridgeForm = {
	origins: [],
	destinations: [],
	origin: 0,
	destination: 0,
	amount: editOf(''),
	recipient: editOf(''),
	field: 'from',
};

export function bridgeOpened(): BridgeDesk {
	return {step: 'opening', form: NO_FORM, typed: editOf(''), answer: 'cancel', scroll: 0, isRaw: false};
}

export function perpOpened(): PerpDesk {
	return {step: 'opening', index: 0, typed: editOf(''), answer: 'cancel', scroll: 0, isRaw: false};
}

export function vaultOpened(): VaultDesk {
	return {
		step: 'opening',
		action: 'deploy',
		amount: editOf(''),
		field: 'action',
		typed: editOf(''),
		answer: 'cancel',
		scroll: 0,
		isRaw: false,
	};
}

/** Another step begins: nothing typed, nothing scrolled, and the answer is Cancel again. */
export function stepTaken<Desk extends BridgeDesk | PerpDesk | VaultDesk>(desk: Desk, step: Desk['step']): Desk {
	const {busy: _, problem: __, writtenTo: ___, ...rest} = desk;
	return {...rest, step, typed: editOf(''), answer: 'cancel', scroll: 0, isRaw: false} as Desk;
}

/** The window was scrolled by lines: never beyond what it shows, so that the way back is as long as the way there. */
export function deskScrolled<Desk extends BridgeDesk | PerpDesk | VaultDesk>(
	desk: Desk,
	by: number,
	{reach = Number.POSITIVE_INFINITY}: Pick<DeskState, 'reach'>,
): Desk {
	const scroll = Math.min(Math.max(Math.min(desk.scroll, reach) + by, 0), reach);
	return scroll === desk.scroll ? desk : {...desk, scroll};
}

/** How long a step must have been in sight before a key counts: what was typed before it was drawn is not an answer. */
export const SIGHT_MS = 300;

/** What a window shows, as far as a key can be an answer to it: another step, or another quote, has to be seen first. */
export function drawnName(
	kind: 'bridge' | 'perp' | 'vault',
	desk: BridgeDesk | PerpDesk | VaultDesk | undefined,
): string {
	const quotes = desk && 'quotes' in desk ? ` ${desk.quotes}` : '';
	return `${kind} ${desk?.step}${quotes}`;
}

/** Whether the person had time to see this step. @param what see `drawnName` */
export function isSeen(state: DeskState, what: string, nowMs: number): boolean {
	return state.drawn?.what === what && nowMs - state.drawn.atMs >= SIGHT_MS;
}
