import {describe, expect, test} from 'vitest';
import type {Quote} from '../../../source/contract/bridge.ts';
import type {TradeSide} from '../../../source/contract/trade-target.ts';
import {confirmationText} from '../../../source/trading/acknowledge.ts';
import {describeBridge} from '../../../source/trading/bridge/describe-state.ts';
import type {BridgeFlow} from '../../../source/trading/bridge/flow.ts';
import {openTrades, settledTrades} from '../../../source/trading/positions/settled.ts';
import {
	intentEvents,
	openTrial,
	PEPE,
	pepe,
	type Run,
	type TradeService,
	type Trial,
	tradeParts,
} from './flow-trials.ts';

/* A trade from the quote to its proven end, with a service and nodes that say what the test wants. */

const USDC = '0x3000000000000000000000000000000000000003';
const BRIDGE = '0x4000000000000000000000000000000000000004';
const OTHER = '0x9000000000000000000000000000000000000009';
const TOKENS = 10n ** 18n;

interface World {
	readonly trial: Trial;
	readonly service: TradeService;
	readonly address: string;
}

async function world(side: TradeSide = 'buy', more: Partial<TradeService> = {}): Promise<World> {
	const service: TradeService = {quotes: [], asked: [], sent: [], ...more};
	let address = '';
	const trial = await openTrial((own, opened) => {
		address = own;
		return tradeParts(own, opened, service, side);
	});
	return {trial, service, address};
}

async function reviewed(run: Run, side: TradeSide = 'buy', more = {}): Promise<BridgeFlow> {
	const flow = run.flow!;
	const [usdc, token] = [
		{chainId: 'evm:42161', token: USDC},
		{chainId: 'evm:8453', token: PEPE},
	];
	const [from, to] = side === 'buy' ? [usdc, token] : [token, usdc];
	await flow.quote({
		originChainId: from.chainId,
		originToken: from.token,
		destinationChainId: to.chainId,
		destinationToken: to.token,
		amount: side === 'buy' ? '25' : '24750',
		trade: pepe(side),
		...more,
	});
	return flow;
}

const quoted = (estimate: number, least: number, more: Partial<Quote> = {}): Partial<Quote> => ({
	estimatedAmountOut: String(estimate),
	minAmountOut: String(least),
	...more,
});
type Steps = NonNullable<Quote['steps']>;
/** What a service may make of the calls that were shown: some more, fewer, others, in another order, to another contract. */
const CALL_CHANGES: readonly ((steps: Steps) => Steps)[] = [
	([approve, deposit]) => [deposit!, approve!],
	([approve, deposit]) => [approve!, approve!, deposit!],
	([approve, deposit]) => [approve!, deposit!, deposit!],
	([approve, deposit]) => [approve!, deposit!, approve!],
	([approve]) => [approve!],
	([, deposit]) => [deposit!],
	() => [],
	([approve, {tx} = approve!]) => [approve!, {tx: {...tx, to: OTHER}}],
	([approve, {tx} = approve!]) => [approve!, {tx: {...tx, data: `0xdeadbeef${tx.data.slice(10)}`}}],
];
const failing = (flow: BridgeFlow) => flow.view.checks.flatMap(({ok, name}) => (ok ? [] : [name]));
const settled = ({trial}: World) => settledTrades(trial.journal().records());

describe('a trade that is asked for', () => {
	test('has the slippage of a launch, a batch that is void in a minute, and all of its lines', async () => {
		const {trial, service} = await world();
		const flow = await reviewed(trial.start());
		expect(service.asked).toMatchObject([{slippage: 10, amount: '25', destinationToken: PEPE, originToken: USDC}]);
		expect(flow.view.state.phase).toBe('reviewed');
		const {plan, lines} = flow.view;
		expect(Number(plan!.batch.deadline) * 1000 - plan!.clock.nowMs).toBe(60_000);
		const text = Object.fromEntries(lines.map(line => [line.label, line.text]));
		expect(text).toMatchObject({
			buy: 'PEPE on Base (Pepe, bonded)',
			address: expect.stringMatching(/^0x6000000000000000000000000000000000[A-Fa-f0-9]{6}$/),
			'you pay': '25 USDC on Arbitrum (signed)',
			about: '24,640 PEPE (promised)',
			'at least': '22,176 PEPE, slippage 10 % (promised)',
			'worst case': "-11 %: $22.18 of $25.00 at the feed's price, 0 s old",
			fees: '$0.05 total, 0.2 % of it',
			tax: '0.0 % to buy, 0.0 % to sell',
			'if it fails': 'your 25 USDC come back on Arbitrum',
		});
		expect(lines.map(({label}) => label).slice(0, 8)).toEqual([
			'buy',
			'address',
			'marks',
			'you pay',
			'about',
			'at least',
			'to',
			'worst case',
		]);
	});

	test('says who else agrees with the price, and what its row leaves out', async () => {
		const {trial} = await world();
		const linesOf = ({view}: BridgeFlow) => Object.fromEntries(view.lines.map(line => [line.label, line]));
		const told = linesOf(await reviewed(trial.start()));
		expect(told['price agrees']).toEqual({label: 'price agrees', text: 'its price in the 30 s before the key'});
		expect(told['marks']).toEqual({label: 'marks', text: 'none are reported'});
		const {isHoneypot: _, buyTax: __, liquidityUSD: ___, isCurve: ____, seen: _____, ...blind} = pepe('buy');
		const flow = await reviewed(trial.start(), 'buy', {trade: blind, tradeNow: () => blind});
		expect(linesOf(flow)).toMatchObject({
			'price agrees': {text: 'nothing: feed and quote are one voice', isMarked: true},
			marks: {text: 'none are reported; not reported: honeypot, tax, liquidity, phase', isMarked: true},
			'to accept': {
				text: 'honeypot=unknown phase=unknown tax=unknown liquidity=unknown own-price=none, typed behind the amount',
				isMarked: true,
			},
		});
		const words = ['honeypot', 'phase', 'tax', 'liquidity'].map(name => `${name}=unknown`);
		expect(flow.view.acknowledge.map(({word}) => word)).toEqual([...words, 'own-price=none']);
		expect(() => flow.confirm(`25 ${words.join(' ')}`)).toThrow(
			expect.objectContaining({code: 'not-acknowledged', advice: expect.stringContaining('--accept own-price=none')}),
		);
		flow.confirm(`25 ${words.join(' ')} own-price=none`);
		await flow.execute();
		expect(trial.posts).toHaveLength(1);
	});

	test('for sale says what its call forces, and that a refund is no return of the token', async () => {
		const {trial, service} = await world('sell');
		const flow = await reviewed(trial.start(), 'sell');
		expect(service.asked).toMatchObject([{slippage: 10, amount: '24750', originToken: PEPE}]);
		expect(flow.view.state.phase).toBe('reviewed');
		const text = Object.fromEntries(flow.view.lines.map(line => [line.label, line.text]));
		expect(text).toMatchObject({
			'you sell': '24,750 PEPE on Base (signed)',
			'the swap': 'brings at least $22.05 on Base, or nothing is sold (signed)',
			'at least': '22 USDC, slippage 10 % (promised)',
			'if it fails': 'PEPE is sold all the same: its dollars come back on Base',
		});
	});

	test('with a slippage that was typed asks for that, up to 25 %', async () => {
		const {trial, service} = await world('buy', {quotes: [quoted(24_640, 23_408)]});
		await reviewed(trial.start(), 'buy', {slippage: 5});
		expect(service.asked).toMatchObject([{slippage: 5}]);
		await expect(reviewed(trial.start(), 'buy', {slippage: 25.1})).rejects.toMatchObject({code: 'bad-slippage'});
		expect(service.asked).toHaveLength(1);
	});

	test('is withdrawn when its row turns old, or into a honeypot, before it is signed', async () => {
		for (const [row, check] of [
			[undefined, undefined],
			[pepe('buy', {isHoneypot: true}), 'honeypot'],
			[pepe('buy', {isLive: false}), 'row-fresh'],
			[pepe('buy', {address: OTHER}), 'target'],
			[pepe('buy', {priceUSD: 0.0007}), 'worst-case'],
		] as const) {
			const {trial, service} = await world('buy', {row: () => pepe('buy')});
			const flow = await reviewed(trial.start(), 'buy', {tradeNow: () => service.row!()});
			flow.confirm('25');
			service.row = () => row;
			if (check === undefined) {
				// The row is gone from the list: its last figures are fresh still.
				await flow.execute();
				continue;
			}
			await expect(flow.execute()).rejects.toMatchObject({code: 'check-failed', check});
			expect([trial.signatures, trial.posts]).toEqual([[], []]);
		}
	});
});

describe('at the confirmation', () => {
	test('a quote as good is signed in place of the one that was shown', async () => {
		const quotes = [quoted(24_640, 22_176, {intentId: 'shown'}), quoted(24_700, 22_230, {intentId: 'fresh'})];
		const {trial, service} = await world('buy', {quotes});
		const run = trial.start();
		const flow = await reviewed(run);
		flow.confirm('25');
		await flow.execute();
		expect(service.sent).toMatchObject([{intentId: 'fresh'}]);
		expect(flow.view.state).toMatchObject({phase: 'pending', intentId: 'fresh'});
		expect(
			trial
				.journal()
				.records()
				.find(({kind}) => kind === 'bridge.intended'),
		).toMatchObject({
			id: 'fresh',
			data: {trade: {side: 'buy', token: PEPE, chainId: 'evm:8453', feeUSD: '0.05'}, slippage: 10},
		});
	});

	test('a price that moved a little is signed with the least that was shown', async () => {
		const quotes = [quoted(24_640, 22_176), quoted(24_500, 22_050), quoted(24_500, 22_188.26, {intentId: 'tighter'})];
		const {trial, service} = await world('buy', {quotes});
		const flow = await reviewed(trial.start());
		flow.confirm('25');
		await flow.execute();
		expect(service.asked.map(({slippage}) => slippage)).toEqual([10, 10, 9.4357]);
		expect(service.sent).toMatchObject([{intentId: 'tighter'}]);
	});

	test.each<[what: string, fresh: Partial<Quote>, why: RegExp]>([
		[
			'an estimate far lower',
			quoted(24_000, 21_600, {intentId: 'fresh'}),
			/at least 21600, shown were 22176; about 24000, 2\.6 % less/,
		],
		[
			'higher fees',
			quoted(24_640, 22_176, {intentId: 'fresh', fees: {totalFeeUsd: '0.9'}}),
			/fees of \$0\.9000, shown were \$0\.05/,
		],
		['no fees stated', quoted(24_640, 22_176, {intentId: 'fresh', fees: {}}), /fees of an unknown sum/],
		[
			'an impact that takes a word',
			quoted(24_640, 22_176, {intentId: 'fresh', priceImpact: 11}),
			/impact on the price: 11 %/,
		],
	])('with %s nothing is signed, and the new quote is reviewed', async (_, fresh, why) => {
		const {trial, service} = await world('buy', {quotes: [quoted(24_640, 22_176, {intentId: 'shown'}), fresh]});
		const run = trial.start();
		const flow = await reviewed(run);
		flow.confirm('25');
		await expect(flow.execute()).rejects.toMatchObject({code: 'quote-worse', why: expect.stringMatching(why)});
		expect([trial.signatures, trial.posts, trial.kinds().filter(kind => kind === 'bridge.intended')]).toEqual([
			[],
			[],
			[],
		]);
		expect([run.open(), trial.isCounted()]).toEqual([0, false]);
		expect(flow.view).toMatchObject({
			state: {phase: 'reviewed', intentId: 'fresh'},
			quoted: {quote: {intentId: 'fresh'}},
			problem: {code: 'quote-worse'},
		});
		// It is confirmed again, on what is shown now.
		flow.confirm(confirmationText('25', flow.view.acknowledge));
		await flow.execute();
		expect(service.sent).toHaveLength(1);
	});

	test.each(['buy', 'sell'] as const)(
		'calls of a %s in other kinds or another order than were shown are reviewed again, whatever their figures',
		async side => {
			for (const change of CALL_CHANGES) {
				const {trial, service} = await world(side);
				const flow = await reviewed(trial.start(), side);
				flow.confirm(side === 'buy' ? '25' : '24750');
				const {steps} = flow.view.quoted!.quote;
				service.quotes = [{}, {steps: change(steps!.map(step => ({...step})))}];
				const refusal = {code: 'quote-worse', why: expect.stringMatching(/calls are|another contract/)};
				await expect(flow.execute(), String(change)).rejects.toMatchObject(refusal);
				expect([trial.signatures, trial.posts]).toEqual([[], []]);
				expect(flow.view.state.phase).toMatch(/^(quoted|reviewed)$/);
			}
		},
	);

	test('of a sale a call that is bound to less is not signed', async () => {
		const {trial, service} = await world('sell');
		const flow = await reviewed(trial.start(), 'sell');
		flow.confirm('24750');
		const {steps} = flow.view.quoted!.quote;
		const loose = steps!.map(({tx}) => ({tx: {...tx, data: tx.data.replace((22_050_000).toString(16), '0000001')}}));
		service.quotes = [{}, {steps: loose}];
		await expect(flow.execute()).rejects.toMatchObject({code: 'quote-worse', why: 'the swap would be bound to less'});
		expect(failing(flow)).toEqual(['min-bridged']);
		expect(flow.view.state.phase).toBe('quoted');
	});

	test('what takes a word is signed only with it', async () => {
		const {trial, service} = await world('buy', {quotes: [quoted(24_640, 22_176, {priceImpact: 11.5})]});
		const flow = await reviewed(trial.start());
		expect(flow.view.acknowledge).toMatchObject([{name: 'impact', word: 'impact=12'}]);
		for (const typed of ['25', '25 impact', '25 impact=11', '25 yes', '25,impact=12', '2 5'])
			expect(() => flow.confirm(typed), typed).toThrow(/not confirmed/);
		expect(() => flow.confirm('25')).toThrow(
			expect.objectContaining({code: 'not-acknowledged', advice: expect.stringContaining('impact=12')}),
		);
		await expect(flow.execute()).rejects.toMatchObject({code: 'not-now'});
		flow.confirm('25', ['impact=13']);
		service.quotes = [{}, quoted(24_640, 22_176, {priceImpact: 13.2})];
		await expect(flow.execute()).rejects.toMatchObject({code: 'quote-worse'});
		flow.confirm('25 impact=14');
		await flow.execute();
		expect(service.sent).toHaveLength(1);
	});

	test('a plan of an earlier dry run is signed as it was, and not asked for again', async () => {
		const {trial, service} = await world('buy', {
			quotes: [quoted(24_640, 22_176, {intentId: 'planned'}), {intentId: 'new'}],
		});
		const {planHash} = (await reviewed(trial.start())).dryRun();
		const flow = trial.start().flow!;
		await flow.adopt(planHash, {tradeNow: () => pepe('buy')});
		flow.confirm('25');
		await flow.execute();
		expect(service.asked).toHaveLength(1);
		expect(service.sent).toMatchObject([{intentId: 'planned'}]);
	});
});

describe('the same token again', () => {
	test('is not bought while a buy of it is not known to have ended, and is afterwards', async () => {
		const w = await world('buy', {
			quotes: [{intentId: 'one'}, {intentId: 'one'}, {intentId: 'two'}, {intentId: 'two'}],
		});
		const first = w.trial.start();
		const flow = await reviewed(first);
		flow.confirm('25');
		w.trial.answer = 'lost';
		await flow.execute();
		expect(flow.view.state.phase).toBe('unclear');
		const second = await reviewed(w.trial.start());
		expect(failing(second)).toEqual(['under-way']);
		w.trial.isMined = true;
		await first.watch();
		await second.review();
		expect(failing(second)).toEqual([]);
		expect(second.view.lines).toContainEqual(expect.objectContaining({label: 'again', isMarked: true}));
	});

	test('is bought once by two windows that are confirmed at once', async () => {
		const w = await world('buy', {quotes: ['a', 'b', 'c', 'd'].map(intentId => ({intentId}))});
		const flows = [await reviewed(w.trial.start()), await reviewed(w.trial.start())];
		for (const flow of flows) flow.confirm('25');
		const ends = await Promise.allSettled(flows.map(flow => flow.execute()));
		expect(ends.filter(({status}) => status === 'fulfilled')).toHaveLength(1);
		expect(ends).toContainEqual({status: 'rejected', reason: expect.objectContaining({code: 'trade-under-way'})});
		expect(w.service.sent).toHaveLength(1);
	});
});

describe('the end of a trade', () => {
	async function sent(side: TradeSide, more: Partial<TradeService> = {}) {
		const w = await world(side, more);
		const run = w.trial.start();
		const flow = await reviewed(run, side);
		flow.confirm(side === 'buy' ? '25' : '24750');
		await flow.execute();
		w.trial.isMined = true;
		return {...w, run, flow};
	}

	test('of a buy is what arrived, for what left', async () => {
		const w = await sent('buy');
		expect(openTrades(w.trial.journal().records())).toMatchObject([{side: 'buy', token: PEPE, phase: 'pending'}]);
		expect(settled(w)).toEqual([]);
		await w.run.watch();
		expect(settled(w)).toMatchObject([
			{
				intentId: 'intent-1',
				wallet: w.address.toLowerCase(),
				side: 'buy',
				end: 'traded',
				chainId: 'evm:8453',
				token: PEPE,
				symbol: 'PEPE',
				decimals: 18,
				tokenRaw: 24_640n * TOKENS,
				usdMicro: 25_000_000n,
				feeMicro: 50_000n,
			},
		]);
		expect(openTrades(w.trial.journal().records())).toEqual([]);
	});

	test('of a sale is what came for what left', async () => {
		const w = await sent('sell');
		await w.run.watch();
		expect(settled(w)).toMatchObject([
			{side: 'sell', end: 'traded', token: PEPE, decimals: 18, tokenRaw: 24_750n * TOKENS, usdMicro: 24_450_000n},
		]);
	});

	test('of a sale whose dollars could not be paid are the dollars that came back on the origin', async () => {
		const w = await sent('sell', {status: {status: 'refunded'}});
		w.service.transfers = chainId =>
			chainId === 'evm:8453'
				? [
						[w.address, BRIDGE, 24_750n * TOKENS, PEPE],
						[BRIDGE, OTHER, 24_500_000n],
					]
				: [];
		expect(await w.flow.read()).toMatchObject({phase: 'claimed', claim: 'refunded'});
		expect(settled(w)).toEqual([]);
		const origin = w.service.transfers('evm:8453');
		const txHash = `0x${'ee'.repeat(32)}`;
		const back = [BRIDGE, w.address, 24_500_000n, USDC, txHash] as const;
		w.service.transfers = chainId => (chainId === 'evm:8453' ? [...origin, back] : []);
		// A payment of the same amount is no refund before the bridge says so, of this intent and to this account.
		const refunded = (intentId: string, account: string) => ({
			...intentEvents(intentId, {account, bridge: BRIDGE, token: USDC, paidRaw: 24_500_000n}).refunded,
			txHash,
		});
		const others = [
			refunded('intent-2', w.address),
			refunded('intent-1', OTHER),
			{...refunded('intent-1', w.address), address: OTHER},
		];
		for (const event of others) {
			w.service.events = (chainId, usual) => (chainId === 'evm:8453' ? [...usual, event] : usual);
			expect(await w.flow.read()).toMatchObject({phase: 'claimed', claim: 'refunded'});
		}
		const own = refunded('intent-1', w.address);
		w.service.events = (chainId, usual) => (chainId === 'evm:8453' ? [...usual, own] : usual);
		expect(await w.flow.read()).toMatchObject({phase: 'refunded', returnedRaw: '24500000', returnedDecimals: 6});
		expect(settled(w)).toMatchObject([
			{side: 'sell', end: 'returned', tokenRaw: 24_750n * TOKENS, usdMicro: 24_500_000n},
		]);
	});

	test.each<[what: string, arrives: (me: string) => readonly [string, string, bigint, string?][]]>([
		['nothing', () => []],
		['a token that looks like it', me => [[BRIDGE, me, 24_640n * TOKENS, OTHER]]],
		['dollars', me => [[BRIDGE, me, 24_640n * TOKENS]]],
		[
			'it, and that it went away in the same block',
			me => [
				[BRIDGE, me, 24_640n * TOKENS, PEPE],
				[me, OTHER, 24_640n * TOKENS, PEPE],
			],
		],
		['it, for somebody else', () => [[BRIDGE, OTHER, 24_640n * TOKENS, PEPE]]],
	])('is no purchase where the chain shows %s, whatever the service says', async (_, arrives) => {
		const w = await sent('buy');
		w.service.transfers = chainId => (chainId === 'evm:8453' ? arrives(w.address) : [[w.address, BRIDGE, 25_000_000n]]);
		expect(await w.flow.read()).toMatchObject({phase: 'claimed', claim: 'filled'});
		expect(settled(w)).toEqual([]);
		expect(openTrades(w.trial.journal().records())).toHaveLength(1);
		// What was paid is gone by the chain: another buy is no second one of the same.
		w.service.quotes = [{intentId: 'another'}];
		expect(failing(await reviewed(w.trial.start()))).toEqual([]);
	});

	test('of a buy is what the balance grew by, whatever token and bridge report, and less than the minimum is called so', async () => {
		for (const [came, isShort] of [
			[24_640n, undefined],
			[22_176n, undefined],
			[22_175n, true],
			[1n, true],
		] as const) {
			const w = await sent('buy');
			const origin = [[w.address, BRIDGE, 25_000_000n]] as const;
			// The bridge reports 24,640, and the token takes a part of them.
			w.service.transfers = chainId => (chainId === 'evm:8453' ? [[BRIDGE, w.address, came * TOKENS, PEPE]] : origin);
			const state = await w.flow.read();
			expect(state).toMatchObject({phase: 'filled', arrivedRaw: String(came * TOKENS)});
			expect(state.isShort).toBe(isShort);
			expect(settled(w)).toMatchObject([{side: 'buy', tokenRaw: came * TOKENS, usdMicro: 25_000_000n}]);
		}
	});

	/** Payments that are no proof: who names which intent, and who pays. */
	const unbound: readonly [what: string, (me: string) => Partial<TradeService>][] = [
		['of a stranger', me => ({transfers: paying(me, OTHER), events: unpaid})],
		['of the bridge, for another intent', me => ({transfers: paying(me, BRIDGE), events: paidFor('intent-2', me)})],
		[
			'of a stranger, who says that it is the bridge’s',
			me => ({transfers: paying(me, OTHER), events: paidFor('intent-1', me, OTHER)}),
		],
		[
			'of the bridge, in a transaction that nobody names',
			me => ({transfers: paying(me, BRIDGE, `0x${'cc'.repeat(32)}`), events: unpaid}),
		],
	];
	const paying =
		(me: string, from: string, txHash?: string): NonNullable<TradeService['transfers']> =>
		chainId =>
			chainId === 'evm:8453' ? [[from, me, 24_640n * TOKENS, PEPE, txHash]] : [[me, BRIDGE, 25_000_000n]];
	const unpaid: NonNullable<TradeService['events']> = (chainId, usual) => (chainId === 'evm:8453' ? [] : usual);
	const paidFor =
		(intentId: string, account: string, bridge = BRIDGE): NonNullable<TradeService['events']> =>
		(chainId, usual) =>
			chainId === 'evm:8453'
				? [intentEvents(intentId, {account, bridge, token: PEPE, paidRaw: 24_640n * TOKENS}).paid]
				: usual;

	test.each(unbound)('is not shown by a payment %s', async (_, world) => {
		const w = await sent('buy');
		Object.assign(w.service, world(w.address));
		const state = await w.flow.read();
		expect(state).toMatchObject({phase: 'claimed', claim: 'filled', likeTxHash: expect.stringMatching(/^0x/)});
		expect(describeBridge(state).text).toContain(
			'a payment of the same amount arrived, not shown to be of this transfer',
		);
		expect(settled(w)).toEqual([]);
	});

	test('is shown by a bridge that pays itself where the service names the transaction', async () => {
		const w = await sent('buy');
		Object.assign(w.service, {transfers: paying(w.address, BRIDGE), events: unpaid});
		expect(await w.flow.read()).toMatchObject({phase: 'filled', arrivedRaw: String(24_640n * TOKENS)});
	});

	test('of a buy that was paid back leaves nothing to hold', async () => {
		const w = await sent('buy', {status: {status: 'failed'}});
		w.service.transfers = () => [];
		await w.flow.read();
		expect(settled(w)).toEqual([]);
	});

	test('of a buy that never happened is not counted, even when a kill follows its record', async () => {
		const {trial} = await world();
		const first = trial.start();
		await first.ready();
		trial.answer = 'lost';
		await first.execute();
		expect(trial.isCounted()).toBe(true);
		// Its deadline has passed, and no block can have it any more.
		trial.passedMs = 200_000;
		trial.endsAfter = 'bridge.status';
		const second = trial.start();
		second.resume();
		await expect(second.flow!.read()).rejects.toThrow('the program was killed');
		trial.endsAfter = undefined;
		expect(trial.start().open()).toBe(0);
		expect(trial.isCounted()).toBe(false);
	});
});
