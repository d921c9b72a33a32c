import type {MonitorState, Offers} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import type {Row} from '../../terminal/style.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {isInFlight} from '../../trading/bridge/machine.ts';
import {stateWords} from '../../trading/bridge/words.ts';
import type {Trading} from '../../trading/open-trading.ts';
import {openPracticeVault} from '../../trading/prediction/practice.ts';
import {createBridgeDesk, type MoneyKeys} from './bridge-desk.ts';
import {bridgeRows} from './bridge-rows.ts';
import {moneyOffers} from './desk-offers.ts';
import type {DeskState} from './desk-state.ts';
import {createDeskWallet, type DeskWallet, type DeskWalletOptions} from './desk-wallet.ts';
import type {MoneyLook} from './money-rows.ts';
import {createPerpDesk} from './perp-desk.ts';
import {perpRows} from './perp-rows.ts';
import {createVaultDesk} from './vault-desk.ts';
import {vaultRows} from './vault-rows.ts';

/** The money windows over one wallet. Loaded when money is first asked for: signing is heavy, watching is not. */
export interface Desk {
	readonly wallet: DeskWallet;
	readonly bridge: MoneyKeys;
	readonly perp: MoneyKeys;
	readonly vault: MoneyKeys;
	/** The actions that do something in the window as it stands. */
	offers(kind: MoneyKind): Offers;
	/** The lines of the window that is open. */
	rows(kind: MoneyKind, look: MoneyLook): readonly Row[];
	/** Takes up transfers and cancels whose end an earlier run did not see: their status is read, nothing is sent. */
	resume(): Promise<number>;
}

export type MoneyKind = 'bridge' | 'perp' | 'vault';

export interface DeskOptions extends Omit<DeskWalletOptions, 'store'> {
	readonly store: Store<DeskState>;
	readonly monitor: Store<MonitorState>;
	readonly trading: Trading;
	readonly nowMs: () => number;
	readonly preferredChain: () => string | undefined;
}

export function createDesk({store, monitor, trading, nowMs, preferredChain, ...options}: DeskOptions): Desk {
	const wallet = createDeskWallet({store, trading, ...options});

	/** The first line of the screen tells of a transfer under way, whatever window is open. */
	function onTransfer({view: {state}}: BridgeFlow): void {
		const {title, tone} = stateWords(state);
		monitor.apply(now => {
			const {transfer: _, ...rest} = now;
			return isInFlight(state) ? {...rest, transfer: {text: `bridge: ${title.toLowerCase()}`, tone}} : rest;
		});
	}

	const bridge = createBridgeDesk({store, wallet, nowMs, onTransfer, preferredChain});
	const perp = createPerpDesk({store, wallet, nowMs});
	const {practice} = options;
	/** The contracts of smart accounts, with test money there for the wallet. */
	const place = async () => {
		const address = trading.signer?.state.address;
		return practice && address !== undefined ? openPracticeVault(practice, trading.chains, address) : undefined;
	};
	const vault = createVaultDesk({store, wallet, place, flowOf: trading.vaultFlow, nowMs});
	return {
		wallet,
		bridge,
		perp,
		vault,
		offers: kind => moneyOffers(kind, store.get()),
		rows(kind, look) {
			const {bridge, perp, vault, wallet: shown} = store.get();
			if (kind === 'bridge') return bridge ? bridgeRows(bridge, shown, look) : [];
			if (kind === 'vault') return vault ? vaultRows(vault, shown, look) : [];
			return perp ? perpRows(perp, shown, look) : [];
		},
		async resume() {
			const open = await trading.openIntents();
			for (const {intentId} of open) {
				if ((await wallet.open()) === 'none') break;
				const flow = await trading.bridgeFlow();
				flow.resume(intentId);
				bridge.takeUp(flow);
			}
			const cancels = await trading.openCancels();
			for (const {key} of cancels) {
				if ((await wallet.open()) === 'none') break;
				const flow = await trading.cancelFlow();
				flow.resume(key);
				perp.takeUp(flow);
			}
			const actions = await trading.openVaultActions();
			const known = actions.length > 0 && (await wallet.open()) !== 'none' ? await place() : undefined;
			for (const {hash} of known ? actions : []) {
				const flow = await trading.vaultFlow(known!);
				flow.resume(hash);
				vault.takeUp(flow);
			}
			return open.length + cancels.length + actions.length;
		},
	};
}
