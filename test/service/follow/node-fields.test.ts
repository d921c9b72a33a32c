import {afterEach, expect, test} from 'vitest';
import {DrivenClock} from '../../helpers/driven-clock.ts';
import {type HostileNode, startHostileNode} from '../../helpers/hostile-node.ts';
import {PlayedChain} from '../../helpers/played-chain.ts';
import {expectTruth, type Followed, follow, OTHER, swap} from './followed-blocks.ts';

/*
 * Nodes whose answers have every field, and something else in it: empty, zero, wrong, of another block, of another type. What is optional is
 * then unknown, and is read elsewhere; what is needed is asked for again. Logs, order and times are those of the chain in the end.
 */

const open: {stop(): Promise<void>}[] = [];

afterEach(async () => {
	for (const part of open.splice(0).reverse()) await part.stop();
});

type Fields = Readonly<Record<string, unknown>>;
type Change = (fields: Fields, chain: PlayedChain) => Fields;

const without =
	(name: string): Change =>
	({[name]: _, ...rest}) =>
		rest;
const withValue =
	(name: string, value: unknown): Change =>
	fields => ({...fields, [name]: value});
const asNumber =
	(name: string): Change =>
	fields => ({...fields, [name]: Number(fields[name])});
/** The time of another block, further on the chain. */
const timeOf =
	(further: number): Change =>
	(log, {blocks, head}) => {
		const {timeS} = blocks[Math.max(0, Math.min(head.number, Number(log['blockNumber']) + further))]!;
		return {...log, blockTimestamp: `0x${timeS.toString(16)}`};
	};
const timesOf =
	(unit: number): Change =>
	(log, {blocks}) => ({
		...log,
		blockTimestamp: blocks[Number(log['blockNumber'])]!.timeS * unit,
	});

const LOGS: Readonly<Record<string, Change>> = {
	'blockTimestamp right': timeOf(0),
	'blockTimestamp a right number': timesOf(1),
	'blockTimestamp in milliseconds': timesOf(1000),
	'blockTimestamp null': withValue('blockTimestamp', null),
	'blockTimestamp empty': withValue('blockTimestamp', ''),
	'blockTimestamp 0x': withValue('blockTimestamp', '0x'),
	'blockTimestamp 0x0': withValue('blockTimestamp', '0x0'),
	'blockTimestamp 0': withValue('blockTimestamp', 0),
	'blockTimestamp -1': withValue('blockTimestamp', -1),
	'blockTimestamp far in the future': withValue('blockTimestamp', '0xffffffffff'),
	'blockTimestamp of the day before': withValue('blockTimestamp', `0x${(1_700_000_000 - 86_400).toString(16)}`),
	'blockTimestamp in decimals': withValue('blockTimestamp', '1700000100'),
	'blockTimestamp an object': withValue('blockTimestamp', {}),
	'blockTimestamp of the next block': timeOf(1),
	'blockTimestamp of the block before': timeOf(-1),
	'blockTimestamp of the newest block': timeOf(1e9),
	'blockTimestamp of the first block': timeOf(-1e9),
	'removed missing': without('removed'),
	'removed null': withValue('removed', null),
	'removed 0x0': withValue('removed', '0x0'),
	'removed "false"': withValue('removed', 'false'),
	'transactionIndex missing': without('transactionIndex'),
	'transactionIndex null': withValue('transactionIndex', null),
	'transactionIndex 0x0': withValue('transactionIndex', '0x0'),
	'transactionIndex a number': asNumber('transactionIndex'),
	'logIndex a number': asNumber('logIndex'),
	'blockNumber a number': asNumber('blockNumber'),
};
const HEADERS: Readonly<Record<string, Change>> = {
	'logsBloom missing': without('logsBloom'),
	'logsBloom null': withValue('logsBloom', null),
	'logsBloom empty': withValue('logsBloom', ''),
	'logsBloom 0x': withValue('logsBloom', '0x'),
	'logsBloom 0x0': withValue('logsBloom', '0x0'),
	'logsBloom without a bit': withValue('logsBloom', `0x${'00'.repeat(256)}`),
	'logsBloom full': withValue('logsBloom', `0x${'ff'.repeat(256)}`),
	'logsBloom too short': withValue('logsBloom', `0x${'00'.repeat(255)}`),
	'logsBloom a number': withValue('logsBloom', 0),
	'logsBloom of another block': (header, {blocks}) => ({
		...header,
		logsBloom: blocks[(Number(header['number']) * 7) % 50]!.bloom,
	}),
	'baseFeePerGas null': withValue('baseFeePerGas', null),
	'transactions null': withValue('transactions', null),
	'timestamp a number': asNumber('timestamp'),
	'number a number': asNumber('number'),
};
/** Needed fields: wrong in some answers, as those of a node that has a block half. */
const NOW_AND_THEN: Readonly<Record<string, Change>> = {
	'number null': withValue('number', null),
	'hash null': withValue('hash', null),
	'parentHash 0x': withValue('parentHash', '0x'),
	'timestamp 0x0': withValue('timestamp', '0x0'),
	'timestamp null': withValue('timestamp', null),
	'timestamp in milliseconds': header => ({
		...header,
		timestamp: `0x${(Number(header['timestamp']) * 1000).toString(16)}`,
	}),
};
const ENVELOPES: Readonly<Record<string, Change>> = {
	'id as a string': answer => ({...answer, id: String(answer['id'])}),
	'jsonrpc missing': without('jsonrpc'),
	'error null': withValue('error', null),
};

const WAYS = [
	{address: 'url', maxInBatch: 100},
	{address: 'url', maxInBatch: 1},
	{address: 'wsUrl', maxInBatch: 100},
	{address: 'wsUrl', maxInBatch: 1},
] as const;
const both = (changes: Readonly<Record<string, Change>>) =>
	Object.entries(changes).flatMap(([name, change]) =>
		WAYS.map(way => [name, `${way.address}, ${way.maxInBatch} in a batch`, change, way] as const),
	);

async function start(
	{address, maxInBatch}: (typeof WAYS)[number],
	prepare: (node: HostileNode, chain: PlayedChain) => void,
): Promise<{chain: PlayedChain; followed: Followed; node: HostileNode}> {
	const chain = new PlayedChain();
	// The older part is read in ranges, the newer one block by block.
	for (let i = 0; i < 200; i++) chain.mine(i % 9 === 0 ? [swap(i), swap(1, OTHER), swap(i + 1)] : []);
	const node = await startHostileNode(chain);
	node.maxInBatch = maxInBatch;
	prepare(node, chain);
	const followed = follow({urls: [node[address]], chain, clock: new DrivenClock()});
	open.push({stop: () => node.close()}, followed);
	return {chain, followed, node};
}

async function expectRead(
	way: (typeof WAYS)[number],
	prepare: (node: HostileNode, chain: PlayedChain) => void,
): Promise<void> {
	const {chain, followed} = await start(way, prepare);
	await expectTruth(followed, chain);
	chain.mine([swap(1)]);
	await expectTruth(followed, chain);
	expect(followed.takenBack).toEqual([]);
	expect(followed.gaps).toEqual([]);
}

test.each(both(LOGS))('logs with %s are read as they are (%s)', async (_name, _way, change, way) => {
	await expectRead(way, (node, chain) =>
		node.lie(({method}, honest) =>
			method === 'eth_getLogs' ? {result: (honest() as Fields[]).map(log => change(log, chain))} : undefined,
		),
	);
});

test.each(both(HEADERS))('blocks with %s are read as they are (%s)', async (_name, _way, change, way) => {
	await expectRead(way, (node, chain) =>
		node.lie(({method}, honest) => {
			const header = honest() as Fields | null;
			return method === 'eth_getBlockByNumber' && header ? {result: change(header, chain)} : undefined;
		}),
	);
});

test.each(both(NOW_AND_THEN))(
	'blocks with %s in some answers are asked for again (%s)',
	async (_name, _way, change, way) => {
		let answers = 0;
		await expectRead(way, (node, chain) =>
			node.lie(({method}, honest) => {
				const header = honest() as Fields | null;
				const isHalf = method === 'eth_getBlockByNumber' && header && [2, 5].includes(answers++);
				return isHalf ? {result: change(header, chain)} : undefined;
			}),
		);
	},
);

test.each(both(ENVELOPES))('answers with %s are read as they are (%s)', async (_name, _way, change, way) => {
	await expectRead(way, (node, chain) => node.wrap(answer => change(answer, chain)));
});

test('a node whose logs have the right times is asked for few headers of the past, one with wrong times for each', async () => {
	const asked = async (change: Change): Promise<number> => {
		const {chain, followed, node} = await start(WAYS[0], (node, chain) =>
			node.lie(({method}, honest) =>
				method === 'eth_getLogs' ? {result: (honest() as Fields[]).map(log => change(log, chain))} : undefined,
			),
		);
		await expectTruth(followed, chain);
		const past = node.asked.filter(({method, params}) => method === 'eth_getBlockByNumber' && Number(params[0]) < 70);
		return new Set(past.map(({params}) => params[0])).size;
	};
	expect(await asked(timeOf(0))).toBeLessThanOrEqual(4);
	expect(await asked(withValue('blockTimestamp', '0x0'))).toBeGreaterThanOrEqual(8);
	expect(await asked(timeOf(1))).toBeGreaterThanOrEqual(8);
});
