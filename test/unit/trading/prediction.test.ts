import {describe, expect, test} from 'vitest';
import {Vault} from '../../../source/service/chain/artifacts.generated.ts';
import {accountAddressOf} from '../../../source/service/chain/deployment.ts';
import {formatUnits} from '../../../source/trading/decimal.ts';
import {ACCOUNT_CODE, accountOf} from '../../../source/trading/prediction/account.ts';
import {readAmount} from '../../../source/trading/prediction/amount.ts';
import {decodePredictionCall} from '../../../source/trading/prediction/calls.ts';
import {checkSimulation, type PredictionPlan} from '../../../source/trading/prediction/checks.ts';
import * as machine from '../../../source/trading/prediction/machine.ts';
import {predictionLines} from '../../../source/trading/prediction/review-lines.ts';
import * as phases from '../../../source/trading/review-phases.ts';
import {fc} from '../../helpers/properties.ts';

test('an account is derived from the very code that the factory deploys', () => {
	expect(ACCOUNT_CODE).toBe(Vault.init);
	const factory = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
	const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
	expect(accountOf(factory, owner)).toBe(accountAddressOf(factory, owner));
});

test('amounts are exact from a cent to a billion, and anything else is refused', () => {
	expect(readAmount('0.01', 6)).toEqual({raw: 10_000n, number: 0.01, text: '0.01'});
	expect(readAmount('1000000000', 6).raw).toBe(10n ** 15n);
	for (const bad of ['0.009999', '1000000000.000001', '0', '-1', '1e3', '1,5', '', '0.0100001', 'NaN'])
		expect(() => readAmount(bad, 6), bad).toThrow('This is not an amount');
});

test('every accepted amount reads back from JSON as the same decimal', () => {
	fc.assert(
		fc.property(fc.bigInt({min: 10_000n, max: 10n ** 15n}), raw => {
			const text = formatUnits(raw, 6);
			let read: ReturnType<typeof readAmount>;
			try {
				read = readAmount(text, 6);
			} catch {
				return;
			}
			expect(JSON.stringify({amount: read.number})).toBe(`{"amount":${text}}`);
			expect(read.raw).toBe(raw);
		}),
	);
});

test('calldata that is not exactly one known call is not decoded', () => {
	const word = (hex: string) => hex.padStart(64, '0');
	const transfer = `0xa9059cbb${word('ab'.repeat(20))}${word('2710')}`;
	expect(decodePredictionCall(transfer)).toMatchObject({kind: 'transfer', amountRaw: 10_000n});
	for (const bad of [
		'',
		'0x',
		'0xa9059cbb',
		`${transfer}00`,
		transfer.slice(0, -2),
		transfer.replace('a9059cbb', '095ea7b3'),
		// Bits above the address: another way to write the same.
		`0xa9059cbb${'1'.repeat(24)}${'ab'.repeat(20)}${word('2710')}`,
	])
		expect(decodePredictionCall(bad), bad).toBeUndefined();
});

test('a transaction that may be mined is left only by what the chain says', () => {
	const sent = machine.sendingStarted({phase: 'signing'}, {hash: '0x1', nonce: 4});
	expect(sent).toEqual({phase: 'sent', hash: '0x1', nonce: 4});
	for (const other of [
		machine.built(sent),
		machine.dismissed(sent),
		phases.signingStarted(sent),
		phases.signingFailed(sent),
	])
		expect(other).toBe(sent);
	expect(machine.sendUnclear(sent, 'silence').phase).toBe('sent');
	expect(machine.mined(sent, {isSuccess: true, isKept: true, block: 9n})).toMatchObject({phase: 'done', block: 9n});
	expect(machine.mined(sent, {isSuccess: true, isKept: false, block: 9n}).phase).toBe('unseen');
	expect(machine.mined(sent, {isSuccess: false, isKept: false, block: 9n}).phase).toBe('reverted');
	expect(machine.replaced(sent).phase).toBe('replaced');
	const done = machine.mined(sent, {isSuccess: true, isKept: true, block: 9n});
	expect(machine.sendRefused(done, 'late')).toBe(done);
	expect(machine.replaced(done)).toBe(done);
});

describe('the review', () => {
	const plan = (action: PredictionPlan['action'], simulation?: PredictionPlan['simulation']) =>
		({
			action,
			...(action === 'deploy' ? {} : {amountRaw: 5_000_000n}),
			place: {chainId: 'evm:137', decimals: 6, symbol: 'USDC', factory: '0xfac', stablecoin: '0xdo11ar'},
			facts: {owner: '0xowner', account: '0xaccount', nonce: 4},
			fees: {maxFeePerGas: 1n},
			proposal: {},
			...(simulation && {simulation}),
			requiresSimulation: false,
		}) as unknown as PredictionPlan;
	const linesOf = (action: PredictionPlan['action']) =>
		Object.fromEntries(predictionLines(plan(action)).map(({label, text}) => [label, text]));

	test('names account and owner of an account that is created, and sender and receiver of money', () => {
		expect(linesOf('deploy')).toMatchObject({account: '0xaccount', owner: '0xowner', nonce: '4', fee: 'not known'});
		expect(linesOf('deploy')).not.toHaveProperty('you send');
		expect(linesOf('deposit')).toMatchObject({
			'you send': '5 USDC on Polygon',
			from: '0xowner (this wallet)',
			to: '0xaccount (your prediction account)',
		});
		expect(linesOf('withdraw')).toMatchObject({
			from: '0xaccount (your prediction account)',
			to: '0xowner (this wallet)',
		});
		for (const action of ['deposit', 'withdraw'] as const) expect(linesOf(action)).not.toHaveProperty('account');
	});

	test('only an account that is created needs no try', () => {
		const without = (action: PredictionPlan['action']) => checkSimulation(plan(action)).ok;
		expect([without('deploy'), without('deposit'), without('withdraw')]).toEqual([true, false, false]);
	});
});
