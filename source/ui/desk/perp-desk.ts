import {explain} from '../../errors.ts';
import * as text from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import {isOnlyNew} from '../../trading/check.ts';
import type {CancelFlow} from '../../trading/perp/flow.ts';
import {isUnderWay, mayRetry} from '../../trading/perp/machine.ts';
import type {MoneyKeys} from './bridge-desk.ts';
import {type DeskState, deskScrolled, isSeen, type PerpDesk, perpOpened, stepTaken} from './desk-state.ts';
import type {DeskWallet} from './desk-wallet.ts';

export interface PerpDeskOptions {
	readonly store: Store<DeskState>;
	readonly wallet: DeskWallet;
	readonly nowMs: () => number;
}

/** The keys of the perpetuals window, and the taking up of a cancel that another run began. */
export interface PerpKeys extends MoneyKeys {
	/** The window shows this cancel from now on; it is only read. */
	takeUp(flow: CancelFlow): void;
}

/** The window on cancels of perpetuals orders: choose, review, sign, see it gone from the list. */
export function createPerpDesk({store, wallet, nowMs}: PerpDeskOptions): PerpKeys {
	let flow: CancelFlow | undefined;
	let watching: AbortController | undefined;

	const desk = (): PerpDesk | undefined => store.get().perp;
	function change(transition: (desk: PerpDesk) => PerpDesk): void {
		store.apply(state => (state.perp ? {...state, perp: transition(state.perp)} : state));
	}

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

	function follow(next: CancelFlow): void {
		flow = next;
		next.subscribe(() => change(d => ({...d, view: next.view})));
	}

	async function watch(current: CancelFlow): Promise<void> {
		watching?.abort();
		watching = new AbortController();
		await current.watch(watching.signal).catch((error: unknown) => change(d => ({...d, problem: explain(error)})));
	}

	async function toList(): Promise<void> {
		if (!flow) follow(await wallet.cancelFlow());
		await flow!.list();
		change(d => ({
			...stepTaken(d, 'list'),
			view: flow!.view,
			index: Math.min(d.index, Math.max((flow!.view.targets?.length ?? 1) - 1, 0)),
		}));
	}

	async function send(): Promise<void> {
		const current = flow!;
		change(d => ({...stepTaken(d, 'status'), view: current.view, sentAtMs: nowMs()}));
		await current.execute().catch(() => {});
		await watch(current);
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
					await toList();
				});
			}
			case 'list': {
				const target = d.view?.targets?.[d.index];
				const place = wallet.placePracticeOrder;
				if (!target && place && isSeen(store.get(), 'perp list', nowMs())) {
					return busy('Placing a practice order', async () => {
						await place();
						await toList();
					});
				}
				if (!target) return busy('Reading the orders', toList);
				if (!isSeen(store.get(), 'perp list', nowMs())) return;
				return busy('Signing the request for the payload, and checking it', async () => {
					await flow!.build(target);
					change(now => ({...stepTaken(now, 'review'), view: flow!.view}));
				});
			}
			case 'review': {
				if (!isSeen(store.get(), 'perp review', nowMs())) return;
				if (isOnlyNew(d.view!)) return change(now => stepTaken(now, 'accept'));
				if (d.view!.state.phase === 'reviewed') return change(now => stepTaken(now, 'confirm'));
				return;
			}
			case 'accept': {
				if (!isSeen(store.get(), 'perp accept', nowMs())) return;
				return busy('Remembering it', async () => {
					await flow!.accept(d.typed.text.trim());
					change(now => stepTaken(now, 'review'));
				});
			}
			case 'confirm': {
				if (d.answer === 'cancel') return change(now => stepTaken(now, 'review'));
				if (!isSeen(store.get(), 'perp confirm', nowMs())) return;
				return send();
			}
			case 'status': {
				if (isUnderWay(d.view!.state) && !mayRetry(d.view!.state)) return;
				return busy('Reading the orders', async () => {
					flow!.dismiss();
					await toList();
				});
			}
			default:
		}
	}

	return {
		async open() {
			if (flow && isUnderWay(flow.view.state)) {
				const {view} = flow;
				store.apply(state => ({...state, perp: {...stepTaken(perpOpened(), 'status'), view, sentAtMs: nowMs()}}));
				return;
			}
			flow = undefined;
			store.apply(state => ({...state, perp: perpOpened()}));
			await busy(wallet.openingWords(), async () => {
				const status = await wallet.open();
				if (status === 'none') return change(d => stepTaken(d, 'no-wallet'));
				if (status === 'locked') return change(d => stepTaken(d, 'unlock'));
				await toList();
			});
		},
		accept,
		takeUp(resumed) {
			follow(resumed);
			void watch(resumed);
		},
		back() {
			const d = desk();
			if (d?.step === 'confirm' || d?.step === 'accept') {
				change(now => stepTaken(now, 'review'));
				return true;
			}
			if (d?.step === 'review' && d.busy === undefined) {
				flow?.dismiss();
				change(now => stepTaken(now, 'list'));
				return true;
			}
			return false;
		},
		move(by) {
			const d = desk();
			const count = d?.view?.targets?.length ?? 0;
			if (d?.step === 'list' && count > 0) change(now => ({...now, index: (now.index + by + count) % count}));
			else if (d?.step === 'confirm') this.turn(by);
			else change(now => deskScrolled(now, by, store.get()));
		},
		turn() {
			if (desk()?.step === 'confirm' && isSeen(store.get(), 'perp confirm', nowMs())) {
				change(now => ({...now, answer: now.answer === 'cancel' ? 'sign' : 'cancel'}));
			}
		},
		scroll: by => change(d => deskScrolled(d, by, store.get())),
		toggleRaw: () => change(d => ({...d, isRaw: !d.isRaw, scroll: 0})),
		edit(transition) {
			const d = desk();
			if (d?.step === 'unlock' || (d?.step === 'accept' && isSeen(store.get(), 'perp accept', nowMs()))) {
				change(({problem: _, ...now}) => ({...now, typed: transition(now.typed)}));
			}
		},
		paste(pasted) {
			if (desk()?.step === 'unlock') this.edit(edit => text.textInserted(edit, pasted.trim()));
		},
		close() {
			if (flow && !isUnderWay(flow.view.state)) watching?.abort();
			store.apply(({perp: _, ...rest}) => rest);
		},
	};
}
