import {createElement, type ReactNode} from 'react';
import {explain} from '../../errors.ts';
import type {KeyHints} from '../../monitor/state.ts';
import * as text from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {writeDocument} from './documents.ts';
import {moneyHints} from './hints.ts';
import {isTyped, type MoneyFlow, type MoneyPart, type Work} from './money-part.ts';
import {
	type FlowView,
	isSeen,
	type MoneyState,
	type MoneyStep,
	stepTaken,
	type WindowState,
	windowOpened,
	windowScrolled,
} from './money-state.ts';
import type {MoneyWallet} from './money-wallet.ts';
import {isStale, type PlanTitle, planTitle} from './plan-age.ts';
import {WindowContent} from './window-content.tsx';

/** A money window: the actions of its keys, and its content. */
export interface MoneyWindow<Form = unknown> {
	/** @param form what the window begins with; an empty form where it is left out */
	open(form?: Form): Promise<void>;
	/** Enter. */
	accept(): Promise<void>;
	/** Esc: one step back, and out of the window from the first. Gives false when the window should close. */
	back(): boolean;
	move(by: 1 | -1): void;
	turn(by: 1 | -1): void;
	/** @param by lines */
	scroll(by: number): void;
	/** Shows or leaves a part of the review: all facts and checks, or the bytes that are signed. Does nothing in another step. */
	toggle(part: 'details' | 'raw'): void;
	/** Writes what would be signed to a file; does nothing where there is nothing to sign, or before that was seen. */
	exportDocument(): void;
	/** A key with a text, such as a letter. */
	type(key: string): void;
	edit(change: (edit: text.TextEdit) => text.TextEdit): void;
	paste(pasted: string): void;
	/** A second has passed: a plan may have become too old to sign. */
	tick(): void;
	/** Ends what is watched; what was sent goes on at the service. */
	close(): void;
	/** The lines of the window; none while it is closed. @param nowMs local Unix ms */
	content(nowMs: number): ReactNode;
	/** The age of what is reviewed or confirmed, for the title; undefined in other steps. */
	age(): PlanTitle | undefined;
	/** The actions that do something in the window as it stands. */
	hints(): KeyHints;
}

/** A window that can also show a flow which an earlier run began. */
export interface MoneyController<Flow, Form = unknown> extends MoneyWindow<Form> {
	/** Whether something was sent whose end is not known. */
	isUnderWay(): boolean;
	/** The window shows this flow from now on: it is only read, nothing is sent. */
	takeUp(flow: Flow): void;
}

export interface ControllerOptions {
	readonly store: Store<MoneyState>;
	readonly wallet: Pick<MoneyWallet, 'openingText' | 'open' | 'unlock'>;
	/** Local Unix ms. */
	readonly nowMs: () => number;
	/** Where exported documents are written. */
	readonly documentsDir: string;
}

/** How often a plan is replaced while no key is pressed: an unattended window stops requesting. */
const MAX_REFRESHES = 5;

/** The steps that lead to a signature: in a locked wallet they lead to the passphrase first. */
const SIGNS: ReadonlySet<MoneyStep> = new Set(['form', 'review', 'accept', 'confirm']);

/**
 * The steps of a money window, and the rules that protect a signature, for every part alike:
 * - A step and a plan count only after they were drawn and in sight for a moment (`isSeen`): keys typed before are no answers.
 * - The answer is Cancel until the other one is chosen, over the exact text where one is to be typed; another text takes it back.
 * - A paste fills a form or a passphrase, and never confirms or accepts.
 * - Only a review leads to the confirmation, and an edit leads to another review.
 * The window keeps the typed text; the flow in `trading/` keeps everything else, and goes on without the window.
 */
export function createController<Form, View extends FlowView, Flow extends MoneyFlow<View>>(
	part: MoneyPart<Form, View, Flow>,
	{store, wallet, nowMs, documentsDir}: ControllerOptions,
): MoneyController<Flow, Form> {
	type Window = WindowState<Form, View>;
	let flow: Flow | undefined;
	let watching: AbortController | undefined;
	let refreshes = 0;
	/** While the plan of a flow is replaced, the view of the old plan stays on screen: half of a new one is no review. */
	let replacing: Flow | undefined;
	/** Counts how often the window was opened and closed. */
	let openings = 0;

	// The state has a member a kind, each with the form and view of its part.
	const window = (): Window | undefined => store.get()[part.kind] as unknown as Window | undefined;
	function set(next: Window): void {
		store.apply(state => ({...state, lastSerial: Math.max(state.lastSerial ?? 0, next.serial), [part.kind]: next}));
	}
	function change(transition: (window: Window) => Window): void {
		const now = window();
		if (now) set(transition(now));
	}
	const toStep = (step: MoneyStep): void => change(now => stepTaken(now, step));
	const show = (step: 'review' | 'accept', {view}: Flow): void => change(now => ({...stepTaken(now, step), view}));
	const fail = (error: unknown): void => change(now => ({...now, problem: explain(error)}));
	const seen = (): boolean => isSeen(store.get(), part.kind, nowMs());
	const isLocked = (): boolean => store.get().wallet.status === 'locked';

	/** Another form: the problem of the old one is dropped. A list stays where it was scrolled to. */
	function changeForm(form: Form): void {
		change(({problem: _, ...now}) => ({...now, form, scroll: part.edited ? 0 : now.scroll}));
	}

	/**
	 * Does one piece of work with its text on screen; a failure is shown and nothing else changes.
	 * @param work gives what changes in the window: nothing, once the window was closed, whether it was opened again or not
	 */
	async function busy(text: string, work: () => Promise<() => void>): Promise<void> {
		const mine = openings;
		change(({problem: _, ...now}) => ({...now, busy: text}));
		const done = await work().catch(error => () => fail(error));
		if (openings !== mine) return;
		done();
		change(({busy: _, ...now}) => now);
	}

	function follow(next: Flow): void {
		flow = next;
		next.subscribe(() => {
			const {view} = next;
			if (flow === next && replacing !== next) change(now => ({...now, view, form: keptForm(now, view)}));
			part.changed?.(view);
		});
	}

	function keptForm({step, form}: Window, view: View): Form {
		return step === 'form' && part.formKept ? part.formKept(form, view) : form;
	}

	function watch(current: Flow): void {
		watching?.abort();
		watching = new AbortController();
		current.watch(watching.signal).catch(fail);
	}

	async function toForm(): Promise<() => void> {
		const found = await part.read(flow, window()?.form ?? part.emptyForm);
		if (!found) return () => toStep('unavailable');
		return () => {
			if (found.flow && found.flow !== flow) follow(found.flow);
			change(now => {
				const view = flow?.view ?? now.view;
				return {...stepTaken(now, 'form'), form: found.form(now.form), ...(view && {view})};
			});
		};
	}

	async function run(work: Work<Flow> | undefined): Promise<void> {
		if (!work || (work.mustBeSeen && !seen())) return;
		await busy(work.text, async () => {
			const next = await work.run();
			if (!next) return toForm();
			return () => {
				if (next !== flow) follow(next);
				show('review', next);
			};
		});
	}

	/** Requests a new plan in place of one that is too old to sign; what was typed or chosen over the old one is dropped. */
	async function refresh(now: Window): Promise<void> {
		const current = flow!;
		const again = part.refresh(now, current);
		if (!again) return;
		toStep('review');
		await busy(`Getting a fresh ${part.texts.proposal}`, async () => {
			replacing = current;
			const failure = await again().then(
				() => undefined,
				(error: unknown) => ({error}),
			);
			replacing = undefined;
			return () => {
				show('review', current);
				if (failure) fail(failure.error);
			};
		});
	}

	async function send(typed: string): Promise<void> {
		const current = flow!;
		change(now => ({...stepTaken(now, 'status'), view: current.view, sentAtMs: nowMs()}));
		try {
			await part.execute(current, typed);
		} catch (error) {
			// Any other failure stands in the view: the window shows it with advice.
			if (flow === current && part.isReviewAgain(current.view)) {
				show('review', current);
				return isLocked() ? relock() : fail(error);
			}
		}
		watch(current);
	}

	async function unlock({typed, resumes}: Window): Promise<void> {
		const passphrase = Buffer.from(typed.text);
		change(now => ({...now, typed: text.editOf('')}));
		await busy('Opening the key file', async () => {
			await wallet.unlock(passphrase);
			return resumes ? () => toStep(resumes) : toForm();
		});
		if (resumes === 'review' && !isLocked()) await reviewAgain();
	}

	/** The wallet has locked itself: the passphrase is asked for here, or a practice wallet opened again. */
	async function relock(): Promise<void> {
		const resumes = window()?.step === 'form' ? 'form' : 'review';
		let isOpen = false;
		await busy(wallet.openingText(), async () => {
			isOpen = (await wallet.open()) === 'unlocked';
			return () => {
				if (!isOpen) change(now => ({...stepTaken(now, 'unlock'), resumes}));
			};
		});
		if (isOpen && resumes === 'review') await reviewAgain();
	}

	/** Asks for a new plan in place of the one that was reviewed before the lock: that one is not signed any more. */
	async function reviewAgain(): Promise<void> {
		const now = window();
		if (!now || !flow) return;
		if (part.isReviewAgain(flow.view)) await refresh(now);
		else await run(part.again?.(now, flow));
	}

	async function reviewed(now: Window): Promise<void> {
		const view = now.view!;
		if (isStale(part, view, nowMs(), 'review')) return refresh(now);
		if (isOnlyNew(view)) return toStep('accept');
		if (part.isReady(view)) return toStep('confirm');
		await run(part.again?.(now, flow!));
	}

	async function accepted({view, typed}: Window): Promise<void> {
		const [contract] = view?.toAccept ?? [];
		if (!contract) return toStep('review');
		const current = flow!;
		await busy('Remembering it', async () => {
			await part.accept(current, contract, typed.text.trim());
			return () => show((current.view?.toAccept.length ?? 0) > 0 ? 'accept' : 'review', current);
		});
	}

	async function answered(now: Window): Promise<void> {
		if (now.answer === 'cancel') return toStep('review');
		if (!seen() || !isTyped(part, now)) return;
		if (isStale(part, now.view, nowMs(), 'confirm')) return refresh(now);
		try {
			part.confirm?.(flow!, now.typed.text);
		} catch (error) {
			return fail(error);
		}
		await send(now.typed.text);
	}

	async function left(now: Window): Promise<void> {
		const next = part.next(now.view!);
		if (next === 'form') await busy(part.reading, toForm);
		else if (next === 'review') await run(part.again?.(now, flow!));
	}

	function turn(by: 1 | -1): void {
		const now = window();
		if (now?.step === 'form') {
			const form = part.turned?.(now, by);
			if (form) changeForm(form);
		} else if (now?.step === 'confirm' && seen()) {
			change(w => ({...w, answer: w.answer === 'cancel' && isTyped(part, w) ? 'sign' : 'cancel'}));
		}
	}

	/** Whether the step takes a confirming text. */
	function takesText({step, view}: Window): boolean {
		if (step === 'confirm') return view !== undefined && part.expected?.(view) !== undefined && seen();
		return step === 'unlock' || (step === 'accept' && seen());
	}

	function edit(transition: (edit: text.TextEdit) => text.TextEdit): void {
		const now = window();
		if (now?.step === 'form') {
			const form = part.edited?.(now, transition);
			if (form) changeForm(form);
		} else if (now && takesText(now)) {
			// Another text is another answer: it has to be chosen again.
			change(({problem: _, ...w}) => ({...w, typed: transition(w.typed), answer: 'cancel'}));
		}
	}

	return {
		async open(form = part.emptyForm) {
			openings++;
			const {lastSerial: serial = 0} = store.get();
			if (flow && part.isUnderWay(flow.view)) {
				const {view} = flow;
				const opened = {...windowOpened<Form, View>(form), serial};
				return set({...stepTaken(opened, 'status'), view, sentAtMs: part.sentAtMs?.(view) ?? nowMs()});
			}
			flow = undefined;
			set({...windowOpened<Form, View>(form), serial: serial + 1});
			await busy(wallet.openingText(), async () => {
				const status = await wallet.open();
				if (status === 'none') return () => toStep('no-wallet');
				if (status === 'locked') return () => toStep('unlock');
				return toForm();
			});
		},
		async accept() {
			const now = window();
			if (!now || now.busy !== undefined) return;
			refreshes = 0;
			if (SIGNS.has(now.step) && isLocked()) await relock();
			else if (now.step === 'unlock') await unlock(now);
			else if (now.step === 'form') await run(part.start(now, flow));
			else if (now.step === 'review' && seen()) await reviewed(now);
			else if (now.step === 'accept' && seen()) await accepted(now);
			else if (now.step === 'confirm') await answered(now);
			else if (now.step === 'status') await left(now);
		},
		back() {
			const now = window();
			if (now?.step === 'confirm' || now?.step === 'accept') {
				toStep('review');
				return true;
			}
			if (!now || now.busy !== undefined) return false;
			if (now.step === 'review') {
				if (flow) part.left?.(flow);
				toStep('form');
				return true;
			}
			// The typed text stays: the first Esc takes the problem away.
			if (now.step === 'form' && now.problem && part.edited) {
				changeForm(now.form);
				return true;
			}
			// An amount that could not be sent is typed only once.
			if (now.step === 'status' && part.isUnsent?.(now)) {
				void busy(part.reading, toForm);
				return true;
			}
			return false;
		},
		move(by) {
			const now = window();
			const form = now?.step === 'form' ? part.moved(now, by) : undefined;
			if (form) changeForm(form);
			else if (now?.step === 'confirm') turn(by);
			else change(w => windowScrolled(w, by, store.get()));
		},
		turn,
		scroll: by => change(now => windowScrolled(now, by, store.get())),
		toggle: shows =>
			change(now =>
				now.step === 'review' ? {...now, shows: now.shows === shows ? 'summary' : shows, scroll: 0} : now,
			),
		exportDocument() {
			const now = window();
			if (now?.step !== 'review' || !now.view || now.busy !== undefined || !seen()) return;
			const document = part.document(now.view);
			if (!document) return;
			const {problem: _, writtenTo: __, ...rest} = now;
			set(rest);
			try {
				const writtenTo = writeDocument(documentsDir, part.kind, document, nowMs());
				set({...rest, writtenTo});
			} catch (error) {
				fail(error);
			}
		},
		type(key) {
			const now = window();
			const insert = (): void => edit(before => text.textInserted(before, key));
			if (now?.step !== 'form' || !part.pressed) return insert();
			const pressed = part.pressed(now, key);
			if (pressed === 'text') return insert();
			if (pressed === undefined || now.busy !== undefined) return;
			changeForm(pressed.form);
			if (pressed.isStart) void run(part.start(window()!, flow));
		},
		edit,
		paste(pasted) {
			const step = window()?.step;
			if (step === 'form' || step === 'unlock') edit(before => text.textInserted(before, pasted.trim()));
		},
		tick() {
			const now = window();
			if (!now || now.busy !== undefined) return;
			const {mode} = store.get().wallet;
			// The form and a practice wallet wait for a key.
			if (mode === 'real' && now.step !== 'form' && SIGNS.has(now.step) && isLocked()) return void relock();
			if (now.step !== 'review' || now.problem || part.refreshSigns) return;
			if (!isStale(part, now.view, nowMs(), 'review') || refreshes >= MAX_REFRESHES) return;
			refreshes++;
			void refresh(now);
		},
		close() {
			openings++;
			if (flow && !part.isUnderWay(flow.view)) watching?.abort();
			store.apply(({[part.kind]: _, ...rest}) => rest);
		},
		content(nowMs) {
			const now = window();
			return (
				now && createElement(WindowContent<Form, View>, {display: part, window: now, wallet: store.get().wallet, nowMs})
			);
		},
		age() {
			const now = window();
			if (now?.busy !== undefined || (now?.step !== 'review' && now?.step !== 'confirm')) return undefined;
			return planTitle(part, part.texts.proposal, now.view, nowMs(), now.step);
		},
		hints: () => moneyHints(part, window(), store.get()),
		isUnderWay: () => flow !== undefined && part.isUnderWay(flow.view),
		takeUp(resumed) {
			follow(resumed);
			part.changed?.(resumed.view);
			watch(resumed);
		},
	};
}
