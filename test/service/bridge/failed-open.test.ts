import {afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {type BridgeOptions, createBridge} from '../../../source/service/bridge/bridge.ts';
import {createChainSet} from '../../../source/service/chain/chain-set.ts';
import {createPerp} from '../../../source/service/perp/perp.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {LaunchClock} from './launches.ts';

let options: BridgeOptions;
/** While it fails, no table is searched for work that others left. */
let isFailing: boolean;

beforeEach(() => {
	const store = openSqlite(undefined);
	const chains = createChainSet({chainIds: []});
	onTestFinished(async () => {
		await chains.close();
		await store.close();
	});
	isFailing = true;
	const database: Database = {
		...store,
		async all(sql, parameters) {
			if (isFailing && /worker|workerUntilMs|bridge_intents|perp_processes/.test(sql)) throw new StoreFailed('test');
			return store.all(sql, parameters);
		},
	};
	options = {chains, database};
});
afterEach(() => {
	vi.useRealTimers();
});

const OPENERS = {
	'the bridge of a replica': () => createBridge({...options, isShared: true}),
	'the bridge of a service with launches': () => createBridge({...options, market: new LaunchClock([]).market}),
	'the perpetuals of a replica': () => createPerp({...options, isShared: true}),
};

test.each(Object.entries(OPENERS))('%s that cannot be opened leaves nothing that goes on', async (_, open) => {
	vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
	for (let n = 0; n < 3; n++) await expect(open()).rejects.toBeInstanceOf(StoreFailed);
	expect(vi.getTimerCount()).toBe(0);
	isFailing = false;
	const opened = await open();
	expect(vi.getTimerCount()).toBeGreaterThan(0);
	await opened.close();
	expect(vi.getTimerCount()).toBe(0);
});
