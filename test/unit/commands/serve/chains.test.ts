import {join} from 'node:path';
import {expect, test} from 'vitest';
import {externalChains} from '../../../../source/commands/serve/chains.ts';
import {temporaryDirectory, temporaryFile} from '../../../helpers/temporary-directory.ts';

const plain = {keyFile: undefined, deploys: false};
const key = 'ab'.repeat(32);

test('real nodes are read by chain number, with the key of a file', () => {
	expect([...externalChains(['evm:8453=http://127.0.0.1:8545'], plain)]).toEqual([
		[8453, {rpcUrl: 'http://127.0.0.1:8545'}],
	]);
	expect(
		externalChains(['evm:137=https://node.example/x?y=1'], {keyFile: temporaryFile(`${key}\n`), deploys: true}).get(
			137,
		),
	).toEqual({
		rpcUrl: 'https://node.example/x?y=1',
		key: `0x${key}`,
		deploys: true,
	});
});

test.each(['8453=http://x', 'evm:8453', 'evm:8453=ftp://x', 'evm:0=http://x', 'solana:solana=http://x'])(
	'--rpc %s is refused with its form',
	text => {
		expect(() => externalChains([text], plain)).toThrow(/--rpc is not as it should be/);
	},
);

test('a key file that others can read, that is not there or that holds something else is refused, and its text is not repeated', () => {
	const withKey = (keyFile: string) => () => externalChains(['evm:8453=http://x'], {keyFile, deploys: false});
	expect(withKey(temporaryFile(key, 0o644))).toThrow(/can be read by others/);
	expect(withKey(join(temporaryDirectory(), 'missing'))).toThrow(/cannot be read/);
	const secret = `${'cd'.repeat(31)}zz`;
	try {
		withKey(temporaryFile(secret))();
		expect.unreachable();
	} catch (error) {
		expect(JSON.stringify([(error as Error).message, (error as {why?: string}).why])).not.toContain(secret);
	}
});

test('a key without a chain is a mistake', () => {
	expect(() => externalChains([], {keyFile: temporaryFile(key), deploys: false})).toThrow(/need --rpc/);
});
