import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Config} from '../../config/config.ts';
import {durationMs} from '../../duration.ts';
import {explain} from '../../errors.ts';
import type {MonitorActions} from '../../monitor/actions.ts';
import {resolveChain} from '../../monitor/filter/chain-words.ts';
import {selected} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import {journalFiles} from '../../trading/journal-files.ts';
import type {MoneyState} from '../../ui/money/money-state.ts';
import type {MoneyWindows} from '../../ui/money/money-windows.ts';
import {readTargetNow} from '../../ui/money/trade-key.ts';
import {MoneyMissing} from '../service/followed.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {practiceAt} from '../service/practice-at.ts';
import {moneyServiceOf} from './money-service.ts';
import type {Connected} from './run.ts';

/** Loads and opens the wallet with the running service. @throws ServiceMissing while there is no service; MoneyMissing; PracticeUnproven */
export async function openMoney({
	config,
	current,
	connected,
	money,
	store,
}: {
	config: Config;
	/** The configuration in force: settings of trades can change while the monitor runs. */
	current: () => Config;
	connected: Connected;
	money: Store<MoneyState>;
	store: Store<MonitorState>;
}): Promise<MoneyWindows> {
	const [mode, {client, options}, {openTrading}, {createMoneyWindows}] = await Promise.all([
		moneyModeOf(config),
		moneyServiceOf(config, connected),
		import('../../trading/open-trading.ts'),
		import('../../ui/money/money-windows.ts'),
	]);
	const practice = practiceAt(options, mode);
	const {wallet, rpc, provider} = config;
	const trading = openTrading({
		dataDir: config.dataDir,
		mode,
		client,
		provider,
		rpcUrls: rpc,
		maxLossPercent: config.bridge.maxLoss,
		requiresSimulation: config.wallet.requireSimulation,
		autoLockMs: durationMs(config.wallet.autoLock)!,
		...(practice && {practice}),
	});
	return createMoneyWindows({
		store: money,
		monitor: store,
		trading,
		client,
		nowMs: steadyNow,
		documentsDir: join(config.dataDir, 'trading', mode, 'documents'),
		preferredChain: () => selected(store.get())?.chain_id,
		tokens: wallet.tokens.map(text => ({
			chainId: text.slice(0, text.lastIndexOf(':')),
			address: text.slice(text.lastIndexOf(':') + 1),
		})),
		trade: {
			settings: () => current().trade,
			payingChain: () => chainOf(current().trade.from),
			// The token as the feed has it now, whatever service moves the money.
			targetNow: target => readTargetNow(target, {store, client: connected.client ?? client}),
		},
		...(practice && {practice}),
		...(wallet.name !== undefined && {walletName: wallet.name}),
	});
}

/** The chain of `base:usdc`, `base` or `evm:8453`; undefined for `auto`. */
function chainOf(from: string): string | undefined {
	return from === 'auto' ? undefined : resolveChain(from.replace(/:usdc$/, '')).id;
}

/** Resumes money actions that an earlier run left open. Without a journal nothing is loaded. */
export async function resumeTransfers(
	config: Config,
	actions: MonitorActions,
	loadMoney: () => Promise<MoneyWindows>,
): Promise<void> {
	try {
		const {path, headPath} = journalFiles(config.dataDir, await moneyModeOf(config));
		if (!existsSync(path) && !existsSync(headPath)) return;
		const count = await (await loadMoney()).resume();
		if (count > 0) {
			const what =
				count === 1 ? 'One money action of an earlier run is' : `${count} money actions of an earlier run are`;
			actions.notify(
				`${what} being followed.`,
				'warn',
				'{bridge.open} shows the transfer, {perp.open} the orders, {markets.open} and then {vault.open} the account.',
			);
		}
	} catch (error) {
		// Where no money moves, nothing can be followed: the keys say so.
		if (error instanceof MoneyMissing) return;
		const {what, why, advice} = explain(error);
		actions.notify(`Open transfers could not be looked up. ${what}: ${why}`, 'bad', advice);
	}
}
