import {createServer} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {listPracticeChains} from '../../../source/trading/practice-funds.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';

const READY = {
	chainId: 'evm:56',
	name: 'B\u001b[31mNB',
	nativeSymbol: 'BNB',
	kind: 'embedded',
	state: 'ready',
	isNew: false,
	tokens: [{address: `0x${'a'.repeat(40)}`, symbol: 'US\u001bDC', decimals: 6}],
};
const UNABLE = {...READY, chainId: 'evm:137', state: 'unavailable', reason: 'a program is\u0007 missing', tokens: []};
const REAL = {...READY, chainId: 'evm:8453', kind: 'external'};

async function listed(data: unknown) {
	const server = createServer((_, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({data}));
	});
	const {url, close} = await listenOnLoopback(server);
	onTestFinished(close);
	return listPracticeChains({baseUrl: url});
}

test('practice chains that can run are listed, with clean names; real ones are left out', async () => {
	const chains = await listed([READY, UNABLE, REAL]);
	expect(chains.map(({chainId, isRunning, isNew}) => [chainId, isRunning, isNew])).toEqual([['evm:56', true, false]]);
	expect(JSON.stringify(chains)).not.toContain('\\u001b');
	expect(await listed([{...READY, state: 'idle', isNew: true}])).toMatchObject([{isRunning: false, isNew: true}]);
});

test('where no chain can run the reason is said; without any chain there is nothing to say', async () => {
	await expect(listed([UNABLE, REAL])).rejects.toMatchObject({why: expect.stringContaining('a program is')});
	expect(await listed([REAL])).toEqual([]);
	await expect(listed('nothing')).rejects.toMatchObject({why: expect.stringContaining('unexpected form')});
});
