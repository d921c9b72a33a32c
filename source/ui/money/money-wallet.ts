import type {Store} from '../../store.ts';
import type {BridgeFlow} from '../../trading/bridge/flow.ts';
import type {Trading, TradingOptions} from '../../trading/open-trading.ts';
import type {CancelFlow} from '../../trading/perp/flow.ts';
import {listPracticeChains, type PracticeService} from '../../trading/practice-funds.ts';
import {openPracticeWallet} from '../../trading/practice-wallet.ts';
import type {MoneyState, TokenChoice} from './money-state.ts';

/** The wallet behind the windows: chosen, unlocked and locked here, never seen. */
export interface MoneyWallet {
	openingText(): string;
	/** Makes the wallet ready as far as that needs no passphrase. */
	open(): Promise<'none' | 'locked' | 'unlocked'>;
	/** @param passphrase is wiped by the signer */
	unlock(passphrase: Uint8Array): Promise<void>;
	lock(): void;
	/** A key was pressed: an unlocked wallet stays so for another while. */
	keepUnlocked(): void;
	/** Locks signing for the rest of the run. */
	lockSigning(): void;
	tokens(): Promise<{readonly origins: readonly TokenChoice[]; readonly destinations: readonly TokenChoice[]}>;
	/** A token in the wallet; undefined where its chain is not known, has none, or was never started. */
	holding(chainId: string, address: string): Promise<TokenChoice | undefined>;
	bridgeFlow(): Promise<BridgeFlow>;
	cancelFlow(): Promise<CancelFlow>;
	/** Places an order with test money, to have something to cancel. Undefined where money is real. */
	readonly placePracticeOrder: (() => Promise<void>) | undefined;
}

export interface MoneyWalletOptions {
	readonly store: Store<MoneyState>;
	readonly trading: Trading;
	readonly client: TradingOptions['client'];
	/** The embedded service, in practice mode. */
	readonly practice?: PracticeService;
	/** Tokens that a real wallet may send and receive, from the configuration: `<chain id>:<address>`. */
	readonly tokens?: readonly {readonly chainId: string; readonly address: string}[];
	/** Name of the wallet to use, where there are several. */
	readonly walletName?: string;
}

/** Opens the wallet of the money windows: `store` has what they show of it. */
export function createMoneyWallet({
	store,
	trading,
	client,
	practice,
	tokens = [],
	walletName,
}: MoneyWalletOptions): MoneyWallet {
	let isFunded = false;

	function show(): void {
		const signer = trading.signer?.state;
		store.apply(state => ({
			...state,
			wallet: signer
				? {
						mode: trading.mode,
						status: signer.status,
						name: signer.name,
						...(signer.address !== undefined && {address: signer.address}),
						...(signer.why !== undefined && {why: signer.why}),
					}
				: {mode: trading.mode, status: 'none'},
		}));
	}

	function watch(): void {
		trading.signer?.subscribe(show);
		show();
	}

	async function choice({chainId, address}: {chainId: string; address: string}): Promise<TokenChoice[]> {
		const owner = trading.signer?.state.address;
		if (!trading.chains.knows(chainId)) return [];
		const {symbol, decimals} = await trading.chains.tokenInfo(chainId, address);
		const balanceRaw = owner === undefined ? undefined : await trading.chains.balance(chainId, address, owner);
		return [{chainId, address, symbol, decimals, ...(balanceRaw !== undefined && {balanceRaw})}];
	}

	/** The test stablecoin of each practice chain. A chain that was never started is empty, and is not started for this. */
	async function practiceChoices(service: PracticeService): Promise<TokenChoice[]> {
		const owner = trading.signer?.state.address;
		return Promise.all(
			(await listPracticeChains(service)).flatMap(({chainId, contracts, isNew, tokens: known}) =>
				known
					.filter(({address}) => address === contracts['usdc'])
					.map(async token => {
						if (owner === undefined) return {...token, chainId};
						return {
							...token,
							chainId,
							balanceRaw: isNew ? 0n : await trading.chains.balance(chainId, token.address, owner),
						};
					}),
			),
		);
	}

	return {
		openingText: () =>
			trading.mode === 'practice' ? 'Starting the practice chains and a wallet with test money' : 'Opening the wallet',
		async open() {
			const isUnlocked = trading.signer?.state.status === 'unlocked';
			// An attempt that failed may have unlocked the wallet and left it without money.
			if (isUnlocked && (isFunded || trading.mode !== 'practice')) return 'unlocked';
			if (trading.mode === 'practice' && practice) {
				await openPracticeWallet(trading, practice);
				isFunded = true;
				watch();
				return 'unlocked';
			}
			const rows = trading.keystore.list().filter(row => row.problem === undefined);
			const row = rows.find(({name}) => name === walletName) ?? rows[0];
			if (!row) return 'none';
			if (trading.signer === undefined) {
				trading.choose(row.name);
				watch();
			}
			return 'locked';
		},
		async unlock(passphrase) {
			await trading.signer?.unlock(passphrase);
			show();
		},
		lock: () => trading.signer?.lock(),
		keepUnlocked: () => trading.signer?.keepUnlocked(),
		lockSigning: () => trading.lockSigning(),
		async tokens() {
			const found = practice ? await practiceChoices(practice) : (await Promise.all(tokens.map(choice))).flat();
			// Tokens that can be sent stand first.
			const origins = found.toSorted((a, b) => Number((b.balanceRaw ?? 0n) > 0n) - Number((a.balanceRaw ?? 0n) > 0n));
			return {origins, destinations: found};
		},
		async holding(chainId, address) {
			if (practice) {
				const place = (await listPracticeChains(practice)).find(chain => chain.chainId === chainId);
				if (!place || place.isNew) return undefined;
			}
			// A token that the practice chain has not met yet is no contract there.
			if (!trading.chains.knows(chainId)) return undefined;
			if ((await trading.chains.account(chainId, address)).kind !== 'contract') return undefined;
			return (await choice({chainId, address}))[0];
		},
		bridgeFlow: () => trading.bridgeFlow(),
		cancelFlow: () => trading.cancelFlow(),
		placePracticeOrder:
			practice &&
			(async () => {
				const {placePracticeOrder} = await import('../../trading/perp/practice-order.ts');
				await placePracticeOrder(trading, client, practice);
			}),
	};
}
