import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Quote} from '../../../source/contract/bridge.ts';
import {createMarket} from '../../../source/service/market/create-market.ts';
import type {HeldToken} from '../../../source/service/market/held-token.ts';
import type {BridgeFlow, BridgeInput} from '../../../source/trading/bridge/flow.ts';
import {feedPrices} from '../../../source/trading/positions/feed-prices.ts';
import {openPositions} from '../../../source/trading/positions/open-positions.ts';
import type {Position} from '../../../source/trading/positions/position.ts';
import {fundPracticeWallet} from '../../../source/trading/practice-funds.ts';
import {confirmationText} from '../../../source/trading/trade/acknowledge.ts';
import {settledTrades} from '../../../source/trading/trade/settled.ts';
import {type TradeSide, targetOf} from '../../../source/trading/trade/target.ts';
import {curveLaunch, poolLaunch} from '../../service/bridge/launches.ts';
import {acceptAll, type BridgeWorld, openBridgeWorld, type Person} from './bridge-world.ts';

/* Launches of the market, traded by the client over the real service and its chains: honest ones, and those that lie. */

const LAUNCHES = {
	curve: curveLaunch(),
	pool: poolLaunch(),
	taxed: curveLaunch({buyTax: '8', sellTax: '8'}),
	honeypot: curveLaunch({isHoneypot: true}),
};
/** A market in which nobody else trades them. */
const market = createMarket({seed: 5, rate: 0.1, held: Object.values(LAUNCHES)});
let world: BridgeWorld;
beforeAll(async () => {
	market.start({historyInMs: null});
	world = await openBridgeWorld(market);
});
afterAll(async () => {
	await world?.close();
	market.stop();
});

type Call = Client['call'];
const usdc = (chainId: string) => world.contracts(chainId)['usdc']!;
const failing = (flow: BridgeFlow) => flow.view.checks.flatMap(({ok, name}) => (ok ? [] : [name]));

async function buyer(): Promise<Person> {
	const person = await world.person({funds: false});
	const {url: baseUrl, apiKey} = world;
	const chainId = 'evm:42161';
	await fundPracticeWallet({baseUrl, apiKey, chainId, address: person.address, token: usdc(chainId)});
	await expect.poll(() => dollars(person)).toBeGreaterThan(0n);
	return person;
}

async function input({address}: HeldToken, side: TradeSide, amount: string): Promise<BridgeInput> {
	const chainId = 'evm:8453';
	const row = async () => {
		const entry = await world.client.fetchToken({chainId, address});
		return targetOf(entry!, side, {atMs: world.client.clock.nowMs(), isLive: true});
	};
	const [token, dollars] = [
		{chainId, address},
		{chainId: 'evm:42161', address: usdc('evm:42161')},
	];
	const [from, to] = side === 'buy' ? [dollars, token] : [token, dollars];
	return {
		originChainId: from.chainId,
		originToken: from.address,
		destinationChainId: to.chainId,
		destinationToken: to.address,
		amount,
		trade: await row(),
		tradeNow: row,
	};
}

async function trade(person: Person, launch: HeldToken, side: TradeSide, amount: string, call?: Call) {
	const flow = person.flow(call ? {call} : {});
	await flow.quote(await input(launch, side, amount));
	for (;;) {
		await acceptAll(flow);
		expect(failing(flow)).toEqual([]);
		flow.confirm(confirmationText(amount, flow.view.acknowledge));
		try {
			await flow.execute();
			return {flow, end: await flow.watch()};
		} catch (error) {
			// The simulated market moves meanwhile, on a slow machine by more than the review allows: it is looked at again.
			if ((error as {code?: string}).code !== 'quote-worse') throw error;
		}
	}
}

const held = ({address}: Person, launch: HeldToken) => world.chains.balance('evm:8453', launch.address, address);
const dollars = ({address}: Person) => world.chains.balance('evm:42161', usdc('evm:42161'), address);

/** The only position of a person: nothing of it but the journal was kept. */
async function position({journal}: Person): Promise<Position> {
	const nowMs = Date.now;
	const {positions} = await openPositions({journal, chains: world.chains, nowMs}, feedPrices(world.client, nowMs));
	expect(positions).toHaveLength(1);
	return positions[0]!;
}

describe('an honest service', () => {
	test.each(['curve', 'pool', 'taxed'] as const)(
		'a launch of a %s is bought and sold whole, to the raw unit',
		async name => {
			const launch = LAUNCHES[name];
			const me = await buyer();
			const paid = await dollars(me);
			const {flow, end} = await trade(me, launch, 'buy', '25');
			expect(end.phase).toMatch(/filled|settled/);
			const bought = await held(me, launch);
			const [first] = settledTrades(me.journal.records());
			expect(first).toMatchObject({side: 'buy', end: 'traded', tokenRaw: bought, usdMicro: 25_000_000n});
			expect(bought).toBeGreaterThanOrEqual(
				BigInt(Math.floor(Number(flow.view.quoted!.quote.minAmountOut))) * 10n ** 18n,
			);
			expect(await dollars(me)).toBe(paid - 25_000_000n);
			expect(await position(me)).toMatchObject({
				boughtRaw: bought,
				foreignRaw: 0n,
				movedRaw: 0n,
				costMicro: 25_000_000n,
				price: {usd: expect.any(Number)},
			});

			const {decimals} = await world.chains.tokenInfo('evm:8453', launch.address);
			const all = exact(bought, decimals);
			const {end: sold} = await trade(me, launch, 'sell', all);
			expect(sold).toMatchObject({phase: expect.stringMatching(/filled|settled/), leftTxHash: expect.any(String)});
			expect(await held(me, launch)).toBe(0n);
			const [, second] = settledTrades(me.journal.records());
			const came = (await dollars(me)) - (paid - 25_000_000n);
			expect(second).toMatchObject({side: 'sell', end: 'traded', tokenRaw: bought, usdMicro: came});
			expect(await position(me)).toMatchObject({
				amount: {raw: 0n},
				holding: {trackedRaw: 0n, realisedMicro: came - 25_000_000n},
			});
			// Two fees, the pool's twice, and twice the tax.
			expect(Number(came) / 25e6).toBeGreaterThan(name === 'taxed' ? 0.78 : 0.93);
			expect(me.caps.spentToday('usd', 'buys', 6)).toBe(25_000_000n);
			expect(me.caps.spentToday('usd', 'sells', 6)).toBeGreaterThanOrEqual(came);
			expect(me.caps.spentToday('evm:8453', launch.address, decimals)).toBe(0n);
		},
	);

	test('a honeypot is refused by name, before its service says so', async () => {
		const me = await buyer();
		const flow = me.flow({call: lying(q => q, LAUNCHES.curve)});
		await flow.quote(await input(LAUNCHES.honeypot, 'buy', '25'));
		expect(failing(flow)).toContain('honeypot');
	});
});

describe('a service that lies in its quote', () => {
	const scaled = (text: string, by: number) => (Number(text) * by).toFixed(6);
	const lies: [what: string, check: string, lie: (quote: Quote) => Quote][] = [
		[
			'other decimals',
			'price',
			q => ({...q, estimatedAmountOut: scaled(q.estimatedAmountOut, 1e12), minAmountOut: scaled(q.minAmountOut, 1e12)}),
		],
		[
			'an estimate 6 % too good',
			'price',
			q => ({...q, estimatedAmountOut: scaled(q.estimatedAmountOut, 1.07), minAmountOut: scaled(q.minAmountOut, 1.07)}),
		],
		['a least of 1 %', 'least', q => ({...q, minAmountOut: scaled(q.estimatedAmountOut, 0.01)})],
		[
			'the price of another token',
			'worst-case',
			q => ({...q, estimatedAmountOut: scaled(q.estimatedAmountOut, 0.1), minAmountOut: scaled(q.minAmountOut, 0.1)}),
		],
		['fees of 99 %', 'fee-share', q => ({...q, totalFeeUsd: '24.75', fees: {...q.fees, totalFeeUsd: '24.75'}})],
		['a tax that the row does not have', 'tax', q => ({...q, buyTax: 40})],
		['an exponent', 'quote-figures', q => ({...q, estimatedAmountOutUsd: '2.5e1'})],
		[
			'another recipient',
			'deposit',
			q => ({
				...q,
				steps: q.steps!.map(step => ({
					...step,
					tx: {...step.tx, data: step.tx.data.replace(/.{40}$/, '9'.repeat(40))},
				})),
			}),
		],
		['an end that has passed', 'fresh', q => ({...q, deadline: 1})],
	];

	const intended = ({journal}: Person) => journal.records().filter(({kind}) => kind === 'bridge.intended');

	test('is named by its check, and gets no signature', async () => {
		const me = await buyer();
		for (const [what, check, lie] of lies) {
			const flow = me.flow({call: lying(lie)});
			await flow.quote(await input(LAUNCHES.curve, 'buy', '25'));
			await acceptAll(flow);
			const said = [...failing(flow), ...flow.view.acknowledge.map(({name}) => name)];
			expect(said, what).toContain(check);
			expect(() => flow.confirm('25'), what).toThrow();
			await expect(flow.execute(), what).rejects.toMatchObject({code: 'not-now'});
		}
		expect(intended(me)).toEqual([]);
	});

	test('only at the confirmation gets none either', async () => {
		const me = await buyer();
		for (const [what, , lie] of lies) {
			let isLying = false;
			const flow = me.flow({call: lying(quote => (isLying ? lie(quote) : quote))});
			await flow.quote(await input(LAUNCHES.curve, 'buy', '25'));
			await acceptAll(flow);
			flow.confirm('25');
			isLying = true;
			const refusal = {code: expect.stringMatching(/check-failed|quote-worse/)};
			await expect(flow.execute(), what).rejects.toMatchObject(refusal);
		}
		expect(intended(me)).toEqual([]);
	});

	test('a swap that is bound to a grain is named min-bridged', async () => {
		const holder = await buyer();
		await trade(holder, LAUNCHES.curve, 'buy', '10');
		const flow = holder.flow({
			call: lying(quote => ({
				...quote,
				steps: quote.steps!.map(step =>
					step.tx.data.length < 300
						? step
						: {
								...step,
								tx: {...step.tx, data: step.tx.data.slice(0, 202) + '1'.padStart(64, '0') + step.tx.data.slice(266)},
							},
				),
			})),
		});
		await flow.quote(await input(LAUNCHES.curve, 'sell', exact(await held(holder, LAUNCHES.curve), 18)));
		await acceptAll(flow);
		expect(failing(flow)).toEqual(['min-bridged']);
	});
});

/** The service with its quotes put otherwise. @param instead what is quoted in place of the token that was asked for */
function lying(lie: (quote: Quote) => Quote, instead?: HeldToken): Call {
	return (async (id, given, options) => {
		if (id !== 'bridgeQuote') return world.client.call(id, given, options);
		const {query} = given as {query: Record<string, unknown>};
		const asked = instead ? {query: {...query, destinationToken: instead.address}} : given;
		const {data} = (await world.client.call(id, asked as never, options)) as {data: Quote};
		return {data: lie(data)};
	}) as Call;
}

function exact(raw: bigint, decimals: number): string {
	const text = raw.toString().padStart(decimals + 1, '0');
	return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, '');
}
