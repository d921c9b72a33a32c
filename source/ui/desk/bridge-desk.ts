import {explain} from '../../errors.ts';
import * as text from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {isEnd, isInFlight} from '../../trading/bridge/machine.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {
	BRIDGE_FIELDS,
	type BridgeDesk,
	type BridgeForm,
	bridgeOpened,
	type DeskState,
	deskScrolled,
	isSeen,
	stepTaken,
} from './desk-state.ts';
import type {DeskWallet} from './desk-wallet.ts';

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
	/** Ends what is watched; the transfer itself goes on at the service. */
	close(): void;
}

export interface BridgeDeskOptions {
	readonly store: Store<DeskState>;
	readonly wallet: DeskWallet;
	readonly nowMs: () => number;
	/** Told of every change of a transfer under way, for the first line of the screen. */
	readonly onTransfer: (flow: BridgeFlow) => void;
	/** Chain that the destination should begin with, if it can be bridged to. */
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

	const desk = (): BridgeDesk | undefined => store.get().bridge;
	function change(transition: (desk: BridgeDesk) => BridgeDesk): void {
		store.apply(state => (state.bridge ? {...state, bridge: transition(state.bridge)} : state));
	}
	function changeForm(transition: (form: BridgeForm) => BridgeForm): void {
		change(d => ({...d, scroll: 0, form: transition(d.form)}));
	}

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
			change(d => ({...d, view: next.view}));
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
		const {origins, destinations} = await wallet.tokens();
		const preferred = destinations.findIndex(token => token.chainId === preferredChain());
		const other = destinations.findIndex(token => token.chainId !== origins[0]?.chainId);
		change(d => ({
			...stepTaken(d, 'form'),
			form: {...d.form, origins, destinations, destination: Math.max(preferred, preferred < 0 ? other : 0, 0)},
		}));
	}

	async function quote(): Promise<void> {
		const {form} = desk()!;
		const [origin, destination] = [form.origins[form.origin], form.destinations[form.destination]];
		if (!origin || !destination) return;
		await busy('Asking for a quote and checking it', async () => {
			follow(await wallet.bridgeFlow());
			const recipient = form.recipient.text.trim();
			await flow!.quote({
				originChainId: origin.chainId,
				originToken: origin.address,
				amount: form.amount.text.trim(),
				destinationChainId: destination.chainId,
				destinationToken: destination.address,
				...(recipient !== '' && {recipient}),
			});
			change(d => ({...stepTaken(d, 'review'), view: flow!.view}));
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
				if (!isSeen(store.get(), 'bridge review', nowMs())) return;
				if (isOnlyNew(d.view!)) return change(now => stepTaken(now, 'accept'));
				if (d.view!.state.phase === 'reviewed') return change(now => stepTaken(now, 'confirm'));
				await busy('Checking again', () => flow!.review());
				return;
			}
			case 'accept': {
				if (!isSeen(store.get(), 'bridge accept', nowMs())) return;
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
				if (!isSeen(store.get(), 'bridge confirm', nowMs())) return;
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
			if (d?.step === 'form' && (d.form.field === 'amount' || d.form.field === 'recipient')) {
				const {field} = d.form;
				changeForm(form => ({...form, [field]: transition(form[field])}));
			} else if (d?.step === 'form') {
				// A number is meant for the amount, whichever of the two choices is marked.
				if (!/^[\d.]+$/.test(transition(text.editOf('')).text)) return;
				changeForm(form => ({...form, field: 'amount', amount: transition(form.amount)}));
			} else if (d && (d.step === 'unlock' || isSeen(store.get(), `bridge ${d.step}`, nowMs()))) {
				// Another text is another answer: it has to be chosen again.
				change(({problem: _, ...now}) => ({...now, typed: transition(now.typed), answer: 'cancel'}));
			}
		},
		paste(pasted) {
			const step = desk()?.step;
			if (step === 'form' || step === 'unlock') this.edit(edit => text.textInserted(edit, pasted.trim()));
		},
		close() {
			if (flow && !isInFlight(flow.view.state)) watching?.abort();
			store.apply(({bridge: _, ...rest}) => rest);
		},
	};
}

/** Whether the amount was typed as it is shown. */
export function isTyped({typed, view}: BridgeDesk): boolean {
	const request = view?.quoted?.request;
	return request !== undefined && typed.text.trim() === formatUnits(request.amountRaw, request.decimals);
}

function around(index: number, length: number): number {
	return length === 0 ? 0 : (index + length) % length;
}
