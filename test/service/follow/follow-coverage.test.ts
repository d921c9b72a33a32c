import {expect, test, vi} from 'vitest';
import {findEvmChain} from '../../../source/chains/evm-chains.ts';
import {COMMAND_LINE} from '../../../source/commands/command-table.ts';
import {followCoverage} from '../../../source/commands/follow/coverage.ts';
import {Flags} from '../../../source/commands/line/flags.ts';
import {loadConfig} from '../../../source/config/config.ts';
import type {EvmNode} from '../../../source/rpc/evm/node.ts';
import {NodeRefused} from '../../../source/rpc/node-errors.ts';
import {countUnnamedFactories} from '../../../source/service/follow/evm/unnamed-factories.ts';
import type {World} from '../../helpers/follow-world.ts';
import {worldOn} from '../../helpers/followed-figures.ts';
import {expectShape} from '../../helpers/output-shape.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/* A chain on which a launchpad works that this version does not know: what a user finds it with. */

const UNKNOWN = '0x1234567890123456789012345678901234567890';
const TOKEN_LAUNCHED = '0x8d4aad4953d0ca700d468f3753aa14432d1b35b43ec6409f051fb6aa43a89607';

/** Two launches of Pons, three of a launchpad that is its copy, and a pool by hand. */
async function busyWorld(): Promise<World> {
	const world = await worldOn({chain: 'robinhood'});
	const code = await world.rpc<string>('eth_getCode', [world.places.pons, 'latest']);
	await world.rpc('anvil_setCode', [UNKNOWN, code]);
	for (const name of ['one', 'two']) await world.launch({by: name});
	for (const name of ['three', 'four', 'five']) await world.launch({by: name, at: UNKNOWN});
	await world.launch({venue: 'uniswap-v3', by: 'six'});
	return world;
}

/** Runs the command as the program does. */
async function run(world: World, flags: Readonly<Record<string, string | true>> = {}) {
	let stdout = '';
	const write = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
		stdout += text;
		return true;
	});
	try {
		const given = new Flags(new Map(Object.entries(flags).map(([name, value]) => [name, [value]])));
		const readConfig = () => loadConfig({flags: {}, env: {HOME: temporaryDirectory()}});
		const operands = [`${world.url}/?key=SECRET-KEY`];
		const code = await followCoverage({flags: given, operands, readConfig, grammar: COMMAND_LINE});
		return {code, stdout};
	} finally {
		write.mockRestore();
	}
}

test('the launchpad that is not followed is the first line, with all that a report needs', async () => {
	const world = await busyWorld();
	const {code, stdout} = await run(world);
	expect(code).toBe(0);
	const [line] = stdout.split('\n').filter(text => text.includes(UNKNOWN));
	expect(line).toMatch(
		/^tokens +3 +50\.0 % +0x1234567890123456789012345678901234567890 +0x8d4aad49\w+ +0x[0-9a-f]{64}$/,
	);
	expect(stdout).toContain('tokens  6 made, 6 looked at, 2 by launchpads that are followed');
	expect(stdout).not.toMatch(/SECRET|0x7ed598bc/);
	const {stdout: json} = await run(world, {json: true});
	const document = JSON.parse(json);
	expectShape('follow-coverage', document);
	expect(document.factories[0]).toMatchObject({address: UNKNOWN, makes: 'tokens', topic: TOKEN_LAUNCHED, count: 3});
	expect(document.pools).toEqual({made: 1, named: 1});
});

test('an exchange that nobody named is counted by its pools', async () => {
	const world = await worldOn({chain: 'base'});
	await world.launch({venue: 'uniswap-v2'});
	// The same blocks, read as those of a chain whose exchanges are elsewhere.
	const other = {...findEvmChain('base')!, number: 137};
	const counts = await countUnnamedFactories(over(world), other, 1000);
	expect(counts.pools).toEqual({made: 1, named: 0});
	expect(counts.factories[0]).toMatchObject({address: world.places.v2Factory, makes: 'pools', count: 1, share: 1});
});

test.each([1, 3])(
	'a node that takes %d blocks at once gives the same, and is asked no more at once',
	{
		timeout: PATIENCE_MS,
	},
	async most => {
		const world = await busyWorld();
		const chain = findEvmChain('robinhood')!;
		const asked: number[] = [];
		const counts = await countUnnamedFactories(over(world, {most, asked}), chain, 50);
		expect(counts).toEqual(await countUnnamedFactories(over(world), chain, 50));
		expect(asked.filter(blocks => blocks > most).length).toBeLessThan(15);
	},
);

test('without receipts the pools are counted all the same', async () => {
	const world = await busyWorld();
	const counts = await countUnnamedFactories(over(world, {receipts: false}), findEvmChain('robinhood')!, 50);
	expect(counts).toMatchObject({pools: {made: 1, named: 1}, tokens: null, factories: []});
});

interface Limits {
	readonly most?: number;
	readonly asked?: number[];
	readonly receipts?: boolean;
}

/** The world's node, with limits. */
function over(world: World, {most = Number.POSITIVE_INFINITY, asked = [], receipts = true}: Limits = {}): EvmNode {
	const refusal = (method: string, nodeMessage: string) =>
		new NodeRefused(method, {host: 'node', rpcCode: -32602, nodeMessage});
	const node: EvmNode = {
		host: 'node',
		async call(method, params) {
			const {fromBlock, toBlock} = (params[0] ?? {}) as {fromBlock?: string; toBlock?: string};
			const blocks = Number(toBlock) - Number(fromBlock) + 1;
			if (method === 'eth_getLogs') asked.push(blocks);
			if (blocks > most) throw refusal(method, 'query exceeds what is allowed');
			return world.rpc(method, params);
		},
		async calls(calls) {
			return Promise.all(
				calls.map(async ({method, params}) =>
					receipts
						? {ok: true as const, result: await node.call(method, params)}
						: {ok: false as const, error: refusal(method, 'the method is not available')},
				),
			);
		},
		onHead: () => () => {},
		callLimit: null,
		takeNext: () => false,
		traffic: {callsPerMinute: 0, bytesPerSecond: 0},
		close: async () => {},
	};
	return node;
}
