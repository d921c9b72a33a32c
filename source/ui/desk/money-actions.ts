import {explain} from '../../errors.ts';
import type {Actions} from '../../monitor/actions.ts';
import type {Mode} from '../../monitor/mode.ts';
import {type MonitorState, type Offers, topMode} from '../../monitor/state.ts';
import * as text from '../../monitor/transitions/text-edit.ts';
import type {Store} from '../../store.ts';
import {createActionLogActions} from '../features/action-log/action-log-actions.ts';
import type {MoneyKeys} from './bridge-desk.ts';
import type {Desk, MoneyKind} from './desk.ts';
import type {DeskState} from './desk-state.ts';

const EDITS = {
	charDeleted: text.charDeleted,
	nextCharDeleted: text.nextCharDeleted,
	wordDeleted: text.wordDeleted,
	lineDeleted: text.lineDeleted,
} as const;

function isMoney(kind: Mode['kind']): kind is MoneyKind {
	return kind === 'bridge' || kind === 'perp' || kind === 'vault';
}

/** While the trading room is loaded, the window can only be left. */
const NOT_OPEN_YET: Offers = {'money.back': 'close'};

/** The verbs of the money windows. They load the desk when it is first asked for. */
export type MoneyActions = ReturnType<typeof createMoneyActions>;

export interface MoneyActionsOptions {
	readonly store: Store<MonitorState>;
	readonly desk: Store<DeskState>;
	readonly actions: Actions;
	/** Loads the trading room, once. Rejects when the service is not there. */
	readonly load: () => Promise<Desk>;
	readonly nowMs: () => number;
	/** The journal of the money that this run works with; undefined where there is none. */
	readonly journalPath?: string;
}

export function createMoneyActions({store, desk, actions, load, nowMs, journalPath}: MoneyActionsOptions) {
	let loaded: Desk | undefined;
	let isKilled = false;

	function keys(): MoneyKeys | undefined {
		const {kind} = topMode(store.get());
		return isMoney(kind) ? loaded?.[kind] : undefined;
	}

	async function open(kind: MoneyKind): Promise<void> {
		actions.enterMode({kind});
		try {
			loaded ??= await load();
			// It may have been pressed before there was anything to lock.
			if (isKilled) loaded.wallet.kill();
			await loaded[kind].open();
		} catch (error) {
			const {what, why} = explain(error);
			if (topMode(store.get()).kind === kind) actions.leaveMode();
			actions.tell(`${what}: ${why}`, 'bad');
		}
	}

	return {
		...createActionLogActions({store, actions, journalPath}),
		openBridge: () => void open('bridge'),
		openPerp: () => void open('perp'),
		openVault: () => void open('vault'),
		/** What the window needs to draw its lines; undefined until the desk is loaded. */
		moneyRows: (): Desk['rows'] | undefined => loaded?.rows,
		/** A step of a window is in sight from now on. */
		moneyDrawn: (what: string) =>
			desk.apply(state => (state.drawn?.what === what ? state : {...state, drawn: {what, atMs: nowMs()}})),
		/** The actions that do something in a money window; undefined for another. */
		moneyOffers: ({kind}: Mode): Offers | undefined =>
			isMoney(kind) ? (loaded?.offers(kind) ?? NOT_OPEN_YET) : undefined,
		/** How far the window can be scrolled, lines. */
		moneyReach: (reach: number) => desk.apply(state => (state.reach === reach ? state : {...state, reach})),
		/** Scrolls the window to a line. */
		moneyReveal: (kind: MoneyKind, scroll: number) =>
			desk.apply(state => (state[kind] ? {...state, [kind]: {...state[kind], scroll}} : state)),
		moneyAccept: () => void keys()?.accept(),
		moneyBack: () => {
			const current = keys();
			if (current?.back()) return;
			current?.close();
			actions.leaveMode();
		},
		moneyMove: (by: 1 | -1) => keys()?.move(by),
		moneyTurn: (by: 1 | -1) => keys()?.turn(by),
		moneyScroll: (by: 1 | -1) => keys()?.scroll(by * Math.max(store.get().size.rows - 8, 1)),
		moneyRaw: () => keys()?.toggleRaw(),
		/** Writes what is about to be signed to a file. */
		moneyExport: () => {
			const {kind} = topMode(store.get());
			if (isMoney(kind)) loaded?.exportDocument(kind);
		},
		/** A second has passed with a money window open. */
		moneyTick: (kind: MoneyKind) => loaded?.tick(kind),
		moneyType: (typed: string) => keys()?.edit(edit => text.textInserted(edit, typed)),
		moneyPaste: (pasted: string) => keys()?.paste(pasted),
		moneyEdit: (name: keyof typeof EDITS) => keys()?.edit(EDITS[name]),
		lockWallet: () => {
			if (!loaded) return actions.tell('No wallet is unlocked.', 'warn');
			loaded.wallet.lock();
			actions.tell('The wallet is locked.');
		},
		killWallet: () => {
			isKilled = true;
			loaded?.wallet.kill();
			actions.tell('Signing is locked until you restart pulsetop.', 'warn');
		},
	};
}
