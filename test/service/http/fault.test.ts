import {expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

test('a bug of the service is reported to its owner, not to the caller, and the next request is answered', async () => {
	const market = new TinyMarket();
	market.walletLabels = () => {
		throw new Error('secret detail');
	};
	market.add({address: '0x1'});
	const faults: string[] = [];
	const service = await startService({market, apiKeys: ['k'], onFault: words => faults.push(words)});
	try {
		const response = await ask(service, 'POST', '/api/1/wallet/labels', {body: {walletAddresses: ['0x1']}});
		expectError(response, 500, 'The service failed to answer');
		expect(faults).toEqual([
			expect.stringMatching(/^POST \/api\/1\/wallet\/labels \(request [\w-]{36}\): Error: secret detail\n/),
		]);
		expect((await ask(service, 'GET', '/api/2/pulse')).status).toBe(200);

		market.assetEntry = market.walletLabels as never;
		market.change(0, {symbol: 'NEW'});
		const client = await StreamClient.open(service.streamUrl);
		client.send({type: 'pulse-v2', authorization: 'k', payload: {assetMode: true, views: [{name: 'v'}]}});
		expect((await client.next(f => f['event'] === 'error'))['message']).toBe('the service failed to answer');
		expect(faults[1]).toMatch(/^stream frame: Error: secret detail\n/);
		await client.close();

		market.assetEntry = () => ({address: '0x1'});
		const reader = await StreamClient.open(service.streamUrl);
		reader.send({type: 'pulse-v2', authorization: 'k', payload: {assetMode: true, views: [{name: 'v'}]}});
		await reader.next(f => f['type'] === 'init');
		market.assetEntry = market.walletLabels as never;
		market.change(0, {symbol: 'NEWER'});
		expect((await reader.closed).code).toBe(1011);
		expect(faults.at(-1)).toMatch(/^stream round: Error: secret detail\n/);
		expect((await ask(service, 'GET', '/health')).status).toBe(200);
	} finally {
		await service.close();
	}
});
