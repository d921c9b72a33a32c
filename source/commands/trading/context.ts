import type {Client} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {durationMs} from '../../duration.ts';
import {PulsetopError} from '../../errors.ts';
import {WalletName} from '../../trading/keystore.ts';
import {WrongPassphrase} from '../../trading/keystore-v3.ts';
import {openTrading, type Trading} from '../../trading/open-trading.ts';
import type {WalletMode} from '../../trading/practice.ts';
import type {PracticeService} from '../../trading/practice-funds.ts';
import {openPracticeWallet, PRACTICE_WALLET} from '../../trading/practice-wallet.ts';
import type {Signer} from '../../trading/signer.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {serviceConfig} from '../service/followed.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {type EmbeddedOptions, openService} from '../service/open-service.ts';
import {practiceAt} from '../service/practice-at.ts';
import {askPassphrase, readPassphrase} from './passphrase.ts';
import {isPersonThere} from './passphrase-prompt.ts';

/** An action was refused because of --read-only. */
class ReadOnly extends PulsetopError {
	readonly code = 'read-only';

	constructor(what: string) {
		super(`Not allowed: ${what}`, {
			why: 'read-only is set',
			next: 'fix-input',
			advice: 'Leave --read-only out, or take read-only out of the configuration.',
		});
	}
}

/** Refuses an action in read-only mode. @param what the action: `a transfer` @throws ReadOnly */
export function assertMayAct({readOnly}: Config, what: string): void {
	if (readOnly) throw new ReadOnly(what);
}

/** The mode of `--real` or `--practice`; by default that of the service. @throws UsageError for both; PracticeUnproven */
export async function requestedMode(config: Config, flags: Flags): Promise<WalletMode> {
	if (flags.has('real') && flags.has('practice'))
		throw new UsageError('--real and --practice exclude each other', 'Give one, or none: then the service decides.');
	if (flags.has('real')) return 'real';
	return flags.has('practice') ? 'practice' : moneyModeOf(config);
}

/** The trading engine, the client and the practice service of a money command. */
export interface TradingContext {
	readonly trading: Trading;
	readonly client: Client;
	/** The embedded service, or a proven one of this machine: it has practice chains. */
	readonly practice?: PracticeService;
}

/**
 * Opens the configured or the embedded service, its client and trading, and closes all after use.
 * @param use the work with them; its result is returned
 * @param options.history when an embedded service loads its history; `first` for a command that reads tokens
 * @throws ServiceNotStarted, ConfigError, MoneyMissing, PracticeUnproven
 */
export async function withTrading<T>(
	config: Config,
	use: (context: TradingContext) => Promise<T>,
	{history = 'on-demand'}: Pick<EmbeddedOptions, 'history'> = {},
): Promise<T> {
	// First: without money nothing is opened.
	const mode = await moneyModeOf(config);
	const [service, {createClient}] = await Promise.all([
		openService(serviceConfig(config), {dataDir: config.dataDir, history}),
		import('../../client/create-client.ts'),
	]);
	const practice = practiceAt(service.options, mode);
	const client = createClient({...service.options, ...(practice && {baseUrl: practice.baseUrl}), streamUrl: null});
	const trading = openTrading({
		dataDir: config.dataDir,
		mode,
		client,
		provider: config.provider,
		rpcUrls: config.rpc,
		maxLossPercent: config.bridge.maxLoss,
		requiresSimulation: config.wallet.requireSimulation,
		autoLockMs: durationMs(config.wallet.autoLock)!,
		...(practice && {practice}),
	});
	try {
		return await use({trading, client, ...(practice && {practice})});
	} finally {
		trading.signer?.lock('the command ended');
		await client.close();
		await service.close();
	}
}

/** A chosen wallet; a real one is still locked. */
export interface ChosenWallet {
	readonly signer: Signer;
	readonly name: string;
	readonly address: string;
}

/**
 * Chooses the wallet of `--wallet` or the configuration, or the only wallet. The practice wallet is created and funded at its
 * first use.
 * @throws WalletName without a wallet, or for several without a name
 */
export async function chooseWallet(
	{trading, practice}: TradingContext,
	config: Config,
	flags: Flags,
): Promise<ChosenWallet> {
	const named = flags.text('wallet');
	if (practice) {
		const name = named ?? PRACTICE_WALLET;
		if (name === PRACTICE_WALLET && !config.readOnly) {
			const {signer, address} = await openPracticeWallet(trading, practice);
			return {signer, name, address};
		}
		const signer = trading.choose(name);
		return {signer, name, address: await signer.unlock()};
	}
	const name = named ?? config.wallet.name ?? onlyWallet(trading);
	const row = trading.keystore.list().find(other => other.name === name);
	if (row === undefined) throw new WalletName('There is no such wallet', `no wallet in real mode is called ${name}`);
	const signer = trading.choose(name);
	if (row.address === undefined)
		throw new WalletName(
			'This wallet cannot be used',
			`its key file does not name its address: ${row.problem ?? name}`,
		);
	return {signer, name, address: row.address};
}

function onlyWallet({keystore}: Trading): string {
	const rows = keystore.list();
	const [first, ...others] = rows;
	if (first === undefined)
		throw new WalletName('There is no wallet for real money yet', 'pulsetop wallet create NAME --real makes one');
	if (others.length === 0) return first.name;
	throw new WalletName('There are several wallets', `name one with --wallet: ${rows.map(({name}) => name).join(', ')}`);
}

const MAX_ATTEMPTS = 3;

/**
 * Unlocks a wallet for a signature, with up to three attempts at the terminal. A practice wallet has no passphrase.
 * @param isAgain whether it has locked itself: then a person types the passphrase, since a file descriptor gives it once
 * @throws WrongPassphrase; UsageError without a terminal and a passphrase
 */
export async function unlock({signer, name}: ChosenWallet, flags: Flags, {isAgain = false} = {}): Promise<void> {
	const isTyped = isPersonThere() && (isAgain || !flags.has('passphrase-fd'));
	for (let attempt = 1; signer.state.status !== 'unlocked'; attempt++) {
		try {
			if (signer.state.mode === 'practice') await signer.unlock();
			else await signer.unlock(isTyped ? await askPassphrase(name) : await readPassphrase(flags, name));
		} catch (error) {
			const mayTryAgain = error instanceof WrongPassphrase && isTyped;
			if (!mayTryAgain || attempt === MAX_ATTEMPTS) throw error;
			process.stderr.write(`${error.message}.\n`);
		}
	}
}
