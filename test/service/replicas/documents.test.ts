import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {openReplicaMarket, type ReplicaMarket} from '../../../source/service/replicas/replica-market.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {until} from '../../helpers/until.ts';
import {address, batch, blockMs, CHAIN, launch, trade} from '../follow/made-events.ts';
import {MemoryLog} from '../log/memory-log.ts';
import {bytesOf, differing, untilAt} from './replica-pages.ts';

/* What documents say of tokens, in replicas: the leader of a chain fetches them, and the log says it to all. */

const CONTENT = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
const document = (n: number) => `ipfs://${CONTENT}/${n}`;

/** A gateway whose documents describe tokens by the paths that they are asked for. */
async function startGateway(): Promise<{readonly url: string; readonly paths: string[]}> {
	const paths: string[] = [];
	const server = createServer((request, response) => {
		paths.push(request.url!.slice(-1));
		response.end(JSON.stringify({description: `frog ${request.url!.slice(-1)}`}));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		server.closeAllConnections();
		await new Promise(resolve => server.close(resolve));
	});
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths};
}

function described({table, poolEntry}: ReplicaMarket, n: number): string | undefined {
	const row = table.rowOf(entryKey(CHAIN, address(n)));
	return row === undefined ? undefined : /frog \d/.exec(JSON.stringify(poolEntry(row, 0)))?.[0];
}

test('the leader of a chain fetches the documents of its tokens, and every replica shows what they say', async () => {
	const {url, paths} = await startGateway();
	const log = new MemoryLog();
	log.nowMs = blockMs(10);
	const startMs = blockMs(0);
	let leader: ReplicaMarket | undefined;
	const open = async (): Promise<ReplicaMarket> => {
		const chains = [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}];
		const sources = {follow: {chains, allowFetch: true, ipfsGateway: url}};
		const market = await openReplicaMarket({log, sources, startMs, directory: temporaryDirectory(), fault: () => {}});
		onTestFinished(() => market.close());
		market.start({
			leads: () => leader === market,
			holdersWanted: () => {},
			describe: ({chainId, token}, profile) => {
				void log.append(undefined, [{kind: 'describe', chainId, token, profile}]);
			},
		});
		return market;
	};
	const [one, two] = [await open(), await open()];
	leader = one;
	const write = (fromBlock: number, toBlock: number, n: number) =>
		log.append(undefined, [
			{
				kind: 'batch',
				batch: batch(fromBlock, toBlock, [
					launch(address(n), fromBlock, {profile: {uri: document(n)}}),
					trade(address(n), toBlock),
				]),
			},
		]);
	await write(10, 11, 1);
	for (const market of [one, two]) await until(() => described(market, 1) === 'frog 1');
	expect(paths).toEqual(['1']);

	// The description is after block 11 in the journal: it is written again when that block is taken back.
	const {length} = log;
	await log.append(undefined, [{kind: 'take-back', chainId: CHAIN, fromBlock: 11}]);
	await until(() => log.length === length + 2);
	for (const market of [one, two]) await until(() => described(market, 1) === 'frog 1');
	expect(paths).toEqual(['1']);

	// A document that the last leader had not read is fetched by the next one.
	leader = undefined;
	const seq = await write(12, 13, 2);
	for (const market of [one, two]) await untilAt(market, seq);
	leader = two;
	two.beganToLead(CHAIN);
	for (const market of [one, two]) await until(() => described(market, 2) === 'frog 2');
	expect(paths).toEqual(['1', '2']);

	const late = await open();
	for (const market of [one, two, late]) await untilAt(market, log.length);
	for (const market of [two, late]) expect(differing(bytesOf(one), bytesOf(market))).toEqual([]);
});
