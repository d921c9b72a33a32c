import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createClient} from '../../source/client/create-client.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {createMarket} from '../../source/service/market/create-market.ts';
import {startService} from '../../source/service/server.ts';
import {createStore} from '../../source/store.ts';
import {openTrading} from '../../source/trading/open-trading.ts';
import {targetOf} from '../../source/trading/trade/target.ts';
import type {MoneyState} from '../../source/ui/money/money-state.ts';
import {createMoneyWindows} from '../../source/ui/money/money-windows.ts';
import {curveLaunch} from '../service/bridge/launches.ts';

/**
 * The trade window over the real service: what lies between the press of the trade key and the review of a buy, without the keys of
 * the person between them.
 */
export async function measureTradeWindow(
	measure: (what: string, count: number, act: (i: number) => unknown) => Promise<void>,
): Promise<void> {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
	const launch = curveLaunch();
	const market = createMarket({seed: 5, rate: 0.1, held: [launch]});
	market.start({historyInMs: null});
	const service = await startService({
		market,
		chains: {chainIds: [8453, 42161]},
		limits: {requestsPerSecond: 5000, requestBurst: 5000},
	});
	const [apiKey] = service.apiKeys as [string];
	const practice = {baseUrl: service.url, apiKey};
	const client = createClient({baseUrl: service.url, streamUrl: null, apiKey});
	const trading = openTrading({dataDir, mode: 'practice', client, practice, scryptCost: 2 ** 12});
	const readTarget = async () => {
		const entry = await client.fetchToken({chainId: launch.chainId, address: launch.address});
		return targetOf(entry!, 'buy', {atMs: client.clock.nowMs(), isLive: true});
	};
	const store = createStore<MoneyState>({wallet: {mode: 'practice', status: 'none'}});
	const monitor = createStore<MonitorState>(
		initialState({
			size: {columns: 80, rows: 24},
			nowMs: Date.now(),
			service: {label: 'bench', embedded: true},
			theme: 'dark',
		}),
	);
	const {windows} = createMoneyWindows({
		store,
		monitor,
		trading,
		client,
		practice,
		nowMs: Date.now,
		documentsDir: dataDir,
		preferredChain: () => undefined,
		trade: {
			settings: () => ({amounts: [10, 25, 50, 100], sell: [100], slippage: 'auto', from: 'auto'}),
			payingChain: () => undefined,
			targetNow: readTarget,
		},
	});
	const reviewed = () =>
		new Promise<void>((resolve, reject) => {
			const stop = store.subscribe(() => {
				const {trade} = store.get();
				if (trade?.problem) reject(new Error(`${trade.problem.what}: ${trade.problem.why}`));
				if (trade?.step !== 'review' || trade.busy !== undefined) return;
				stop();
				resolve();
			});
		});
	const review = async () => {
		const done = reviewed();
		await windows.trade.open(await readTarget());
		windows.trade.type('2');
		await done;
		windows.trade.close();
	};
	// The first one starts the chains and funds the wallet.
	await review();
	await measure('trade window: key to the review of a buy', 30, review);
	await client.close();
	await service.close();
	market.stop();
	rmSync(dataDir, {recursive: true});
}
