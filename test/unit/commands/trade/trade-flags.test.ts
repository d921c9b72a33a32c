import {expect, test} from 'vitest';
import {Flags} from '../../../../source/commands/line/flags.ts';
import {UsageError} from '../../../../source/commands/line/usage-error.ts';
import {acceptedBy} from '../../../../source/commands/trade/accepted.ts';
import {assertAmount, partOf} from '../../../../source/commands/trade/amount.ts';
import {buyLine} from '../../../../source/commands/trade/buy-line.ts';
import {tokenOperand} from '../../../../source/commands/trade/row.ts';
import {trade} from '../../../../source/commands/trade/trade.ts';
import type {Config} from '../../../../source/config/config.ts';

const ADDRESS = `0x${'aB'.repeat(20)}`;
const flagsOf = (given: Readonly<Record<string, string | true | readonly string[]>>) =>
	new Flags(new Map(Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value : [value]])));

test('a token is named by its chain and address, and never by a symbol', () => {
	expect(tokenOperand([`base:${ADDRESS}`])).toEqual({chainId: 'evm:8453', address: ADDRESS});
	expect(tokenOperand([`evm:56:${ADDRESS}`])).toEqual({chainId: 'evm:56', address: ADDRESS});
	for (const given of ['base:PEPE', 'base', ADDRESS, `bse:${ADDRESS}`, 'PEPE', `base:${ADDRESS}0`])
		expect(() => tokenOperand([given]), given).toThrow(UsageError);
	expect(() => tokenOperand([])).toThrow(UsageError);
	expect(() => tokenOperand([`base:${ADDRESS}`, `base:${ADDRESS}`])).toThrow(UsageError);
});

test('risks and contracts are accepted by their names, several at once, and nothing accepts everything', () => {
	const accepted = acceptedBy(flagsOf({accept: ['impact=12,tax=8', 'bridge=a1b2c3', 'batch-executor=000000']}));
	expect(accepted.words).toEqual(['impact=12', 'tax=8']);
	expect([...accepted.roles]).toEqual([
		['bridge', 'a1b2c3'],
		['batch executor', '000000'],
	]);
	for (const value of ['all', '*', 'impact', 'impact=', 'impact=12=13', 'impct=12', 'bridge=12', ''])
		expect(() => acceptedBy(flagsOf({accept: [value]})), value).toThrow(UsageError);
});

test('a sell has one of three amounts, a buy has one in dollars', () => {
	expect(() => assertAmount(flagsOf({all: true}), 'sell')).not.toThrow();
	for (const given of [{}, {all: true, percent: '50'}, {percent: '0'}, {percent: '101'}, {percent: 'half'}] as const)
		expect(() => assertAmount(flagsOf(given), 'sell'), JSON.stringify(given)).toThrow(UsageError);
	expect(() => assertAmount(flagsOf({}), 'buy')).toThrow(UsageError);
});

test.each([
	['auto', undefined, '--from is missing'],
	['evm:8453', undefined, '--from is on the chain of the token'],
	['base:usdc', undefined, '--from is on the chain of the token'],
	['evm:56', undefined, undefined],
	['bsc:usdc', undefined, undefined],
	['evm:56', 'base:usdc', '--from is on the chain of the token'],
	['evm:8453', 'bsc:usdc', undefined],
	['auto', 'bsc:usdc', undefined],
	['auto', 'bsc', "The value of --from can't be used"],
])('a buy pays from %s as configured, or from %s as the flag says: %s', async (from, flag, what) => {
	const config = {trade: {from}} as unknown as Config;
	const flags = flagsOf({amount: '5', 'dry-run': true, ...(flag !== undefined && {from: flag})});
	const call = {flags, operands: [`base:${ADDRESS}`], readConfig: async () => config};
	const error: unknown = await trade('buy', call as never).catch(reason => reason);
	if (what !== undefined) expect(error).toMatchObject({code: 'usage', message: what});
	// Nothing else of the configuration is there: with complete flags the trade goes on to its next setting.
	else expect(error).toBeInstanceOf(TypeError);
});

test('a part is rounded down, and the whole is exact to the last unit', () => {
	const raw = 123_456_789_012_345_678_901_234_567n;
	expect(partOf(raw, 100)).toBe(raw);
	expect(partOf(raw, 50)).toBe(raw / 2n);
	expect(partOf(3n, 33.33)).toBe(0n);
	expect(partOf(10_000n, 0.01)).toBe(1n);
});

test('the command to buy a token is text that a shell can only read as that, and only for what can be bought', () => {
	const settings = {amounts: [10, 25], from: 'auto'} as const;
	expect(buyLine({chain_id: 'evm:8453', address: ADDRESS}, settings)).toBe(
		`pulsetop buy base:${ADDRESS} --amount 10 --from arbitrum:usdc --dry-run`,
	);
	expect(buyLine({chain_id: 'evm:56', address: ADDRESS}, {amounts: [5], from: 'evm:137'})).toBe(
		`pulsetop buy bsc:${ADDRESS} --amount 5 --from polygon:usdc --dry-run`,
	);
	expect(buyLine({chain_id: 'evm:56', address: ADDRESS}, {...settings, from: 'base:usdc'})).toContain(
		'--from base:usdc ',
	);
	expect(buyLine({chain_id: 'solana:solana', address: ADDRESS}, settings)).toBeUndefined();
	expect(buyLine({chain_id: 'evm:8453', address: '0x12; rm -rf ~'}, settings)).toBeUndefined();
});
