import type {TradeSide} from '../../contract/trade-target.ts';
import {explain} from '../../errors.ts';
import type {MonitorActions} from '../../monitor/actions.ts';
import type {Mode, ModeOf} from '../../monitor/mode.ts';
import {isStarting} from '../../monitor/select.ts';
import {type KeyHints, type MonitorState, topMode} from '../../monitor/state.ts';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import type {MoneyWindow} from './controller.ts';
import {MONEY_KINDS, type MoneyKind, type MoneyState, type MoneyStep} from './money-state.ts';
import type {MoneyWindows} from './money-windows.ts';
import {createTradeKeys, judge, type LiveRow} from './trade-key.ts';

function isMoney(kind: Mode['kind']): kind is MoneyKind {
	return (MONEY_KINDS as readonly string[]).includes(kind);
}

type MoneyMode = {readonly kind: Exclude<MoneyKind, 'trade'>} | ModeOf<'trade'>;

const SIGNING_LOCKED = 'Signing is locked until you restart pulsetop.';

/** While trading is loaded, the window can only be left. */
const NOT_OPEN_YET: KeyHints = {'money.back': 'close'};

/** The actions of the money windows. The first action that needs the windows loads them. */
export type MoneyActions = ReturnType<typeof createMoneyActions>;

export interface MoneyActionsOptions {
	readonly store: Store<MonitorState>;
	readonly money: Store<MoneyState>;
	readonly actions: MonitorActions;
	/** Loads trading and the windows, once. Rejects when the service is not there. */
	readonly load: () => Promise<MoneyWindows>;
	readonly nowMs: () => number;
}

/**
 * Waits for the first answer of the service.
 * @param mode of the window that waits
 * @returns false when the window was closed meanwhile
 */
function whenStarted(store: Store<MonitorState>, mode: Mode): Promise<boolean> {
	return new Promise(resolve => {
		const look = (): void => {
			const {link, modes} = store.get();
			const isOpen = modes.includes(mode);
			if (isOpen && isStarting(link)) return;
			unsubscribe();
			resolve(isOpen);
		};
		const unsubscribe = store.subscribe(look);
		look();
	});
}

/** Makes the actions of the money windows. @param load imports and opens them, once */
export function createMoneyActions({store, money, actions, load, nowMs}: MoneyActionsOptions) {
	let loaded: MoneyWindows | undefined;
	let isSigningLocked = false;

	/** The window that is open and loaded. */
	function window(): MoneyWindow | undefined {
		const {kind} = topMode(store.get());
		return isMoney(kind) ? loaded?.windows[kind] : undefined;
	}

	/** The step of the open window. */
	function stepNow(): MoneyStep | undefined {
		const {kind} = topMode(store.get());
		return isMoney(kind) ? money.get()[kind]?.step : undefined;
	}

	const tradeKeys = createTradeKeys(store, nowMs, actions.moments);

	/** The trade window that is being opened, and the last number key that was pressed meanwhile. */
	let opening: {readonly mode: Mode; ahead?: string} | undefined;

	/** Opens a trade window. `+` and `2` pressed fast are the same as slowly: they lead to a review, which has to be seen. */
	async function openTrade(windows: MoneyWindows, mode: ModeOf<'trade'>): Promise<void> {
		// Esc may have closed the window while the code was loaded.
		if (!store.get().modes.includes(mode)) return;
		await windows.windows.trade.open(mode.target);
		const ahead = opening?.mode === mode ? opening.ahead : undefined;
		// In a window that asks for a passphrase first, the key was none of it.
		const isForm = topMode(store.get()) === mode && money.get().trade?.step === 'form';
		if (isForm && ahead !== undefined) windows.windows.trade.type(ahead);
	}

	/** @param mode the window; that of a trade with what is traded */
	async function open(mode: MoneyMode): Promise<void> {
		const {kind} = mode;
		actions.enterMode(mode);
		const mine = {mode};
		opening = mine;
		try {
			if (!(await whenStarted(store, mode))) return;
			loaded ??= await load();
			// The key may have been pressed before there was anything to lock.
			if (isSigningLocked) loaded.wallet.lockSigning();
			await (kind === 'trade' ? openTrade(loaded, mode) : loaded.windows[kind].open());
		} catch (error) {
			const {what, why, advice} = explain(error);
			if (topMode(store.get()).kind === kind) actions.leaveMode();
			actions.notify(`${what}: ${why}`, 'bad', advice);
		} finally {
			if (opening === mine) opening = undefined;
		}
	}

	function type(typed: string): void {
		const isOpening = opening !== undefined && opening.mode === topMode(store.get());
		if (isOpening && opening!.mode.kind === 'trade') {
			if (/^[1-9]$/.test(typed)) opening!.ahead = typed;
		} else window()?.type(typed);
	}

	return {
		/** Opens a window; what goes wrong is shown as a notice. */
		moneyOpen: (kind: Exclude<MoneyKind, 'trade'>) => void open({kind}),
		/** A trade key: opens the window for the token under the cursor, as it is now, or says why not. */
		tradeOpen: (side: TradeSide) => {
			const pressed = isSigningLocked ? {why: SIGNING_LOCKED} : tradeKeys.press(side);
			if (pressed === undefined) return;
			if ('target' in pressed) void open({kind: 'trade', target: pressed.target});
			else actions.notify(pressed.why, 'warn');
		},
		/** A trade key on a screen that lists tokens itself: opens the window for the marked one, or says why not. */
		tradeRow: (row: LiveRow, side: TradeSide) => {
			const pressed = isSigningLocked
				? {why: SIGNING_LOCKED}
				: judge(store.get(), row, {side, atMs: nowMs(), moments: actions.moments()});
			if ('target' in pressed) void open({kind: 'trade', target: pressed.target});
			else actions.notify(pressed.why, 'warn');
		},
		/** The mouse placed the cursor: trade keys wait a moment. */
		tradeRowClicked: () => tradeKeys.clicked(),
		/** Draws the lines of a window; undefined until that code is loaded. */
		moneyContent: () => loaded && ((kind: MoneyKind, nowMs: number) => loaded!.windows[kind].content(nowMs)),
		/** The age of what a window shows, for its title. */
		moneyAge: (kind: MoneyKind) => loaded?.windows[kind].age(),
		/** A step of a window is in sight from now on. */
		moneyDrawn: (what: string) =>
			money.apply(state => (state.drawn?.what === what ? state : {...state, drawn: {what, atMs: nowMs()}})),
		/** The actions that do something in a money window; undefined for another. */
		moneyHints: ({kind}: Mode): KeyHints | undefined =>
			isMoney(kind) ? (loaded?.windows[kind].hints() ?? NOT_OPEN_YET) : undefined,
		/** How far the window can be scrolled, lines. */
		moneyReach: (reach: number) => money.apply(state => (state.reach === reach ? state : {...state, reach})),
		/** Scrolls the window to a line. */
		moneyReveal: (kind: MoneyKind, scroll: number) =>
			money.apply(state => (state[kind] ? {...state, [kind]: {...state[kind], scroll}} : state)),
		/** Any key: in a money window the person is there, and the wallet does not lock itself. */
		keyPressed: () => {
			if (isMoney(topMode(store.get()).kind)) loaded?.wallet.keepUnlocked();
		},
		moneyAccept: () => void window()?.accept(),
		moneyBack: () => {
			const current = window();
			if (current?.back()) return;
			current?.close();
			actions.leaveMode();
		},
		moneyTurn: (by: 1 | -1) => window()?.turn(by),
		moneyScroll: (by: 1 | -1) => window()?.scroll(by * Math.max(store.get().size.rows - 8, 1)),
		/** @param key the one that was pressed */
		moneyMove: (by: 1 | -1, key: string) => {
			if (key === 'tab' && stepNow() === 'review') window()?.toggle('details');
			else window()?.move(by);
		},
		moneyRaw: () => window()?.toggle('raw'),
		/** Writes what is about to be signed to a file. */
		moneyExport: () => window()?.exportDocument(),
		/** A second has passed with a money window open. */
		moneyTick: (kind: MoneyKind) => loaded?.windows[kind].tick(),
		moneyType: type,
		moneyPaste: (pasted: string) => window()?.paste(pasted),
		moneyEdit: (change: (edit: TextEdit) => TextEdit) => window()?.edit(change),
		lockWallet: () => {
			if (!loaded) return actions.notify('No wallet is unlocked.', 'warn');
			loaded.wallet.lock();
			actions.notify('The wallet is locked.');
		},
		lockSigning: () => {
			isSigningLocked = true;
			loaded?.wallet.lockSigning();
			actions.notify(SIGNING_LOCKED, 'warn');
		},
	};
}
