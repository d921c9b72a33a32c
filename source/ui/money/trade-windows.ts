import type {TradeTarget} from '../../contract/trade-target.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {type ControllerOptions, createController, type MoneyController, type MoneyWindow} from './controller.ts';
import type {MoneyState, TradeForm} from './money-state.ts';
import {type TradePartOptions, tradePart} from './trade.ts';
import {type TradeSettings, tradeFormOf} from './trade-form.ts';

/** The window of trades. Each token and side has a flow of its own: while one is under way, another token can be traded. */
export interface TradeWindows extends Omit<MoneyWindow, 'open'> {
	open(target: TradeTarget): Promise<void>;
	/** Follows a trade of an earlier run. */
	takeUp(flow: BridgeFlow, of: Pick<TradeTarget, 'side' | 'chainId' | 'address'>): void;
}

export interface TradeWindowsOptions extends TradePartOptions {
	readonly settings: () => TradeSettings;
}

/** Opens a controller for each token and side, of which one at most is shown. */
export function createTradeWindows(options: TradeWindowsOptions, shared: ControllerOptions): TradeWindows {
	const controllers = new Map<string, MoneyController<BridgeFlow, TradeForm>>();
	let shownKey: string | undefined;

	function controllerOf(target: Pick<TradeTarget, 'side' | 'chainId' | 'address'>) {
		const key = `${target.side}|${target.chainId}|${target.address.toLowerCase()}`;
		let controller = controllers.get(key);
		if (!controller) {
			const store = onlyWhile(() => shownKey === key, shared.store);
			controller = createController(tradePart(options), {...shared, store});
			controllers.set(key, controller);
		}
		return {key, controller};
	}
	const shown = () => (shownKey === undefined ? undefined : controllers.get(shownKey));

	return {
		async open(target) {
			const {key, controller} = controllerOf(target);
			shownKey = key;
			await controller.open(tradeFormOf(target, options.settings()));
		},
		takeUp: (flow, of) => controllerOf(of).controller.takeUp(flow),
		close() {
			const controller = shown();
			controller?.close();
			if (shownKey !== undefined && !controller?.isUnderWay()) controllers.delete(shownKey);
			shownKey = undefined;
		},
		accept: async () => shown()?.accept(),
		back: () => shown()?.back() ?? false,
		move: by => shown()?.move(by),
		turn: by => shown()?.turn(by),
		scroll: by => shown()?.scroll(by),
		age: () => shown()?.age(),
		toggle: part => shown()?.toggle(part),
		exportDocument: () => shown()?.exportDocument(),
		type: key => shown()?.type(key),
		edit: change => shown()?.edit(change),
		paste: pasted => shown()?.paste(pasted),
		tick: () => shown()?.tick(),
		content: nowMs => shown()?.content(nowMs),
		hints: () => shown()?.hints() ?? {'money.back': 'close'},
	};
}

/** The store as a window sees it that is not always the one that is shown: then it has no state, and changes none of its own. */
function onlyWhile(isShown: () => boolean, store: ControllerOptions['store']): ControllerOptions['store'] {
	return {
		...store,
		get: () => (isShown() ? store.get() : withoutTrade(store.get())),
		apply(change) {
			if (isShown()) return store.apply(change);
			store.apply(state => {
				const changed = change(withoutTrade(state));
				return {...withoutTrade(changed), ...(state.trade && {trade: state.trade})};
			});
		},
	};
}

function withoutTrade({trade: _, ...state}: MoneyState): MoneyState {
	return state;
}
