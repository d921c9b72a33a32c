import {afterAll, beforeAll, expect, test} from 'vitest';
import type {ChainSet} from '../../../source/service/chain/chain-set.ts';
import {fc} from '../../helpers/properties.ts';
import {balanceOf, USDC} from '../chain/practice.ts';
import {type Bench, bodyOf, fundedUser, openBench, quoteOf} from './bridge-client.ts';
import {type Fault, faultyChains} from './faults.ts';

let bench: Bench;
let fault: Fault | undefined;
let laterMs = 0;
/** How often the sponsor was told to send since the intent was begun. */
let sends = 0;

beforeAll(async () => {
	bench = await openBench({now: () => Date.now() + laterMs, solverMs: 40});
	await bench.restart({chains: counting(bench.chains)});
});
afterAll(() => bench.close());

/** Chains with preset failures, which count what reaches the sponsor's queue. */
function counting(chains: ChainSet): ChainSet {
	const breaking = faultyChains(chains, (_, role) => (role === 'sponsor' ? fault : undefined));
	return {
		...breaking,
		async ready(chainId) {
			const chain = await breaking.ready(chainId);
			return {
				...chain,
				sender(role) {
					const sender = chain.sender(role);
					if (role !== 'sponsor') return sender;
					return {
						...sender,
						send(...args) {
							sends++;
							return sender.send(...args);
						},
					};
				},
			};
		},
	};
}

const FAULTS: readonly (Fault | undefined)[] = [
	undefined,
	'rejected before it is written down',
	'rejected by the node',
	'no word, and lost',
	'no word, but sent',
	'hangs before it is written down',
	'hangs before it is sent',
	'hangs after it was sent',
];

const step = fc.oneof(
	fc.record({do: fc.constant('execute' as const), fault: fc.constantFrom(...FAULTS)}),
	fc.record({do: fc.constant('execute twice' as const), fault: fc.constantFrom(...FAULTS)}),
	fc.record({do: fc.constant('restart' as const)}),
	fc.record({do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 8, 16)}),
);

test('with any faults and any stop of the service: an intent is deposited at most once, and never sent again after an unclear response', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 6}), async steps => {
			[fault, laterMs, sends] = [undefined, 0, 0];
			const user = await fundedUser(bench);
			const quote = await quoteOf(bench, user);
			const deadline = String(Math.floor(Date.now() / 1000) + 300);
			const body = await bodyOf(bench, user, quote, {signed: {deadline}});
			let isUnclear = false;
			for (const one of steps) {
				if (one.do === 'restart') await bench.restart({chains: counting(bench.chains)});
				else if (one.do === 'wait') laterMs += one.minutes * 60_000;
				else {
					fault = one.fault;
					const before = sends;
					const tries = one.do === 'execute' ? 1 : 2;
					const answers = await Promise.all(
						Array.from({length: tries}, () =>
							bench.bridge.execute(body).then(
								() => 200,
								error => error.statusCode as number,
							),
						),
					);
					fault = undefined;
					// Once it is unclear, or done, nothing reaches the sponsor any more; two at once never both do.
					expect(sends - before).toBeLessThanOrEqual(isUnclear ? 0 : 1);
					expect(answers.every(status => [200, 400, 409, 502, 504].includes(status))).toBe(true);
					isUnclear ||= answers.includes(200) || answers.includes(504);
				}
			}
			laterMs += 30 * 60_000;
			await bench.restart({chains: counting(bench.chains)});
			await expect
				.poll(async () => (await bench.bridge.status(quote.intentId)).message)
				.toMatch(/^(Quoted|The funds have arrived, and|The transfer failed before any token moved)/);
			const {status, message} = await bench.bridge.status(quote.intentId);
			const paid = 1000n * USDC - (await balanceOf(bench.base, user.address));
			const arrived = await balanceOf(bench.arbitrum, user.address);
			const due = BigInt(Math.round(Number(quote.estimatedAmountOut) * 1e6));
			expect([paid, arrived]).toEqual(status === 'settled' ? [50n * USDC, due] : [0n, 0n]);
			// An intent whose caller was referred to its status has an end with the result.
			if (isUnclear) expect(message).not.toContain('Quoted');
		}),
		{numRuns: 60, timeout: 20_000, interruptAfterTimeLimit: 60_000},
	);
});
