import {concatHex, type Hex, keccak256} from 'viem';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {ChainReader} from '../../../source/trading/chain-reader.ts';
import {describeContract, readContract} from '../../../source/trading/contract-code.ts';
import {PRACTICE_CONTRACTS} from '../../../source/trading/known-contracts.ts';
import {type BridgeWorld, openBridgeWorld} from './bridge-world.ts';

const CONTRACT = '0x4000000000000000000000000000000000000004';
const TARGET = '0x5000000000000000000000000000000000000005';
const BEACON = '0x6000000000000000000000000000000000000006';
const CODE = '0x6001600255';
const SLOTS = {
	'EIP-1967 implementation': '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
	'EIP-1822': '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
	OpenZeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
};
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';
const wordOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

/** A node that shows these codes and slots. */
function node(codes: Record<string, string>, slots: Record<string, string> = {}): ChainReader {
	const request = async (_: string, method: string, params: readonly unknown[]) => {
		if (method === 'eth_getCode') return codes[params[0] as string] ?? '0x';
		if (method === 'eth_getStorageAt') return slots[params[1] as string] ?? wordOf('0x0');
		return wordOf(TARGET);
	};
	return {request} as unknown as ChainReader;
}
const read = (codes: Record<string, string>, slots?: Record<string, string>) =>
	readContract(node(codes, slots), 'evm:8453', CONTRACT);

describe('what stands at an address', () => {
	test('is known by its code, and accepted by code and address together', async () => {
		expect(await read({[CONTRACT]: CODE})).toEqual({
			address: CONTRACT,
			kind: 'plain',
			hash: keccak256(CODE),
			fingerprint: keccak256(concatHex([CODE, CONTRACT])),
			size: 5,
		});
	});

	test('is not a contract without code, or when it only delegates to another', async () => {
		expect(await read({})).toMatchObject({kind: 'none', why: 'there is no code at this address'});
		const delegation = `0xef0100${TARGET.slice(2)}`;
		expect(await read({[CONTRACT]: delegation})).toMatchObject({
			kind: 'delegation',
			why: expect.stringContaining(TARGET),
		});
	});

	test.each(Object.entries(SLOTS))(
		'with the slot of %s is a proxy, and known by what it calls too',
		async (_, slot) => {
			const found = await read({[CONTRACT]: CODE, [TARGET]: '0x6003'}, {[slot]: wordOf(TARGET)});
			expect(found).toMatchObject({
				kind: 'proxy',
				implementation: TARGET,
				hash: keccak256(concatHex([CODE, '0x6003'])),
			});
			if ('hash' in found) expect(describeContract(found)).toContain(`can exchange the code, now that of ${TARGET}`);
			const upgraded = await read({[CONTRACT]: CODE, [TARGET]: '0x6004'}, {[slot]: wordOf(TARGET)});
			expect('hash' in upgraded && 'hash' in found && upgraded.hash !== found.hash).toBe(true);
		},
	);

	test('behind a beacon is what the beacon names', async () => {
		const found = await read({[CONTRACT]: CODE, [TARGET]: '0x6003'}, {[BEACON_SLOT]: wordOf(BEACON)});
		expect(found).toMatchObject({kind: 'proxy', implementation: TARGET});
	});

	test('that calls an address without code, or an unknown contract, is refused', async () => {
		expect(await read({[CONTRACT]: CODE}, {[SLOTS['EIP-1822']]: wordOf(TARGET)})).toMatchObject({kind: 'empty-proxy'});
		expect(await read({[CONTRACT]: CODE}, {[ADMIN_SLOT]: wordOf(TARGET)})).toMatchObject({kind: 'empty-proxy'});
	});

	test('as a minimal clone is named so, and identified by its target', async () => {
		const clone = `0x363d3d373d3d3d363d73${TARGET.slice(2)}5af43d82803e903d91602b57fd5bf3` as Hex;
		const found = await read({[CONTRACT]: clone, [TARGET]: '0x6003'});
		expect(found).toMatchObject({kind: 'clone', implementation: TARGET, hash: keccak256(concatHex([clone, '0x6003']))});
	});
});

describe('the contracts that ship with the program', () => {
	let world: BridgeWorld;
	beforeAll(async () => {
		world = await openBridgeWorld();
	});
	afterAll(() => world?.close());

	test('are those of the practice chains, address and code', async () => {
		const names = {
			'batch executor': 'batchExecutor',
			bridge: 'bridge',
			'swap helper': 'swapBridge',
			'perp exchange': 'perpExchange',
			'vault factory': 'vaultFactory',
		} as const;
		const running = await Promise.all(
			Object.entries(names).map(async ([role, name]) => {
				const found = await readContract(world.chains, 'evm:8453', world.contracts('evm:8453')[name]!);
				return {role, address: found.address, hash: 'hash' in found ? found.hash : found.why};
			}),
		);
		expect(PRACTICE_CONTRACTS).toEqual(running);
	});
});
