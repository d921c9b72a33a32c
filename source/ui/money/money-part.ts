import type {ReactNode} from 'react';
import type {KeyHints} from '../../monitor/state.ts';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {NewContract} from '../../trading/pins.ts';
import type {Tone} from '../theme.ts';
import type {FlowView, MoneyKind, WalletView, WindowState} from './money-state.ts';
import type {Ageing} from './plan-age.ts';

/** The members of a flow of `trading/` that the controller needs. */
export interface MoneyFlow<View extends FlowView> {
	readonly view: View;
	subscribe(listener: () => void): () => void;
	/** Reads what was sent until its end is known, or until the signal. */
	watch(signal: AbortSignal): Promise<unknown>;
}

/** Work that Enter begins. */
export interface Work<Flow> {
	/** The text of the window meanwhile. */
	readonly text: string;
	/** The work signs something: Enter counts only in a form that was seen. */
	readonly mustBeSeen?: boolean;
	/** Gives the flow to review; undefined when the form is to be read again. */
	run(): Promise<Flow | undefined>;
}

/** A line of a review. */
export interface MoneyLine {
	readonly label: string;
	readonly text: string;
	readonly tone?: Tone;
}

/** A status: title, text, and the parts beside them. */
export interface MoneyStatus {
	readonly title: string;
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
	/** Whether the flow is still running. */
	readonly isOpen: boolean;
	/** When the flow ended, local Unix ms. */
	readonly endedAtMs?: number;
	/** Whether the last failure of the flow is shown. */
	readonly hasProblem: boolean;
	/** The last line. */
	readonly hint: string;
	/** The effect of Enter, for the line of hints; undefined where it has none. */
	readonly accept?: string;
}

/** Props of the lines of a form. */
export interface FormBodyProps<Window> {
	readonly window: Window;
	readonly wallet: WalletView;
}

/** Props of the facts below a status. */
export interface StatusFactsProps<Window extends {readonly view?: unknown}> {
	readonly window: Window & {readonly view: NonNullable<Window['view']>};
	/** Local Unix ms. */
	readonly nowMs: number;
}

/** The content of one money window in the steps that all of them have. */
export interface MoneyDisplay<Form, View extends FlowView, Window = WindowState<Form, View>> extends Ageing<View> {
	/** Whether everything has passed: the next step is the confirmation. */
	isReady(view: View): boolean;
	/** The text that has to be typed to confirm; undefined before there is a plan. Where the member is missing, the answer alone confirms. */
	expected?(view: View): {readonly what: 'amount' | 'word'; readonly text: string} | undefined;
	/** Whether the flow ended without anything sent: Esc goes back to the form. */
	isUnsent?(window: Window): boolean;
	/** The document that is signed and sent, without a signature; undefined before there is a plan. */
	document(view: View): object | undefined;
	Unavailable?(props: Pick<WalletView, 'mode'>): ReactNode;
	FormBody(props: FormBodyProps<Window>): ReactNode;
	formHints(window: Window, wallet: WalletView): KeyHints;
	/** Labels of the lines that stand with the checks: the summary has them only where their tone is `warn`. */
	readonly details: ReadonlySet<string>;
	/** The lines of the review, and those that stand once more in the confirmation. */
	lines(view: View, step: 'review' | 'confirm', nowMs: number): readonly MoneyLine[];
	/** The signatures so far, below the checks and the status. */
	Signed?(props: {readonly view: View}): ReactNode;
	status(window: Window & {readonly view: View}): MoneyStatus;
	/** Below title and text of the status. */
	StatusFacts(props: {readonly window: Window & {readonly view: View}; readonly nowMs: number}): ReactNode;
	readonly texts: {
		/** The service's proposal as a noun, for sentences. */
		readonly proposal: 'quote' | 'payload' | 'proposal';
		/** At the top of a review of what was sent before. */
		readonly sentBefore?: (view: View) => string | undefined;
		/** A trial that no check makes, for the list of checks that could not run. */
		readonly untried?: (view: View) => string | undefined;
		/** A review before its checks. */
		readonly unchecked?: string;
		readonly firstUse: (contracts: number) => string;
		/** Follows "First time using". */
		readonly contract: (contract: NewContract, view: View) => string;
		/** Shown once every contract is accepted. */
		readonly accepted: string;
		/** Advice after a failed check. */
		readonly failed: string;
		/** The hint of Enter after a failed check. */
		readonly again?: string;
		/** In a confirmation without a text to type. */
		readonly question?: string;
		readonly answers: {readonly keep: string; readonly sign: string};
		/** The same in the line of hints. */
		readonly answerHints: {readonly keep: string; readonly sign: string};
	};
}

/**
 * The part of one money window beside the steps and rules that all have (`controller.ts`): its form or list, its flow, its content.
 * Another window is another part: a file like `perp.ts`, its state in `money-state.ts`, its line in `money-windows.ts`.
 */
export interface MoneyPart<Form, View extends FlowView, Flow extends MoneyFlow<View>, Window = WindowState<Form, View>>
	extends MoneyDisplay<Form, View, Window> {
	readonly kind: MoneyKind;
	readonly emptyForm: Form;

	/** The text of the window while `read` works. */
	readonly reading: string;
	/**
	 * Reads the data of the form, with the flow where one is needed before anything is chosen.
	 * @param flow the flow before, if there is one
	 * @param form the present form
	 * @returns undefined where nothing can be done with this wallet
	 */
	read(flow: Flow | undefined, form: Form): Promise<{readonly flow?: Flow; form(before: Form): Form} | undefined>;
	/** The form after the view has changed. */
	formKept?(form: Form, view: View): Form;
	/** Another line of the form or list; undefined at its end: then the window scrolls. */
	moved(window: Window, by: 1 | -1): Form | undefined;
	/** Another choice in the active line. */
	turned?(window: Window, by: 1 | -1): Form | undefined;
	/**
	 * The effect of a key with a text in the form: the changed form, whose work begins where `isStart`; `text`: it is typed; undefined: none.
	 * Without this member it is typed.
	 */
	pressed?(window: Window, key: string): {readonly form: Form; readonly isStart?: boolean} | 'text' | undefined;
	/** Text typed or pasted into the form; undefined where it means nothing. A list has no such function. */
	edited?(window: Window, change: (edit: TextEdit) => TextEdit): Form | undefined;
	/** The work that Enter begins in the form; undefined where it begins none. */
	start(window: Window, flow: Flow | undefined): Work<Flow> | undefined;
	/** The work that Enter begins in a review that cannot be signed as it is. */
	again?(window: Window, flow: Flow): Work<Flow> | undefined;
	/** The review is left for the form. */
	left?(flow: Flow): void;

	/** Requests a new plan in place of a stale one; undefined where there is no plan to request. */
	refresh(window: Window, flow: Flow): (() => Promise<void>) | undefined;
	/** Whether `refresh` signs something: then only a key begins it. */
	readonly refreshSigns?: true;
	/** @param typed the end of the contract's fingerprint */
	accept(flow: Flow, contract: NewContract, typed: string): Promise<void>;
	/** @param typed the text that confirms; throws when the flow does not accept it */
	confirm?(flow: Flow, typed: string): void;
	/** Signs and sends. A failure is in the flow's view. */
	execute(flow: Flow, typed: string): Promise<void>;

	/** Whether nothing was sent and another plan is to be reviewed: the window goes back, with the failure. */
	isReviewAgain(view: View): boolean;

	/** Whether something was sent whose end is not known: the window opens on it. */
	isUnderWay(view: View): boolean;
	/** Local Unix ms, where the flow knows it. */
	sentAtMs?(view: View): number | undefined;
	/** Where Enter leads from a status; undefined: nowhere yet. */
	next(view: View): 'form' | 'review' | undefined;
	/** The flow has changed, whatever window is open. */
	changed?(view: View): void;
}

/** Whether the confirming text was typed as shown; true where there is no such text. */
export function isTyped<Form, View extends FlowView>(
	{expected}: Pick<MoneyDisplay<Form, View>, 'expected'>,
	{typed, view}: WindowState<Form, View>,
): boolean {
	return !expected || (view !== undefined && typed.text.trim() === expected(view)?.text);
}
