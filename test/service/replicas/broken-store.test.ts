import {expect, onTestFinished, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {newUser} from '../chain/practice.ts';
import {ask} from '../helpers/http-client.ts';
import {replicaDatabases} from './replica-databases.ts';

const databases = replicaDatabases();

test('a store that refuses a statement is reported with the reason, once, while its callers get 503', async () => {
	const {server, schema} = databases;
	const database = await openPostgres(server.address, {schema});
	await database.run('DROP TABLE bridge_intents');
	await database.close();
	const lines: string[] = [];
	const external = new Map([[42161, {rpcUrl: 'http://127.0.0.1:1', key: `0x${'1'.repeat(64)}` as const}]]);
	const service = await startService({
		store: server.address,
		chains: {chainIds: [], external},
		replica: {schema, historyTokens: 20},
		history: 'first',
		onFault: line => lines.push(line),
	});
	onTestFinished(() => service.close());
	const why = 'relation "bridge_intents" does not exist (42P01)';
	for (let n = 0; n < 3; n++) {
		const {status, text} = await ask(service, 'GET', `/api/2/bridge/status/${newUser().address}`);
		expect([status, text]).toEqual([503, expect.stringContaining('does not exist')]);
	}
	const ofRequests = lines.filter(line => line.startsWith('GET /api/2/bridge/status'));
	expect(ofRequests).toEqual([
		expect.stringMatching(/^GET .* \(request [\w-]{36}\), 42P01: (?:DELETE|SELECT|UPDATE) /),
	]);
	expect(ofRequests[0]).toContain(why);
	await expect
		.poll(() => lines)
		.toContain(`transfers of other replicas are not looked at yet: The service could not use its store: ${why}`);
});
