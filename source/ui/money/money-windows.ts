import {PulsetopError} from '../../errors.ts';
import {isCodeGone} from '../../installation.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeView} from '../../trading/bridge/flow.ts';
import type {JournaledIntent} from '../../trading/bridge/journal-fold.ts';
import {isInFlight} from '../../trading/bridge/machine.ts';
import type {Trading} from '../../trading/open-trading.ts';
import {listPracticeChains} from '../../trading/practice-funds.ts';
import {openPracticePrediction} from '../../trading/prediction/practice.ts';
import {bridgePart} from './bridge.ts';
import {createController, type MoneyWindow} from './controller.ts';
import type {MoneyKind, MoneyState} from './money-state.ts';
import {createMoneyWallet, type MoneyWallet, type MoneyWalletOptions} from './money-wallet.ts';
import {perpPart} from './perp.ts';
import {predictionPart} from './prediction.ts';
import {createTradeWindows, type TradeWindows, type TradeWindowsOptions} from './trade-windows.ts';

/** The money windows over one wallet. Loaded with the first money window: the code that signs is large. */
export interface MoneyWindows {
	readonly wallet: MoneyWallet;
	readonly windows: Readonly<Record<Exclude<MoneyKind, 'trade'>, MoneyWindow>> & {readonly trade: TradeWindows};
	/** Follows what an earlier run sent and whose end is not known: it is only read. @returns how many there are */
	resume(): Promise<number>;
}

export interface MoneyWindowsOptions extends Omit<MoneyWalletOptions, 'store'> {
	readonly store: Store<MoneyState>;
	readonly monitor: Store<MonitorState>;
	readonly trading: Trading;
	/** Local Unix ms. */
	readonly nowMs: () => number;
	/** Chain of the token that is looked at. */
	readonly preferredChain: () => string | undefined;
	/** Where exported documents are written. */
	readonly documentsDir: string;
	readonly trade: Pick<TradeWindowsOptions, 'settings' | 'payingChain' | 'targetNow'>;
}

/** How often ends are looked at again whose blocks are not final. */
const RECHECK_MS = 15_000;

/** Opens the money windows over one wallet, whose state `store` has. */
export function createMoneyWindows({
	store,
	monitor,
	trading,
	nowMs,
	preferredChain,
	documentsDir,
	trade: tradeOptions,
	...options
}: MoneyWindowsOptions): MoneyWindows {
	const wallet = createMoneyWallet({store, trading, ...options});

	/** The first line of the screen shows a transfer under way, whatever window is open. */
	function onTransfer(state: BridgeView['state'], what = 'bridge'): void {
		const {title, tone} = describeBridge(state);
		monitor.apply(now => {
			const {transfer: _, ...rest} = now;
			return isInFlight(state) ? {...rest, transfer: {text: `${what}: ${title.toLowerCase()}`, tone}} : rest;
		});
	}

	const {practice} = options;

	/** Takes back the ends whose blocks were replaced. A practice chain is not started for that: it replaces nothing while it rests. */
	async function recheckEnds(): Promise<readonly JournaledIntent[]> {
		try {
			const chains = practice && (await listPracticeChains(practice));
			return await trading.recheckEnds(
				chainId => chains?.find(row => row.chainId === chainId)?.isRunning ?? chains === undefined,
			);
		} catch (error) {
			// A failed read is repeated the next time.
			if (error instanceof PulsetopError || isCodeGone(error)) return [];
			throw error;
		}
	}

	async function followTransfer({intentId, intended}: JournaledIntent): Promise<void> {
		const flow = await trading.bridgeFlow();
		flow.resume(intentId);
		const {trade: traded} = intended;
		if (traded) trade.takeUp(flow, {...traded, address: traded.token});
		else bridge.takeUp(flow);
	}

	async function followTakenBack(): Promise<void> {
		const back = await recheckEnds();
		if (back.length === 0 || (await wallet.open()) === 'none') return;
		for (const intent of back) await followTransfer(intent);
	}

	/** The contracts of smart accounts, with test money there for the wallet. */
	const place = async () => {
		const address = trading.signer?.state.address;
		return practice && address !== undefined ? openPracticePrediction(practice, trading.chains, address) : undefined;
	};
	const shared = {store, wallet, nowMs, documentsDir};
	const bridge = createController(bridgePart({wallet, preferredChain, onTransfer: state => onTransfer(state)}), shared);
	const onTrade = (state: BridgeView['state']): void => onTransfer(state, 'trade');
	const trade = createTradeWindows({wallet, onTrade, ...tradeOptions}, shared);
	const perp = createController(perpPart({wallet}), shared);
	const predictionAccount = createController(predictionPart({place, flowOf: trading.predictionFlow}), shared);
	setInterval(() => void followTakenBack(), RECHECK_MS).unref();
	return {
		wallet,
		windows: {bridge, perp, predictionAccount, trade},
		async resume() {
			await recheckEnds();
			const transfers = await trading.openIntents();
			const cancels = await trading.openCancels();
			const actions = await trading.openPredictions();
			const count = transfers.length + cancels.length + actions.length;
			if (count === 0 || (await wallet.open()) === 'none') return count;
			for (const intent of transfers) await followTransfer(intent);
			for (const {key} of cancels) {
				const flow = await trading.cancelFlow();
				flow.resume(key);
				perp.takeUp(flow);
			}
			const known = actions.length > 0 ? await place() : undefined;
			for (const {hash} of known ? actions : []) {
				const flow = await trading.predictionFlow(known!);
				flow.resume(hash);
				predictionAccount.takeUp(flow);
			}
			return count;
		},
	};
}
