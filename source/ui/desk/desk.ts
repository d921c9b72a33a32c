import {explain, PulsetopError} from '../../errors.ts';
import type {MonitorState, Offers} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import type {Row} from '../../terminal/style.ts';
import {clean} from '../../text.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import {isInFlight} from '../../trading/bridge/machine.ts';
import type {Trading} from '../../trading/open-trading.ts';
import {openPracticeVault} from '../../trading/prediction/practice.ts';
import {createBridgeDesk, type MoneyKeys} from './bridge-desk.ts';
import {bridgeRows} from './bridge-rows.ts';
import {moneyOffers} from './desk-offers.ts';
import {type BridgeDesk, type DeskState, drawnName, isSeen} from './desk-state.ts';
import {createDeskWallet, type DeskWallet, type DeskWalletOptions} from './desk-wallet.ts';
import {documentOf, writeDocument} from './money-document.ts';
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
	/** Writes what the open window would sign to a file; does nothing where there is nothing to sign, or it was not seen yet. */
	exportDocument(kind: MoneyKind): void;
	/** The actions that do something in the window as it stands. */
	offers(kind: MoneyKind): Offers;
	/** The lines of the window that is open. */
	rows(kind: MoneyKind, look: MoneyLook): readonly Row[];
	/** A second has passed with this window open: a quote may have become too old. */
	tick(kind: MoneyKind): void;
	/** Takes up transfers and cancels whose end an earlier run did not see: their status is read, nothing is sent. */
	resume(): Promise<number>;
}

/** The disk did not take a document. */
class NotWritten extends PulsetopError {
	readonly code = 'not-written';

	constructor(cause: unknown) {
		super('The document could not be written', {
			why: cause instanceof Error ? clean(cause.message) : 'the disk refused it',
			next: 'retry-later',
			cause,
		});
	}
}

export type MoneyKind = 'bridge' | 'perp' | 'vault';

export interface DeskOptions extends Omit<DeskWalletOptions, 'store'> {
	readonly store: Store<DeskState>;
	readonly monitor: Store<MonitorState>;
	readonly trading: Trading;
	readonly nowMs: () => number;
	readonly preferredChain: () => string | undefined;
	/** Where exported documents are written. */
	readonly documentsDir: string;
}

export function createDesk({
	store,
	monitor,
	trading,
	nowMs,
	preferredChain,
	documentsDir,
	...options
}: DeskOptions): Desk {
	const wallet = createDeskWallet({store, trading, ...options});

	/** The first line of the screen tells of a transfer under way, whatever window is open. */
	function onTransfer({view: {state}}: BridgeFlow): void {
		const {title, tone} = describeBridge(state);
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
		exportDocument(kind) {
			const state = store.get();
			const document = documentOf(kind, state);
			if (!document || state[kind]?.busy !== undefined || !isSeen(state, drawnName(kind, state[kind]), nowMs())) return;
			let news: Pick<BridgeDesk, 'problem' | 'writtenTo'>;
			try {
				news = {writtenTo: writeDocument(documentsDir, kind, document, nowMs())};
			} catch (error) {
				news = {problem: explain(new NotWritten(error))};
			}
			store.apply(now => {
				const {problem: _, writtenTo: __, ...rest} = now[kind]!;
				return {...now, [kind]: {...rest, ...news}};
			});
		},
		offers: kind => moneyOffers(kind, store.get()),
		rows(kind, look) {
			const {bridge, perp, vault, wallet: shown} = store.get();
			if (kind === 'bridge') return bridge ? bridgeRows(bridge, shown, look) : [];
			if (kind === 'vault') return vault ? vaultRows(vault, shown, look) : [];
			return perp ? perpRows(perp, shown, look) : [];
		},
		tick(kind) {
			({bridge, perp, vault})[kind].tick?.();
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
