import {encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import type {TokenMade} from '../../../../../../source/service/follow/evm/venue.ts';
import {DOPPLER} from '../../../../../../source/service/follow/evm/venues/doppler.ts';
import {builtLog} from '../../../../../helpers/built-log.ts';
import {decoded} from '../../../../../helpers/decoded.ts';

const TOKEN = '0x1111111111111111111111111111111111111111';
const HOOK = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544';
const NATIVE = '0x0000000000000000000000000000000000000000';
const SIGNATURE = 'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)';

describe('built logs of Doppler', () => {
	const log = builtLog(SIGNATURE, {asset: TOKEN, numeraire: NATIVE, initializer: HOOK, poolOrHook: TOKEN});

	test('a token has no creator that could be proven, and its pool has an event of its own', () => {
		expect(decoded(DOPPLER, log)).toMatchObject({kind: 'token', token: TOKEN, creator: null, curve: null, pool: null});
	});

	test.each([
		['0xf60633d02690e2a15a54ab919925f3d038df163e', {launchpad: 'Bankr'}],
		['0x92d435C96E63c43E12d6D0AB28f6b0B04072F765', {launchpad: 'Long'}],
		[HOOK, {}],
	] as const)('who launched by it is the last word of a call: %s', (integrator, said) => {
		const {calls, read} = DOPPLER.launchFacts!;
		const abi = parseAbi(['function getAssetData(address asset) view']);
		expect(calls(decoded(DOPPLER, log) as TokenMade, 8453)).toEqual([
			{to: '0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12', data: encodeFunctionData({abi, args: [TOKEN]})},
		]);
		const types = parseAbiParameters(
			'address numeraire, address timelock, address governance, address migrator, address initializer, address pool, address migrationPool, uint256 numTokensToSell, uint256 totalSupply, address integrator',
		);
		const answer = encodeAbiParameters(types, [NATIVE, HOOK, HOOK, HOOK, HOOK, TOKEN, NATIVE, 9n, 10n, integrator]);
		expect(read([answer])).toEqual(said);
	});
});
