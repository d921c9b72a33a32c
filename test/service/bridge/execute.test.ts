import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Bench, bodyOf, fundedUser, openBench, quoteOf} from './bridge-client.ts';
import {balanceOf, USDC} from '../chain/practice.ts';

let bench: Bench;
beforeAll(async () => {
	bench = await openBench();
});
afterAll(() => bench.close());

test('a first gasless transfer of an account without native coin arrives, and the next needs no authorization', async () => {
	const user = await fundedUser(bench);
	for (const authorizations of [1, 0]) {
		const before = await balanceOf(bench.arbitrum, user.address);
		const quote = await quoteOf(bench, user);
		const body = await bodyOf(bench, user, quote);
		expect(body.authorizationList).toHaveLength(authorizations);
		const result = await bench.bridge.execute(body);
		expect(result).toMatchObject({intentId: quote.intentId, status: 'pending'});
		const row = await bench.bridge.wait(quote.intentId);
		expect(row.status).toBe('filled');
		expect((await balanceOf(bench.arbitrum, user.address)) - before).toBe(BigInt(Math.round(Number(quote.estimatedAmountOut) * 1e6)));
	}
	expect(await balanceOf(bench.base, user.address)).toBe(900n * USDC);
});
