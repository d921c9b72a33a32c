import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Config} from '../config/config.ts';
import {explain, PulsetopError} from '../errors.ts';
import type {MonitorActions} from '../monitor/actions.ts';
import {resolveChain} from '../monitor/filter/chain-words.ts';
import {selected} from '../monitor/select.ts';
import type {MonitorState} from '../monitor/state.ts';
import type {Store} from '../store.ts';
import type {MoneyState} from '../ui/money/money-state.ts';
import type {MoneyWindows} from '../ui/money/money-windows.ts';
import {readTargetNow} from '../ui/money/trade-key.ts';
import {moneyModeOf} from './money-mode.ts';
import type {Connected} from './monitor-run.ts';

/** The journal of the money actions of a mode. */
export function journalPathOf({dataDir}: Config, mode: 'practice' | 'real'): string {
	return join(dataDir, 'trading', mode, 'journal.jsonl');
}

/** Loads and opens the wallet with the running service. @throws ServiceMissing while there is no service; PracticeUnproven */
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
	const {client, service} = connected;
	if (!client || !service) throw new ServiceMissing();
	const [mode, {openTrading}, {createMoneyWindows}] = await Promise.all([
		service.isEmbedded ? ('practice' as const) : moneyModeOf(config),
		import('../trading/open-trading.ts'),
		import('../ui/money/money-windows.ts'),
	]);
	const practice =
		mode === 'practice'
			? {
					baseUrl: service.options.baseUrl,
					...(service.options.apiKey !== undefined && {apiKey: service.options.apiKey}),
				}
			: undefined;
	const {wallet, rpc, provider} = config;
	const trading = openTrading({
		dataDir: config.dataDir,
		mode,
		client,
		provider,
		rpcUrls: rpc,
		maxLossPercent: config.bridge.maxLoss,
		requiresSimulation: config.wallet.requireSimulation,
		...(practice && {practice}),
	});
	return createMoneyWindows({
		store: money,
		monitor: store,
		trading,
		client,
		nowMs: Date.now,
		documentsDir: join(config.dataDir, 'trading', mode, 'documents'),
		preferredChain: () => selected(store.get())?.chain_id,
		tokens: wallet.tokens.map(text => ({
			chainId: text.slice(0, text.lastIndexOf(':')),
			address: text.slice(text.lastIndexOf(':') + 1),
		})),
		trade: {
			settings: () => current().trade,
			payingChain: () => chainOf(current().trade.from),
			targetNow: target => readTargetNow(target, {store, client}),
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
		if (!existsSync(journalPathOf(config, await moneyModeOf(config)))) return;
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
		const {what, why} = explain(error);
		actions.notify(`Open transfers could not be looked up. ${what}: ${why}`, 'bad');
	}
}

export class ServiceMissing extends PulsetopError {
	readonly code = 'service-missing';

	constructor() {
		super('The service is not there yet', {why: 'money actions need its answer', next: 'retry-later'});
	}
}
