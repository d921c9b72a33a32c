import {afterEach, expect, test} from 'vitest';
import type {EvmNode} from '../../../source/rpc/evm/node.ts';
import {createEvmNode} from '../../../source/rpc/evm/node-client.ts';
import {readContracts} from '../../../source/service/follow/evm/contract-calls.ts';
import {askCoins, askTokens} from '../../../source/service/follow/evm/token-facts.ts';
import type {Address, Hex} from '../../../source/service/follow/evm/venue.ts';
import {openWorld, type World} from '../../helpers/follow-world.ts';
import {MULTICALL} from '../../helpers/world/places.ts';

const DECIMALS: Hex = '0x313ce567';
const NOBODY: Address = `0x${'77'.repeat(20)}`;
const open: {close(): Promise<void>}[] = [];

afterEach(async () => {
	for (const part of open.splice(0).reverse()) await part.close();
});

async function connect(): Promise<{world: World; node: EvmNode}> {
	const world = await openWorld();
	open.push(world);
	const node = createEvmNode({urls: [world.url], chain: world.places.number});
	open.push(node);
	return {world, node};
}

for (const isThere of [true, false]) {
	test(`calls are answered each for itself, ${isThere ? 'together' : 'one by one where no Multicall3 is'}`, async () => {
		const {world, node} = await connect();
		if (!isThere) await world.rpc('anvil_setCode', [MULTICALL, '0x']);
		const {dollar, wrapped} = world.places;
		const calls = [
			{to: wrapped, data: DECIMALS},
			{to: NOBODY, data: DECIMALS},
			{to: dollar.address, data: DECIMALS},
			// The function is not there: the call fails, and the others do not.
			{to: dollar.address, data: '0x12345678' as const},
		];
		const answers = await readContracts(node, MULTICALL, calls, 'latest');
		expect(answers.map(answer => answer && Number(answer))).toEqual([18, undefined, 6, undefined]);
		const many = Array.from({length: isThere ? 230 : 10}, () => calls[2]!);
		expect((await readContracts(node, MULTICALL, many, 'latest')).map(Number)).toEqual(many.map(() => 6));
	});
}

test('a token says what it is as of a block', async () => {
	const {world, node} = await connect();
	const token = await world.launch({venue: 'uniswap-v2', name: 'Moon Cat', symbol: 'MCAT', decimals: 9});
	const {number} = await world.head();
	const ask = {token: token.address, block: number, launch: undefined, transaction: undefined};
	const at = {multicall: MULTICALL, chain: world.places.number};
	const facts = await askTokens(node, at, [ask, {...ask, token: NOBODY}]);
	expect(facts.get(token.address)).toEqual({
		name: 'Moon Cat',
		symbol: 'MCAT',
		decimals: 9,
		supply: 10n ** 18n,
		launch: null,
		sender: null,
		owner: token.creator,
		security: {renounced: false},
	});
	expect(facts.get(NOBODY)).toMatchObject({name: null, symbol: null, decimals: null, supply: null, security: {}});
	const coins = await askCoins(node, MULTICALL, [world.places.dollar.address, NOBODY]);
	expect([...coins.values()]).toMatchObject([{address: world.places.dollar.address, decimals: 6}]);
});
