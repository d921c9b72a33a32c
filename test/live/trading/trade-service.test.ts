import {join} from 'node:path';
import {encodeFunctionData, formatUnits, type Hex, keccak256, parseAbi, parseUnits, stringToBytes} from 'viem';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Quote} from '../../../source/contract/bridge.ts';
import type {TradeSide, TradeTarget} from '../../../source/contract/trade-target.ts';
import {createMarket} from '../../../source/service/market/create-market.ts';
import type {HeldToken} from '../../../source/service/market/held-token.ts';
import {confirmationText} from '../../../source/trading/acknowledge.ts';
import type {BridgeFlow, BridgeInput} from '../../../source/trading/bridge/flow.ts';
import {PRACTICE_CONTRACTS} from '../../../source/trading/known-contracts.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {feedPrices} from '../../../source/trading/positions/feed-prices.ts';
import {openPositions} from '../../../source/trading/positions/open-positions.ts';
import type {Position} from '../../../source/trading/positions/position.ts';
import {settledTrades} from '../../../source/trading/positions/settled.ts';
import {fundPracticeWallet} from '../../../source/trading/practice-funds.ts';
import {targetOf} from '../../../source/trading/trade/target.ts';
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
const CALLS = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
]);
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
			flow.confirm(confirmationText('25', flow.view.acknowledge));
			isLying = true;
			const refusal = {code: expect.stringMatching(/check-failed|quote-worse/)};
			await expect(flow.execute(), what).rejects.toMatchObject(refusal);
		}
		expect(intended(me)).toEqual([]);
	});

	test('a swap that is bound to a grain, to half, or to nothing is named min-bridged', async () => {
		const holder = await buyer();
		await trade(holder, LAUNCHES.curve, 'buy', '10');
		for (const [what, bound] of BOUNDS) {
			const flow = holder.flow({call: lying(quote => withMinBridged(quote, bound))});
			await flow.quote(await input(LAUNCHES.curve, 'sell', exact(await held(holder, LAUNCHES.curve), 18)));
			await acceptAll(flow);
			expect(failing(flow), what).toEqual(['min-bridged']);
		}
	});
});

/** What a swap is bound to, of what it should be. */
const BOUNDS: readonly (readonly [what: string, bound: (dueRaw: bigint) => bigint])[] = [
	['0', () => 0n],
	['1', () => 1n],
	['half', dueRaw => dueRaw / 2n],
];

describe('a swap that nobody was shown', () => {
	/** The calls of a purchase as swap and deposit by the helper, which is a contract that this wallet knows. */
	function swapping(quote: Quote, me: Person, minBridged: bigint): Quote {
		const {usdc: token, swapBridge} = world.contracts('evm:42161') as Record<string, Hex>;
		const args = [
			keccak256(stringToBytes(quote.intentId)),
			token!,
			25_000_000n,
			minBridged,
			8453n,
			me.address as Hex,
		] as const;
		const approve = encodeFunctionData({abi: CALLS, functionName: 'approve', args: [swapBridge!, 25_000_000n]});
		const swap = encodeFunctionData({abi: CALLS, functionName: 'swapAndBridge', args});
		const [to, helper] = [token!, swapBridge!];
		return {...quote, steps: [step(to, approve), step(helper, swap)]};
	}
	const step = (to: string, data: string) => ({tx: {to, data, value: '0'}});
	const known = PRACTICE_CONTRACTS.map(contract => ({...contract}));
	const changes: readonly (readonly [what: string, change: (quote: Quote, me: Person) => Quote])[] = [
		...[0n, 1n, 12_500_000n, 25_000_000n].map(
			least => [`a swap for at least ${least}`, (quote: Quote, me: Person) => swapping(quote, me, least)] as const,
		),
		['an approval more', q => ({...q, steps: [q.steps![0]!, q.steps![0]!, q.steps![1]!]})],
		['an approval of nothing before', q => ({...q, steps: [noApproval(q), ...q.steps!]})],
		['an approval behind the deposit', q => ({...q, steps: q.steps!.toReversed()})],
		['a second deposit', q => ({...q, steps: [...q.steps!, q.steps![1]!]})],
		['no deposit', q => ({...q, steps: q.steps!.slice(0, 1)})],
		['no calls', q => ({...q, steps: []})],
	];
	function noApproval({steps}: Quote) {
		const [{tx}] = steps as [NonNullable<Quote['steps']>[number]];
		return step(tx.to, tx.data.slice(0, -64) + '0'.repeat(64));
	}

	test.each(changes)('is signed neither at first nor in place of what was shown: %s', async (what, change) => {
		const me = await buyer();
		let isChanged = true;
		const pins = openPins(join(me.dir, 'known-pins.json'), {known});
		const flow = me.flow({pins, call: lying(quote => (isChanged ? change(quote, me) : quote))});
		await flow.quote(await input(LAUNCHES.curve, 'buy', '25'));
		const first = failing(flow);
		// Another first approval of nothing is harmless where it was shown.
		if (what === 'an approval of nothing before') expect(first).toEqual([]);
		else expect(first).not.toEqual([]);
		if (/least (0|1|12500000)$/.test(what)) expect(first).toContain('min-bridged');

		isChanged = false;
		await flow.quote(await input(LAUNCHES.curve, 'buy', '25'));
		flow.confirm(confirmationText('25', flow.view.acknowledge));
		isChanged = true;
		await expect(flow.execute()).rejects.toMatchObject({code: 'quote-worse', why: expect.stringMatching(/calls/)});
		expect(flow.view.state.phase).toMatch(/^(quoted|reviewed)$/);
		expect(me.journal.records().filter(({kind}) => kind === 'bridge.intended')).toEqual([]);
		// The review has the new calls, and can be confirmed where its checks pass.
		const calls = flow.view.lines.find(({label}) => label === 'calls')!.text;
		expect(calls).toMatch(flow.view.plan!.batch.calls.length === 0 ? /^no calls;/ : /approve/);
	});

	test('is shown with its least where a purchase is paid with another dollar, and passes', async () => {
		const me = await world.person({funds: false});
		const {dai} = world.contracts('evm:42161');
		const {url: baseUrl, apiKey} = world;
		await fundPracticeWallet({baseUrl, apiKey, chainId: 'evm:42161', address: me.address, token: dai!});
		await expect.poll(() => world.chains.balance('evm:42161', dai!, me.address)).toBeGreaterThan(0n);
		const flow = me.flow();
		await flow.quote({...(await input(LAUNCHES.curve, 'buy', '25')), originToken: dai!});
		await acceptAll(flow);
		expect(failing(flow)).toEqual([]);
		const text = Object.fromEntries(flow.view.lines.map(line => [line.label, line.text]));
		expect(text['the swap']).toMatch(/^brings at least \$2[12]\.\d+ on Arbitrum, or nothing is paid \(signed\)$/);
		expect(text['calls']).toBe('approve, then swapAndBridge; no ETH sent');
		for (const [what, bound] of BOUNDS) {
			const bad = me.flow({call: lying(quote => withMinBridged(quote, bound))});
			await bad.quote({...(await input(LAUNCHES.curve, 'buy', '25')), originToken: dai!});
			await acceptAll(bad);
			expect(failing(bad), what).toEqual(['min-bridged']);
		}
	});

	test('is held to its floor in a plain transfer too', async () => {
		const me = await world.person({funds: false});
		const {dai} = world.contracts('evm:42161');
		const {url: baseUrl, apiKey} = world;
		await fundPracticeWallet({baseUrl, apiKey, chainId: 'evm:42161', address: me.address, token: dai!});
		await expect.poll(() => world.chains.balance('evm:42161', dai!, me.address)).toBeGreaterThan(0n);
		const transfer = {
			originChainId: 'evm:42161',
			originToken: dai!,
			amount: '25',
			destinationChainId: 'evm:8453',
			destinationToken: usdc('evm:8453'),
		};
		const honest = me.flow();
		await honest.quote(transfer);
		await acceptAll(honest);
		expect(failing(honest)).toEqual([]);
		for (const [what, bound] of BOUNDS) {
			const flow = me.flow({call: lying(quote => withMinBridged(quote, bound))});
			await flow.quote(transfer);
			await acceptAll(flow);
			expect(failing(flow), what).toEqual(['min-bridged']);
		}
	});
});

describe('a service whose feed and quotes are moved together', () => {
	/** All that the service says of a launch, as if it cost so many times as much. */
	async function movedInput(launch: HeldToken, side: TradeSide, amount: string, by: number): Promise<BridgeInput> {
		const honest = await input(launch, side, amount);
		const moved = (target: TradeTarget): TradeTarget => ({...target, priceUSD: target.priceUSD! * by});
		const now = honest.tradeNow!;
		return {...honest, trade: moved(honest.trade!), tradeNow: async () => moved((await now())!)};
	}
	const movedQuote = (side: TradeSide, by: number) =>
		lying(quote => {
			const scale = side === 'buy' ? 1 / by : by;
			const {estimatedAmountOut, minAmountOut} = quote;
			const told = {
				estimatedAmountOut: plain(estimatedAmountOut, scale),
				// Never less of the estimate than it was.
				minAmountOut: plain(minAmountOut, scale, 1n),
			};
			const fees = {...quote.fees, totalFeeUsd: '0', gasFeeUsd: '0', originSponsorGasUsd: '0'};
			const {priceUSD: _, priceImpact: __, poolShare: ___, estimatedAmountOutUsd: ____, ...rest} = quote;
			const lie = {...rest, ...told, totalFeeUsd: '0', fees};
			return side === 'buy' ? lie : withMinBridged(lie, dueRaw => BigInt(Math.ceil(Number(dueRaw) * by)));
		});
	/** A decimal text times a number of at most three places, with six places. @param more units of the last one */
	const plain = (text: string, by: number, more = 0n) =>
		formatUnits((parseUnits(text, 18) * BigInt(Math.round(by * 1000))) / 10n ** 15n + more, 6);

	test.each([0.001, 0.02, 0.2])('by %d sells nothing that cost more without a word for it', async by => {
		const me = await buyer();
		await trade(me, LAUNCHES.curve, 'buy', '25');
		const all = exact(await held(me, LAUNCHES.curve), 18);
		const flow = me.flow({call: movedQuote('sell', by)});
		await flow.quote(await movedInput(LAUNCHES.curve, 'sell', all, by));
		await acceptAll(flow);
		expect(flow.view.acknowledge.map(({name}) => name)).toContain('cost');
		expect(() => flow.confirm(all)).toThrow(expect.objectContaining({code: 'not-acknowledged'}));
		expect(() => flow.confirm(all, ['own-price=none', 'price=99'])).toThrow(
			expect.objectContaining({why: expect.stringContaining('you paid $')}),
		);
		await expect(flow.execute()).rejects.toMatchObject({code: 'not-now'});
		const {text} = flow.view.lines.find(({label}) => label === 'price agrees')!;
		expect(text).toContain('feed and quote are one voice');
	});

	test.each([1000, 0.001])('by %d buys nothing without a word where nothing else is known', async by => {
		const me = await buyer();
		const flow = me.flow({call: movedQuote('buy', by)});
		await flow.quote(await movedInput(LAUNCHES.curve, 'buy', '25', by));
		await acceptAll(flow);
		expect(flow.view.acknowledge.map(({word}) => word)).toContain('own-price=none');
		expect(() => flow.confirm('25')).toThrow(expect.objectContaining({code: 'not-acknowledged'}));
	});

	test.each([1000, 0.001])('by %d only behind the key takes a word for the jump', async by => {
		const me = await buyer();
		let isMoved = false;
		const seen = {lowUSD: 0, highUSD: 0, count: 10, spanMs: 60_000};
		const honest = await input(LAUNCHES.curve, 'buy', '25');
		const {priceUSD} = honest.trade!;
		const target = {...honest.trade!, seen: {...seen, lowUSD: priceUSD!, highUSD: priceUSD!}};
		const tradeNow = async () => {
			const row = (await honest.tradeNow!())!;
			return isMoved ? {...row, priceUSD: row.priceUSD! * by} : row;
		};
		const lie = movedQuote('buy', by);
		const call = ((id, given, options) => (isMoved ? lie : world.client.call)(id, given, options)) as Call;
		const flow = me.flow({call});
		await flow.quote({...honest, trade: target, tradeNow});
		await acceptAll(flow);
		expect(flow.view.acknowledge).toEqual([]);
		expect(flow.view.lines.find(({label}) => label === 'price agrees')!.text).toContain('before the key');
		flow.confirm('25');
		isMoved = true;
		await expect(flow.execute()).rejects.toMatchObject({code: 'quote-worse'});
		expect(flow.view.acknowledge.map(({name}) => name)).toContain('jump');
		expect(me.journal.records().filter(({kind}) => kind === 'bridge.intended')).toEqual([]);
	});
});

/** A quote whose swap is bound to another amount. */
function withMinBridged(quote: Quote, bound: (dueRaw: bigint) => bigint): Quote {
	return {
		...quote,
		steps: quote.steps!.map(({tx, ...step}) => {
			if (tx.data.length < 300) return {...step, tx};
			const due = BigInt(`0x${tx.data.slice(202, 266)}`);
			const word = bound(due).toString(16).padStart(64, '0');
			return {...step, tx: {...tx, data: tx.data.slice(0, 202) + word + tx.data.slice(266)}};
		}),
	};
}

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
