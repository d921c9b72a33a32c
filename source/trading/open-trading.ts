import {join} from 'node:path';
import type {Client} from '../client/client.ts';
import type {Provider} from '../contract/provider.ts';
import {PulsetopError} from '../errors.ts';
import type {BridgeFlow} from './bridge/flow.ts';
import type {JournaledIntent} from './bridge/journal-fold.ts';
import {type Caps, openCaps} from './caps.ts';
import type {ChainReader} from './chain-reader.ts';
import {type Journal, openJournal} from './journal.ts';
import {journalFiles} from './journal-files.ts';
import {type Keystore, openKeystore} from './keystore.ts';
import {PRACTICE_CONTRACTS, REAL_CONTRACTS} from './known-contracts.ts';
import {earlierNowMs} from './live-signature.ts';
import {openChains} from './open-chains.ts';
import type {CancelFlow} from './perp/flow.ts';
import type {JournaledCancel} from './perp/journal-fold.ts';
import {openPins, type Pins} from './pins.ts';
import type {WalletMode} from './practice.ts';
import type {PredictionPlace} from './prediction/checks.ts';
import type {PredictionFlow} from './prediction/flow.ts';
import type {JournaledPrediction} from './prediction/journal-fold.ts';
import {createSigner, type Signer} from './signer.ts';

/** A flow needs a wallet, and none is chosen. */
class NoWallet extends PulsetopError {
	readonly code = 'no-wallet';

	constructor(mode: WalletMode) {
		super('There is no wallet to act with', {
			why: `no wallet was chosen in ${mode} mode, or its key file does not name its address`,
			next: 'unlock',
		});
	}
}

export interface TradingOptions {
	readonly dataDir: string;
	/** `practice` on the embedded service, `real` on any other. */
	readonly mode: WalletMode;
	readonly client: Pick<Client, 'call' | 'clock'>;
	readonly provider?: Provider;
	/** The service, where it also serves its practice chains. */
	readonly practice?: {readonly baseUrl: string; readonly apiKey?: string};
	/** Nodes by chain id, for real chains. */
	readonly rpcUrls?: Readonly<Record<string, string>>;
	/** Largest loss of a transfer that is allowed, percent of the amount that leaves. */
	readonly maxLossPercent?: number;
	/** Whether a signature requires a simulation of its moves by the user's node. */
	readonly requiresSimulation?: boolean;
	/** See SignerOptions. */
	readonly autoLockMs?: number;
	/** scrypt's N for new key files; tests take a small one. */
	readonly scryptCost?: number;
}

/** The user's side of all money flows, over one directory. A flow's code is loaded with its first use. */
export interface Trading extends TradingFiles {
	readonly mode: WalletMode;
	readonly chains: ChainReader;
	/** The wallet in use: undefined until `choose`. */
	readonly signer: Signer | undefined;
	/** Takes a wallet by name, locked; the one before is locked. @throws WalletName */
	choose(name: string): Signer;
	/** Locks signing until restart: the chosen wallet, and any chosen later. */
	lockSigning(): void;
	/** A transfer of the chosen wallet. @throws NoWallet */
	bridgeFlow(options?: {readonly maxQuoteAgeMs?: number}): Promise<BridgeFlow>;
	/** Cancels of the chosen wallet. @throws NoWallet */
	cancelFlow(): Promise<CancelFlow>;
	/** The smart account of the chosen wallet for prediction markets. @throws NoWallet */
	predictionFlow(place: PredictionPlace): Promise<PredictionFlow>;
	/** Transactions around smart accounts whose end is not known yet: each is to be resumed with `predictionFlow(...).resume(hash)`. */
	openPredictions(): Promise<readonly JournaledPrediction[]>;
	/** Intents whose end is not known yet: each is to be resumed with `bridgeFlow().resume(intentId)`. */
	openIntents(): Promise<readonly JournaledIntent[]>;
	/** Takes back the ends whose blocks were replaced: see bridge/ends.ts. @returns the intents that are open again by that */
	recheckEnds(mayRead?: (chainId: string) => boolean): Promise<readonly JournaledIntent[]>;
	/** Cancels whose end is not known yet: each is to be resumed with `cancelFlow().resume(key)`. */
	openCancels(): Promise<readonly JournaledCancel[]>;
}

/** Files of a mode on this machine: readable without a service. */
export interface TradingFiles {
	readonly keystore: Keystore;
	readonly caps: Caps;
	readonly pins: Pins;
	readonly journal: Journal;
}

/** The keys, limits, pins and journal of a mode, under `<dataDir>/trading/<mode>`. */
export function openTradingFiles({
	dataDir,
	mode,
	scryptCost,
	client,
}: Pick<TradingOptions, 'dataDir' | 'mode' | 'scryptCost'> & Partial<Pick<TradingOptions, 'client'>>): TradingFiles {
	const tradingDir = join(dataDir, 'trading');
	const own = (file: string) => join(tradingDir, mode, file);
	const {path, headPath} = journalFiles(dataDir, mode);
	const journal = openJournal(path, {headPath});
	// A clock of this machine that was set forward makes no day pass, once a service has said its time.
	const nowMs = client ? () => earlierNowMs(client.clock) : Date.now;
	return {
		keystore: openKeystore(tradingDir, mode, scryptCost === undefined ? {} : {cost: scryptCost}),
		caps: openCaps(own('caps.json'), {journal, nowMs}),
		pins: openPins(own('pins.json'), {known: mode === 'practice' ? PRACTICE_CONTRACTS : REAL_CONTRACTS}),
		journal,
	};
}

/** Opens everything that money flows need. Each mode has its own keys, pins, limits and journal under `<dataDir>/trading/<mode>`. */
export function openTrading(options: TradingOptions): Trading {
	const {mode, client, provider, autoLockMs, requiresSimulation} = options;
	const {keystore, caps, pins, journal} = openTradingFiles(options);
	const chains = openChains(options);
	let signer: Signer | undefined;
	let isSigningLocked = false;

	function parts() {
		const name = signer?.state.name;
		const address = signer?.state.address ?? keystore.list().find(row => row.name === name)?.address;
		if (!signer || address === undefined) throw new NoWallet(mode);
		const {call, clock} = client;
		return {
			call,
			clock,
			signer,
			address,
			chains,
			caps,
			pins,
			journal,
			...(provider ? {provider} : {}),
			...(requiresSimulation === undefined ? {} : {requiresSimulation}),
		};
	}

	return {
		mode,
		keystore,
		caps,
		pins,
		journal,
		chains,
		get signer() {
			return signer;
		},
		choose(name) {
			signer?.lock('another wallet was chosen');
			signer = createSigner({keystore, name, caps, journal, ...(autoLockMs === undefined ? {} : {autoLockMs})});
			if (isSigningLocked) signer.lockSigning();
			return signer;
		},
		lockSigning() {
			isSigningLocked = true;
			signer?.lockSigning();
		},
		async bridgeFlow({maxQuoteAgeMs} = {}) {
			const given = parts();
			const [{createBridgeFlow}, {TRADES}] = await Promise.all([
				import('./bridge/flow.ts'),
				import('./trade/policy.ts'),
			]);
			const {maxLossPercent} = options;
			return createBridgeFlow({
				...given,
				trades: TRADES,
				...(maxQuoteAgeMs === undefined ? {} : {maxQuoteAgeMs}),
				...(maxLossPercent === undefined ? {} : {maxLossPercent}),
			});
		},
		async cancelFlow() {
			const given = parts();
			const {createCancelFlow} = await import('./perp/flow.ts');
			return createCancelFlow(given);
		},
		async predictionFlow(place) {
			const given = parts();
			const {createPredictionFlow} = await import('./prediction/flow.ts');
			return createPredictionFlow({...given, place});
		},
		async openPredictions() {
			const {openPredictions} = await import('./prediction/journal-fold.ts');
			return openPredictions(journal);
		},
		async openIntents() {
			const {openIntents} = await import('./bridge/journal-fold.ts');
			return openIntents(journal, chains.knows);
		},
		async recheckEnds(mayRead) {
			const {recheckEnds} = await import('./bridge/ends.ts');
			return recheckEnds({journal, caps, chains}, mayRead);
		},
		async openCancels() {
			const {openCancels} = await import('./perp/journal-fold.ts');
			return openCancels(journal);
		},
	};
}
