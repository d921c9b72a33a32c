import {expect, onTestFinished, test} from 'vitest';
import {perpPayloadText} from '../../../source/contract/typed-data.ts';
import {startService} from '../../../source/service/server.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {newUser} from '../chain/practice.ts';
import {ask} from '../helpers/http-client.ts';
import {replicaDatabases} from './replica-databases.ts';

const databases = replicaDatabases();

test('a replica without real chains moves no money, and every answer says why', async () => {
	const {server, schema} = databases;
	const service = await startService({
		store: server.address,
		dataDir: temporaryDirectory(),
		replica: {schema, historyTokens: 20},
		history: 'first',
	});
	onTestFinished(() => service.close());
	const why = (chain: string) => `replicas share no practice chain: start them with --rpc ${chain}=URL`;

	const {data} = (await ask(service, 'GET', '/dev/chains')).json;
	expect(data).toHaveLength(5);
	expect(data[0]).toMatchObject({chainId: 'evm:8453', kind: 'embedded', state: 'unavailable', reason: why('evm:8453')});
	expect(data[0].contracts).toBeUndefined();

	const {address} = newUser();
	const quote = `/api/2/bridge/quote?originChainId=evm:8453&destinationChainId=evm:42161&walletAddress=${address}&amount=1`;
	const refused = [
		await ask(service, 'GET', quote),
		await ask(service, 'POST', '/dev/faucet', {body: {chainId: 'evm:8453', address}}),
		await ask(service, 'POST', '/dev/rpc/evm:8453', {body: {jsonrpc: '2.0', id: 1, method: 'eth_chainId'}}),
	];
	for (const {status, text} of refused) {
		expect([status, text]).toEqual([503, expect.stringContaining('replicas share no practice chain')]);
	}
	const user = newUser();
	const timestamp = Date.now();
	const signature = await user.signMessage({message: perpPayloadText('cancel-order', timestamp)});
	const cancel = {dex: 'dexA', chainId: 'evm:42161', orderIndex: '1', orderType: 'order', timestamp, signature};
	// The signature is still good for a service that can serve the request.
	for (const attempt of [1, 2]) {
		const {status, text} = await ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body: cancel});
		expect([attempt, status, text]).toEqual([attempt, 503, expect.stringContaining('share no practice chain')]);
	}
	expect((await ask(service, 'GET', '/api/2/bridge/routes')).json.data.routes).toEqual([]);
});
