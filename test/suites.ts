/*
 * The two lists of test files. `npm test` runs the main tests, `npm run test:rest` the others. A file that no pattern names is a
 * main test; a story (test/e2e) is one only when it is named.
 */

export type Suite = 'main' | 'rest';

/** The environment variable that chooses one of the lists; without it all tests run. */
export const SUITE = 'PULSETOP_TEST_SUITE';

/** Stories of the main jobs: watching, sorting, filtering, lists, keys, alerts, real launches, trading the row, another's service, over SSH, the ways out. */
export const MAIN_STORIES: readonly string[] = [
	'test/e2e/background.test.ts',
	'test/e2e/cli-follow.test.ts',
	'test/e2e/cli-npm-start.test.ts',
	'test/e2e/follow.test.ts',
	'test/e2e/help.test.ts',
	'test/e2e/keys.test.ts',
	'test/e2e/lists.test.ts',
	'test/e2e/monitor.test.ts',
	'test/e2e/ssh.test.ts',
	'test/e2e/stranger.test.ts',
	'test/e2e/trade.test.ts',
	'test/e2e/watch.test.ts',
	'test/e2e/way-out.test.ts',
];

/** What `npm test` leaves out: it needs a database, a world of chains, a killed process or a whole market, or is a long property. */
export const REST: readonly string[] = [
	'test/client/feed/{fault-recovery,feed-faults}.test.ts',
	'test/contract/{followed,replica}.test.ts',
	'test/live/history-alerts.test.ts',
	'test/live/trading/{bridge-faults,bridge-hostile,chain-price,money-commands,prediction-service,trade-service}.test.ts',
	'test/release.test.ts',
	'test/rpc/call-limits.test.ts',
	'test/service/bridge/{earlier-bridge,failed-open,kill,late,launch-trade,many-intents,market-token,model,recovery,replicas,worlds}.test.ts',
	'test/service/chain/{anvil,contracts,nonce-lane,recover,venue,watchdog}.test.ts',
	'test/service/follow/{block-stream,block-stream-anvil,block-stream-property,contract-calls,contract-safety,doppler,figures,follow-coverage,history,node-fields,pons,pool-prices,solana-meteora,solana-property,world}.test.ts',
	'test/service/http/{fuzz,fuzz-routes}.test.ts',
	'test/service/kill/*.test.ts',
	'test/service/log/{entry-reader,journal-kill,journal-model,logs,postgres-log}.test.ts',
	'test/service/market/{clock-jump,create-market,forget,outside,recount,same-market,simulator}.test.ts',
	'test/service/perp/{old-executions,recovery,replicas}.test.ts',
	'test/service/replicas/*.test.ts',
	'test/service/store/{connections,engines,leases,migrations,postgres-connection,postgres-pool,row-leases,shared-credits,tls}.test.ts',
	'test/service/stream/{replica,resume-property,slow-reader,view-registry}.test.ts',
	'test/service/webhook/{delivery-id,replicas,restart}.test.ts',
	'test/ssh/hostile.test.ts',
	'test/unit/tools/{bundle-patches,test-run}.test.ts',
];
