import {explain} from '../../errors.ts';
import * as text from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import type {BridgeFlow, BridgeView} from '../../trading/bridge/flow.ts';
import {isEnd, isInFlight} from '../../trading/bridge/machine.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {formOver, transferOf} from './bridge-form.ts';
import {
	BRIDGE_FIELDS,
	type BridgeDesk,
	type BridgeForm,
	bridgeOpened,
	type DeskState,
	deskScrolled,
	drawnName,
	isSeen,
	stepTaken,
} from './desk-state.ts';
import type {DeskWallet} from './desk-wallet.ts';
import {amountEdited} from './money-amount.ts';
import {isQuoteOld} from './quote-age.ts';

/** What the keys do in the bridge window. */
export interface MoneyKeys {
	open(): Promise<void>;
	/** Enter. */
	accept(): Promise<void>;
	/** Esc: one step back, and out of the window from the first. Gives false when the window should close. */
	back(): boolean;
	move(by: 1 | -1): void;
	turn(by: 1 | -1): void;
	scroll(by: number): void;
	toggleRaw(): void;
	edit(change: (edit: text.TextEdit) => text.TextEdit): void;
	paste(pasted: string): void;
	/** A second has passed. */
	tick?(): void;
	/** Ends what is watched; the transfer itself goes on at the service. */
	close(): void;
}

/** How often a quote is replaced while nobody presses a key: an unattended window does not ask for ever. */
const MOST_REFRESHES = 5;

export interface BridgeDeskOptions {
	readonly store: Store<DeskState>;
	readonly wallet: DeskWallet;
	readonly nowMs: () => number;
	/** Told of every change of a transfer under way, for the first line of the screen. */
	readonly onTransfer: (flow: BridgeFlow) => void;
	/** Chain of the token that is looked at: the transfer begins there where that can be. */
	readonly preferredChain: () => string | undefined;
}

/** The keys of the bridge window, and the taking up of a transfer that another run began. */
export interface BridgeKeys extends MoneyKeys {
	/** The window shows this transfer from now on; its status is read, nothing is sent. */
	takeUp(flow: BridgeFlow): void;
}

/** The window on a bridge transfer: it holds what is typed, the flow in trading/ holds everything that matters. */
export function createBridgeDesk({store, wallet, nowMs, onTransfer, preferredChain}: BridgeDeskOptions): BridgeKeys {
	let flow: BridgeFlow | undefined;
	let watching: AbortController | undefined;
	let refreshes = 0;
	/** While a quote is replaced, the one before stays in sight: half of the next is no review. */
	let isReplacing = false;

	const desk = (): BridgeDesk | undefined => store.get().bridge;
	function change(transition: (desk: BridgeDesk) => BridgeDesk): void {
		store.apply(state => (state.bridge ? {...state, bridge: transition(state.bridge)} : state));
	}
	function changeForm(transition: (form: BridgeForm) => BridgeForm): void {
		change(({problem: _, ...d}) => ({...d, scroll: 0, form: transition(d.form)}));
	}

	const seen = (): boolean => isSeen(store.get(), drawnName('bridge', desk()), nowMs());

	/** Runs one step of work with its words on screen; a failure is shown and nothing else changes. */
	async function busy(words: string, work: () => Promise<void>): Promise<boolean> {
		change(({problem: _, ...d}) => ({...d, busy: words}));
		try {
			await work();
			return true;
		} catch (error) {
			change(d => ({...d, problem: explain(error)}));
			return false;
		} finally {
			change(({busy: _, ...d}) => d);
		}
	}

	function follow(next: BridgeFlow): void {
		flow = next;
		next.subscribe(() => {
			if (!isReplacing) change(d => ({...d, view: next.view}));
			onTransfer(next);
		});
	}

	async function open(): Promise<void> {
		// A transfer under way is what the window shows first: a second one is begun when it has ended.
		if (flow && (isInFlight(flow.view.state) || flow.view.state.phase === 'sending')) {
			const {view} = flow;
			store.apply(state => ({
				...state,
				bridge: {...stepTaken(bridgeOpened(), 'status'), view, sentAtMs: view.state.sentAtMs ?? nowMs()},
			}));
			return;
		}
		flow = undefined;
		store.apply(state => ({...state, bridge: bridgeOpened()}));
		await busy(wallet.openingWords(), async () => {
			const status = await wallet.open();
			if (status === 'none') return change(d => stepTaken(d, 'no-wallet'));
			if (status === 'locked') return change(d => stepTaken(d, 'unlock'));
			await toForm();
		});
	}

	async function toForm(): Promise<void> {
		const tokens = await wallet.tokens();
		change(d => ({...stepTaken(d, 'form'), form: formOver(d.form, tokens, preferredChain())}));
	}

	async function quote(): Promise<void> {
		const {form} = desk()!;
		const [origin, destination] = [form.origins[form.origin], form.destinations[form.destination]];
		if (!origin || !destination) return;
		await busy('Asking for a quote and checking it', async () => {
			const input = transferOf(form, origin, destination);
			follow(await wallet.bridgeFlow());
			await flow!.quote(input);
			change(d => ({...stepTaken(d, 'review'), view: flow!.view}));
		});
	}

	/** Asks for the same again, as the quote is too old to sign; what was typed or chosen over the old one is gone. */
	async function requote(): Promise<void> {
		const {form} = desk()!;
		const [origin, destination] = [form.origins[form.origin], form.destinations[form.destination]];
		if (!origin || !destination) return;
		change(d => stepTaken(d, 'review'));
		await busy('The quote is too old to sign: asking for a fresh one', async () => {
			const current = flow!;
			isReplacing = true;
			try {
				await current.quote(transferOf(form, origin, destination));
			} finally {
				isReplacing = false;
				// The window may have been closed and opened over another transfer meanwhile.
				if (flow === current) change(d => ({...d, view: current.view, quotes: (d.quotes ?? 0) + 1}));
			}
		});
	}

	async function send(): Promise<void> {
		const current = flow!;
		change(d => ({...stepTaken(d, 'status'), view: current.view, sentAtMs: nowMs()}));
		// What went wrong stands in the view: the window shows it with what to do next.
		await current.execute().catch(() => {});
		watch(current);
	}

	function watch(current: BridgeFlow): void {
		watching?.abort();
		watching = new AbortController();
		current.watch(watching.signal).catch((error: unknown) => change(d => ({...d, problem: explain(error)})));
	}

	async function accept(): Promise<void> {
		const d = desk();
		if (!d || d.busy !== undefined) return;
		refreshes = 0;
		switch (d.step) {
			case 'unlock': {
				const passphrase = Buffer.from(d.typed.text);
				change(now => ({...now, typed: text.editOf('')}));
				await busy('Opening the key file', async () => {
					await wallet.unlock(passphrase);
					await toForm();
				});
				return;
			}
			case 'form':
				return quote();
			case 'review': {
				if (!seen()) return;
				if (isQuoteOld(d.view, nowMs())) return requote();
				if (isOnlyNew(d.view!)) return change(now => stepTaken(now, 'accept'));
				if (isReady(d)) return change(now => stepTaken(now, 'confirm'));
				await busy('Checking again', () => flow!.review());
				return;
			}
			case 'accept': {
				if (!seen()) return;
				const [first] = d.view!.toAccept;
				if (!first) return change(now => stepTaken(now, 'review'));
				await busy('Remembering it', async () => {
					await flow!.accept(first.role, d.typed.text.trim());
					change(now => stepTaken(now, flow!.view.toAccept.length > 0 ? 'accept' : 'review'));
				});
				return;
			}
			case 'confirm': {
				if (d.answer === 'cancel') return void change(now => stepTaken(now, 'review'));
				if (!seen()) return;
				if (isQuoteOld(d.view, nowMs())) return requote();
				try {
					flow!.confirm(d.typed.text);
				} catch (error) {
					return change(now => ({...now, problem: explain(error)}));
				}
				return send();
			}
			case 'status': {
				const {phase} = d.view!.state;
				if (phase === 'retryable') {
					await busy('Checking again', async () => {
						await flow!.review();
						change(now => stepTaken(now, 'review'));
					});
				} else if (isEnd(d.view!.state)) {
					if (isGood(d.view!.state)) change(now => ({...now, form: {...now.form, amount: text.editOf('')}}));
					await busy('Reading the wallet', toForm);
				}
				return;
			}
			default:
		}
	}

	return {
		open,
		accept,
		takeUp(resumed) {
			follow(resumed);
			onTransfer(resumed);
			watch(resumed);
		},
		back() {
			const d = desk();
			if (!d) return false;
			if (d.step === 'confirm' || d.step === 'accept') {
				change(now => stepTaken(now, 'review'));
				return true;
			}
			if (d.step === 'review' && d.busy === undefined) {
				change(now => stepTaken(now, 'form'));
				return true;
			}
			if (d.step === 'form' && d.problem) {
				change(({problem: _, ...now}) => ({...now, scroll: 0}));
				return true;
			}
			// What could not be sent is typed only once.
			if (d.step === 'status' && isUnsent(d) && d.busy === undefined) {
				void busy('Reading the wallet', toForm);
				return true;
			}
			return false;
		},
		move(by) {
			const d = desk();
			if (d?.step === 'form') {
				const at = BRIDGE_FIELDS.indexOf(d.form.field);
				changeForm(form => ({...form, field: BRIDGE_FIELDS[(at + by + BRIDGE_FIELDS.length) % BRIDGE_FIELDS.length]!}));
			} else if (d?.step === 'confirm')
				change(now => ({...now, answer: now.answer === 'cancel' && isTyped(now) ? 'sign' : 'cancel'}));
			else change(now => deskScrolled(now, by, store.get()));
		},
		turn(by) {
			const d = desk();
			if (d?.step === 'form' && d.form.field === 'from')
				changeForm(form => ({...form, origin: around(form.origin + by, form.origins.length)}));
			else if (d?.step === 'form' && d.form.field === 'to') {
				changeForm(form => ({...form, destination: around(form.destination + by, form.destinations.length)}));
			} else if (d?.step === 'confirm')
				change(now => ({...now, answer: now.answer === 'cancel' && isTyped(now) ? 'sign' : 'cancel'}));
		},
		scroll: by => change(d => deskScrolled(d, by, store.get())),
		toggleRaw: () => change(d => ({...d, isRaw: !d.isRaw, scroll: 0})),
		edit(transition) {
			const d = desk();
			if (d?.step === 'form' && d.form.field === 'recipient') {
				changeForm(form => ({...form, recipient: transition(form.recipient)}));
			} else if (d?.step === 'form') {
				// A number, or the word max, is meant for the amount, whichever of the two choices is marked.
				if (d.form.field !== 'amount' && !/^([\d.]+|m|max)$/i.test(transition(text.editOf('')).text)) return;
				changeForm(form => {
					const {balanceRaw, decimals = 0} = form.origins[form.origin] ?? {};
					return {...form, field: 'amount', amount: amountEdited(transition(form.amount), balanceRaw, decimals)};
				});
			} else if (d && (d.step === 'unlock' || seen())) {
				// Another text is another answer: it has to be chosen again.
				change(({problem: _, ...now}) => ({...now, typed: transition(now.typed), answer: 'cancel'}));
			}
		},
		paste(pasted) {
			const step = desk()?.step;
			if (step === 'form' || step === 'unlock') this.edit(edit => text.textInserted(edit, pasted.trim()));
		},
		tick() {
			const d = desk();
			if (d?.step !== 'review' || d.busy !== undefined || d.problem || !isQuoteOld(d.view, nowMs())) return;
			if (refreshes >= MOST_REFRESHES) return;
			refreshes++;
			void requote();
		},
		close() {
			if (flow && !isInFlight(flow.view.state)) watching?.abort();
			store.apply(({bridge: _, ...rest}) => rest);
		},
	};
}

/** Whether every check passed, of a first try or of another one with the same intent. */
export function isReady({view}: BridgeDesk): boolean {
	if (view?.state.phase === 'reviewed') return true;
	return view?.state.phase === 'retryable' && view.checks.length > 0 && view.checks.every(({ok}) => ok);
}

/** Whether the amount was typed as it is shown. */
export function isTyped({typed, view}: BridgeDesk): boolean {
	const request = view?.quoted?.request;
	return request !== undefined && typed.text.trim() === formatUnits(request.amountRaw, request.decimals);
}

/** Whether what was asked for has happened. */
function isGood({phase}: BridgeView['state']): boolean {
	return phase === 'filled' || phase === 'settled';
}

/** Whether a transfer ended without anything sent, and can be changed and asked for again. */
export function isUnsent({form, view}: BridgeDesk): boolean {
	const phase = view?.state.phase;
	return form.origins.length > 0 && (phase === 'refused' || phase === 'lapsed' || phase === 'failed');
}

function around(index: number, length: number): number {
	return length === 0 ? 0 : (index + length) % length;
}
