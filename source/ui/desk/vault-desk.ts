import {explain} from '../../errors.ts';
import * as text from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import {isOnlyNew} from '../../trading/check.ts';
import {possibleActions, VAULT_ACTIONS, type VaultAction, type VaultPlace} from '../../trading/prediction/checks.ts';
import type {VaultFlow} from '../../trading/prediction/flow.ts';
import {isUnderWay} from '../../trading/prediction/machine.ts';
import {confirmationText} from '../../trading/prediction/review-lines.ts';
import type {MoneyKeys} from './bridge-desk.ts';
import {type DeskState, deskScrolled, isSeen, stepTaken, type VaultDesk, vaultOpened} from './desk-state.ts';
import type {DeskWallet} from './desk-wallet.ts';
import {amountEdited, assertAmount} from './money-amount.ts';

export interface VaultDeskOptions {
	readonly store: Store<DeskState>;
	readonly wallet: DeskWallet;
	/** The contracts of the accounts; undefined where there are none that can be worked with. */
	readonly place: () => Promise<VaultPlace | undefined>;
	readonly flowOf: (place: VaultPlace) => Promise<VaultFlow>;
	readonly nowMs: () => number;
}

/** What the keys do in the window, and how a transaction of an earlier run comes into it. */
export interface VaultKeys extends MoneyKeys {
	/** Follows a transaction that was taken up: opening the window shows it. */
	takeUp(flow: VaultFlow): void;
}

/** The window on the smart account that trades prediction markets: make it, fill it, empty it. */
export function createVaultDesk({store, wallet, place, flowOf, nowMs}: VaultDeskOptions): VaultKeys {
	let flow: VaultFlow | undefined;
	let watching: AbortController | undefined;

	const desk = (): VaultDesk | undefined => store.get().vault;
	function change(transition: (desk: VaultDesk) => VaultDesk): void {
		store.apply(state => (state.vault ? {...state, vault: transition(state.vault)} : state));
	}
	const seen = (step: string): boolean => isSeen(store.get(), `vault ${step}`, nowMs());

	async function busy(words: string, work: () => Promise<void>): Promise<void> {
		change(({problem: _, ...d}) => ({...d, busy: words}));
		try {
			await work();
		} catch (error) {
			change(d => ({...d, problem: explain(error)}));
		} finally {
			change(({busy: _, ...d}) => d);
		}
	}

	function follow(next: VaultFlow): void {
		flow = next;
		next.subscribe(() => change(d => actionKept({...d, view: next.view})));
	}

	async function toForm(): Promise<void> {
		if (!flow) {
			const found = await place();
			if (!found) return change(d => stepTaken(d, 'unavailable'));
			follow(await flowOf(found));
		}
		const current = flow!;
		if (!isUnderWay(current.view.state)) current.dismiss();
		const {isDeployed, accountRaw} = await current.read();
		change(d => ({
			...stepTaken(d, 'form'),
			view: current.view,
			// What makes sense next: an account to have, money in it, and then out of it.
			action: isDeployed ? (accountRaw > 0n ? 'withdraw' : 'deposit') : 'deploy',
			amount: text.editOf(''),
			field: 'action',
		}));
	}

	async function build(): Promise<void> {
		const d = desk()!;
		const {action, amount} = d;
		await busy('Asking for a proposal and checking it', async () => {
			if (hasAmount(d)) assertAmount(amount.text.trim(), available(d), whereOf(d));
			await flow!.build(action, amount.text.trim());
			change(d => ({...stepTaken(d, 'review'), view: flow!.view}));
		});
	}

	async function send(typed: string): Promise<void> {
		const current = flow!;
		change(d => ({...stepTaken(d, 'status'), view: current.view, sentAtMs: nowMs()}));
		// What went wrong stands in the view.
		await current.execute(typed).catch(() => {});
		watch(current);
	}

	function watch(current: VaultFlow): void {
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
				return busy('Opening the key file', async () => {
					await wallet.unlock(passphrase);
					await toForm();
				});
			}
			case 'form':
				return build();
			case 'review':
				if (!seen('review')) return;
				if (d.view && isOnlyNew(d.view)) return change(now => stepTaken(now, 'accept'));
				if (d.view?.state.phase === 'reviewed') return change(now => stepTaken(now, 'confirm'));
				return build();
			case 'accept':
				if (!seen('accept')) return;
				return busy('Remembering it', async () => {
					await flow!.accept(d.typed.text.trim());
					change(now => stepTaken(now, 'review'));
				});
			case 'confirm':
				if (d.answer === 'cancel') return change(now => stepTaken(now, 'review'));
				if (!seen('confirm') || !isVaultTyped(d)) return;
				return send(d.typed.text);
			case 'status':
				if (isUnderWay(d.view!.state)) return;
				return busy('Reading wallet and account', toForm);
			default:
		}
	}

	function turn(by: 1 | -1): void {
		const d = desk();
		if (d?.step === 'form')
			change(now => {
				const actions = offered(now);
				const at = (actions.indexOf(now.action) + by + actions.length) % actions.length;
				return {...now, action: actions[at]!, field: 'action'};
			});
		else if (d?.step === 'confirm' && seen('confirm'))
			change(now => ({...now, answer: now.answer === 'cancel' && isVaultTyped(now) ? 'sign' : 'cancel'}));
	}

	return {
		takeUp(taken) {
			follow(taken);
			watch(taken);
		},
		async open() {
			if (flow && isUnderWay(flow.view.state)) {
				const {view} = flow;
				store.apply(state => ({...state, vault: {...stepTaken(vaultOpened(), 'status'), view, sentAtMs: nowMs()}}));
				return;
			}
			flow = undefined;
			store.apply(state => ({...state, vault: vaultOpened()}));
			await busy(wallet.openingWords(), async () => {
				const status = await wallet.open();
				if (status === 'none') return change(d => stepTaken(d, 'no-wallet'));
				if (status === 'locked') return change(d => stepTaken(d, 'unlock'));
				await toForm();
			});
		},
		accept,
		back() {
			const d = desk();
			if (d?.step === 'confirm' || d?.step === 'accept') {
				change(now => stepTaken(now, 'review'));
				return true;
			}
			if (d?.step === 'review' && d.busy === undefined) {
				flow?.dismiss();
				change(now => stepTaken(now, 'form'));
				return true;
			}
			if (d?.step === 'form' && d.problem) {
				change(({problem: _, ...now}) => ({...now, scroll: 0}));
				return true;
			}
			return false;
		},
		move(by) {
			const d = desk();
			if (d?.step === 'form')
				change(now => ({...now, field: now.field === 'action' && hasAmount(now) ? 'amount' : 'action'}));
			else if (d?.step === 'confirm') turn(by);
			else change(now => deskScrolled(now, by, store.get()));
		},
		turn,
		scroll: by => change(d => deskScrolled(d, by, store.get())),
		toggleRaw: () => change(d => ({...d, isRaw: !d.isRaw, scroll: 0})),
		edit(transition) {
			const d = desk();
			if (d?.step === 'form') {
				// Text typed on the line above means the amount, where there is one.
				if (!hasAmount(d)) return;
				change(({problem: _, ...now}) => {
					const {hasRaw, decimals} = available(now);
					return {
						...now,
						scroll: 0,
						field: 'amount',
						amount: amountEdited(transition(now.amount), hasRaw, decimals),
					};
				});
			} else if (d && (d.step === 'unlock' || ((d.step === 'accept' || d.step === 'confirm') && seen(d.step)))) {
				// Another text is another answer: it has to be chosen again.
				change(({problem: _, ...now}) => ({...now, typed: transition(now.typed), answer: 'cancel'}));
			}
		},
		paste(pasted) {
			const step = desk()?.step;
			if (step === 'form' || step === 'unlock') this.edit(edit => text.textInserted(edit, pasted.trim()));
		},
		close() {
			if (flow && !isUnderWay(flow.view.state)) watching?.abort();
			store.apply(({vault: _, ...rest}) => rest);
		},
	};
}

/** Whether the chosen action is about an amount: making an account is not. */
export function hasAmount({action}: Pick<VaultDesk, 'action'>): boolean {
	return action !== 'deploy';
}

/** The actions to choose from: what the account, as it was last read, allows. */
function offered({view}: VaultDesk): readonly VaultAction[] {
	return view?.facts ? possibleActions(view.facts) : VAULT_ACTIONS;
}

/** What was chosen, as long as the form offers it: another run may have created the account meanwhile. */
function actionKept(desk: VaultDesk): VaultDesk {
	const actions = offered(desk);
	if (desk.step !== 'form' || actions.includes(desk.action)) return desk;
	return {...desk, action: actions[0]!, field: 'action'};
}

/** The token that the chosen action moves and how much there is: in the wallet for a deposit, in the account for a withdrawal. */
function available({action, view}: VaultDesk): {
	readonly symbol: string;
	readonly decimals: number;
	readonly hasRaw?: bigint;
} {
	const {symbol, decimals} = view!.place;
	const facts = view!.facts;
	if (!facts) return {symbol, decimals};
	const hasRaw = action === 'withdraw' ? facts.accountRaw : facts.walletRaw;
	return {symbol, decimals, hasRaw};
}

function whereOf({action}: VaultDesk): string {
	return action === 'withdraw' ? 'in the account' : 'in the wallet';
}

/** Whether what has to be typed to confirm was typed. */
export function isVaultTyped({typed, view}: VaultDesk): boolean {
	return view?.plan !== undefined && typed.text.trim() === confirmationText(view.plan);
}
