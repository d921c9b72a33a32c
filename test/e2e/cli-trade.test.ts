import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {encodeFunctionData, type Hex, keccak256, parseAbi, stringToBytes} from 'viem';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {findEvmChain} from '../../source/chains/evm-chains.ts';
import {exchangeContracts} from '../../source/chains/pool-factories.ts';
import {OUTPUT_SCHEMAS, type OutputName} from '../../source/commands/reference/output-schemas.ts';
import {
	type Any,
	acceptFlags,
	type Door,
	type MoneyHome,
	type MoneyService,
	openDoor,
	openMoneyHome,
	openNode,
	startMoneyService,
} from '../helpers/money-cli.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {factoryOf, pairOf} from '../helpers/pool-code.ts';
import type {Pty} from '../helpers/pty.ts';

/*
 * One service for both kinds of money: over its own data directory it is practice, over another one it counts as real. Its
 * market is the same at every start, and hardly moves.
 */

const CALLS = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
]);

let home: MoneyHome;
let service: MoneyService;
let tokens: readonly Any[];
beforeAll(async () => {
	home = openMoneyHome();
	service = await startMoneyService(home.dataDir);
	const feed = ['feed', '--view', 'bonded', '--chains', 'polygon', '--limit', '100', '--base-url', service.url];
	tokens = (await home.json(feed)).views.bonded.tokens;
});
afterAll(async () => {
	await service?.stop();
	home?.remove();
});

const practice = () => ['--base-url', service.url];
const isPlain = ({security = {}}: Any) =>
	security.isHoneypot === false && security.buyTax === '0' && Number(security.sellTax) <= 3;
const placeOf = ({address}: Any) => `polygon:${address}`;

/** Types a key until the screen shows something: a key that comes while a window is being drawn counts for nothing. */
async function pressUntil(pty: Pty, key: string, shown: RegExp): Promise<void> {
	for (const endMs = performance.now() + PATIENCE_MS; !shown.test(pty.screenText()); ) {
		if (performance.now() > endMs) throw new Error(`${key} leads to nothing\n${pty.screenText()}`);
		pty.type(key);
		await pty.waitFor(shown, 3000).catch(() => {});
	}
}

/** Fails with every place where a document is not as its schema says. */
function expectShape(name: OutputName, document: unknown): void {
	expect(OUTPUT_SCHEMAS[name].safeParse(document).error?.issues ?? []).toEqual([]);
}

test('a token is bought by the plan of a dry run, stands among the positions, and half of it is sold', async () => {
	const token = tokens.find(row => isPlain(row) && row.liquidity > 20_000 && /^[\w$ ]+$/.test(row.symbol));
	// A new wallet has its dollars on Base: it gets some where a trade needs them.
	const buy = ['buy', placeOf(token), '--amount', '25', '--from', 'arbitrum:usdc', '--dry-run', ...practice()];
	// Feed and quote are one voice: without another one that is taken on by its name.
	const asked = await home.json(buy, {code: 3});
	expect(asked.toAcknowledge.map(({word}: Any) => word)).toEqual(['own-price=none']);
	const plan = await home.json([...buy, '--accept', 'own-price=none']);
	expectShape('trade-plan', plan);
	expect(plan).toMatchObject({
		mode: 'practice',
		wallet: {name: 'practice'},
		isReady: true,
		toAcknowledge: [],
		trade: {side: 'buy', chainId: 'evm:137', token: token.address, symbol: token.symbol},
	});
	expect((await home.json(['wallet', 'log', ...practice()])).records.map(({kind}: Any) => kind)).not.toContain(
		'wallet.signed',
	);
	const execute = ['buy', '--yes', '--plan', plan.planHash, ...practice()];
	expect((await home.json(execute, {code: 3})).error.advice).toContain('--accept own-price=none');
	const bought = await home.json([...execute, '--accept', 'own-price=none']);
	expectShape('trade', bought);
	expect(bought.intent).toMatchObject({intentId: plan.body.intentId, isEnd: true});

	const held = await home.json(['positions', ...practice()]);
	expectShape('positions', held);
	const [position] = held.positions;
	expect(position).toMatchObject({
		chainId: 'evm:137',
		token: token.address.toLowerCase(),
		isHeld: true,
		costUSD: '25',
		notBoughtHere: '0',
		movedElsewhere: '0',
		notes: [],
	});
	expect(Number(position.amount)).toBeCloseTo(25 / token.latest_price, -Math.log10(25 / token.latest_price) + 1.3);
	expect(bought.settled).toMatchObject({amount: position.amount, usd: '25'});

	const sell = ['sell', placeOf(token), '--percent', '50', '--to', 'base:usdc', '--dry-run', ...practice()];
	const sale = await home.json(sell);
	expectShape('trade-plan', sale);
	// What the plan does not have is not taken in silence.
	// What was paid for it is another voice.
	expect(sale.lines.find(({label}: Any) => label === 'price agrees').text).toBe('what you paid for it');
	const planned = (side: string, ...more: string[]) => [side, '--yes', '--plan', sale.planHash, ...more, ...practice()];
	const others = [planned('sell', '--all'), planned('sell', '--slippage', '20'), planned('buy')];
	const refused = await Promise.all(others.map(args => home.json(args, {code: 2})));
	expect(refused.map(({error}) => error.what)).toEqual(
		['--all', '--slippage', 'The command'].map(name => `${name} is not that of the plan`),
	);
	const {stdout} = await home.run(planned('sell'));
	expect(stdout).toMatch(/^sold +[\d.]+ .+ on Polygon for 12\.\d+ USD/m);
	const history = await home.json(['positions', '--history', ...practice()]);
	expectShape('trades', history);
	expect(history.trades.map(({side}: Any) => side)).toEqual(['sell', 'buy']);
	const table = await home.run(['positions', ...practice()]);
	expect(table.stdout).toMatch(/^value \$1\d, open -\$0\.\d+, realised -\$0\.\d+, fees \$0\.\d+$/m);
});

test('what was bought in the last 24 hours counts, and a limit that was lowered holds, without the file of limits', async () => {
	const token = tokens.findLast(row => isPlain(row) && row.liquidity > 20_000);
	const limit = async () => (await home.json(['wallet', 'limits', 'usd:buys', '--practice'])).limits[0];
	const spent = Number((await limit()).spentToday);
	expect(spent).toBeGreaterThanOrEqual(25);
	const buy = [
		'buy',
		placeOf(token),
		'--amount',
		'6',
		'--from',
		'arbitrum:usdc',
		'--dry-run',
		'--accept',
		'own-price=none',
		...practice(),
	];
	expect((await home.json(buy)).isReady).toBe(true);
	await home.json(['wallet', 'limits', 'usd:buys', '--per-day', String(spent + 5), '--practice']);
	rmSync(join(home.dataDir, 'trading', 'practice', 'caps.json'));
	const refused = await home.json(buy, {code: 3});
	expect(refused.checks.find(({name}: Any) => name === 'caps')).toMatchObject({
		ok: false,
		detail: expect.stringContaining(`${spent} USD of buys of ${spent + 5} USD of buys for 24 hours are spent`),
	});
	expect(await limit()).toMatchObject({perDay: String(spent + 5), isLowest: true});
	await home.json(['wallet', 'limits', 'usd:buys', '--per-day', '1000', '--practice']);
	expect((await home.json(buy)).isReady).toBe(true);
});

test('what cannot be traded is refused by its reason before anything is quoted', async () => {
	const [token] = tokens.filter(isPlain);
	const trap = tokens.find(({security}) => security?.isHoneypot === true);
	const buy = (place: string, ...more: string[]) => [
		'buy',
		place,
		'--amount',
		'5',
		'--dry-run',
		...more,
		...practice(),
	];
	const from = ['--from', 'base:usdc'];
	const refusals: readonly (readonly [args: readonly string[], code: number, what: string])[] = [
		[buy(`polygon:${token.symbol}`, ...from), 2, 'usage'],
		[buy(placeOf(token), '--from', 'polygon:usdc'), 2, 'usage'],
		[buy(placeOf(token), ...from, '--accept', 'all'), 2, 'usage'],
		[buy(placeOf(token), ...from, '--slippage', '26'), 2, 'bad-slippage'],
		[buy(`polygon:0x${'12'.repeat(20)}`, ...from), 1, 'token-unknown'],
		[buy(placeOf(trap), ...from), 3, 'not-tradable'],
		[['sell', placeOf(trap), '--all', '--to', 'base:usdc', '--dry-run', ...practice()], 1, 'nothing-to-sell'],
		[['buy', '--yes', '--plan', '0'.repeat(64), '--read-only', ...practice()], 3, 'read-only'],
	];
	const found = await Promise.all(refusals.map(([args, code]) => home.json(args, {code})));
	expect(found.map(({error}) => error.code)).toEqual(refusals.map(([, , what]) => what));
});

test('what a trade needs accepted is named with its flag, nothing else lifts it, and one plan in twelve processes is one request', async () => {
	const door = await openDoor(service.url);
	const real = openMoneyHome(service.config(door.url));
	try {
		const key = generatePrivateKey();
		const passphrase = 'a passphrase of the tests';
		const secrets = {fds: [passphrase]};
		const pass = ['--passphrase-fd', '3'];
		await Promise.all([real.wallet('main', key, passphrase), service.fund('evm:8453', privateKeyToAddress(key))]);
		// A share of 11.5 % of the pool's money moves the price by more than ten percent.
		const token = tokens.find(row => isPlain(row) && row.liquidity > 2200 && row.liquidity < 3300);
		const amount = String(Math.floor((token.liquidity / 2) * 0.1165));
		const buy = ['buy', placeOf(token), '--amount', amount, '--from', 'base:usdc', '--max-loss', '25'];
		const first = await real.json([...buy, '--dry-run'], {code: 3});
		expect(first.mode).toBe('real');
		const contracts = acceptFlags(first.toAccept);
		const refused = await real.json([...buy, '--dry-run', ...contracts], {code: 3});
		expectShape('trade-plan', refused);
		const words = refused.toAcknowledge.map(({word}: Any) => word);
		expect(words).toContain('impact=11');
		const execute = ['buy', '--yes', '--plan', refused.planHash, ...pass];
		const {error} = await real.json(execute, {...secrets, code: 3});
		expect(error.code).toBe('not-accepted');
		expect(error.advice).toContain(`--accept ${words.join(',')}`);
		expect((await real.json([...execute, '--accept', 'impact=10'], {...secrets, code: 3})).error.code).toBe(
			'not-accepted',
		);
		const sent = () => door.asked.filter(line => line === 'POST /api/2/bridge/execute').length;
		expect(sent()).toBe(0);

		const plan = await real.json([...buy, '--dry-run', '--accept', words.join(',')]);
		expect(plan).toMatchObject({isReady: true, toAcknowledge: []});
		const all = ['buy', '--yes', '--plan', plan.planHash, '--accept', words.join(','), '--json', ...pass];
		const outcomes = await Promise.all(Array.from({length: 12}, () => real.run(all, secrets)));
		const refusals = outcomes.filter(({code}) => code !== 0);
		expect(refusals).toHaveLength(11);
		// Twelve at once may be more than the node takes, and the trade of the first moves the price, of the quote or of the feed
		// that it is compared with: such a run signs nothing, either.
		for (const {code, stderr} of refusals)
			expect([3, 69].includes(code!) && stderr).toMatch(
				/"code":"(?:intent-claimed|check-failed|chain-unread|quote-worse)"|"why":"quote fits the price of the feed/,
			);
		expect(sent()).toBe(1);
		const signed = (await real.json(['wallet', 'log'])).records.filter(
			({kind, data}: Any) => kind === 'wallet.signed' && data.what === 'batch',
		);
		expect(signed).toHaveLength(1);
	} finally {
		await door.close();
		real.remove();
	}
});

describe('a service that nobody contradicts', () => {
	const passphrase = 'a passphrase of the tests';
	const accepted = ['--accept', 'own-price=none'];
	let door: Door;
	let node: Awaited<ReturnType<typeof openNode>>;
	let real: MoneyHome;
	/** Code at addresses of Polygon. */
	const codes: Record<string, string> = {};
	let token: Any;
	let buy: string[];
	beforeAll(() => {
		token = tokens.find(row => isPlain(row) && row.liquidity > 20_000 && /^[\w$ ]+$/.test(row.symbol));
		buy = ['buy', placeOf(token), '--amount', '25', '--from', 'base:usdc'];
	});
	beforeEach(async () => {
		door = await openDoor(service.url);
		const rpc = `${service.url}/dev/rpc/${encodeURIComponent('evm:137')}`;
		node = await openNode(rpc, codes);
		real = openMoneyHome(service.config(door.url).replace(`"evm:137" = "${rpc}"`, `"evm:137" = "${node.url}"`));
		const key = generatePrivateKey();
		await Promise.all([real.wallet('main', key, passphrase), service.fund('evm:8453', privateKeyToAddress(key))]);
		await real.json(['bridge', 'quote', '--from', 'base:usdc', '--amount', '1', '--to', 'polygon:usdc']);
	});
	afterEach(async () => {
		await Promise.all([door.close(), node.close()]);
		for (const address of Object.keys(codes)) delete codes[address];
		real.remove();
	});

	const sent = () => door.asked.filter(line => line === 'POST /api/2/bridge/execute').length;
	const wordsOf = ({toAcknowledge}: Any): string[] => toAcknowledge.map(({word}: Any) => word);
	const failingOf = ({checks}: Any): string[] => checks.flatMap(({ok, name}: Any) => (ok ? [] : [name]));

	/** A dry run with every contract accepted. */
	async function dryRun(...more: readonly string[]): Promise<Any> {
		const {toAccept} = await real.json([...buy, '--dry-run'], {code: 3});
		const {code, json} = await real.document([...buy, '--dry-run', ...acceptFlags(toAccept), ...more]);
		return {code, ...json};
	}

	/** Every entry of the feed otherwise. */
	function changeEntries(change: (entry: Any) => Any): (path: string, document: Any) => Any {
		const within = (value: Any): Any => {
			if (Array.isArray(value)) return value.map(within);
			if (typeof value !== 'object' || value === null) return value;
			const all = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)]));
			return 'latest_price' in all || 'liquidity' in all ? change(all) : all;
		};
		return (path, document) => (path.startsWith('/api/2/pulse') ? within(document) : document);
	}

	/** Feed and quotes as if the token cost so many times as much. */
	function movedBy(by: () => number): (path: string, document: Any) => Any {
		const entries = changeEntries(entry => ({...entry, latest_price: entry.latest_price * by()}));
		return (path, document) => {
			if (path !== '/api/2/bridge/quote' || document.data === undefined) return entries(path, document);
			const {priceImpact: _, priceUSD: __, estimatedAmountOutUsd: ___, ...data} = document.data;
			const told = (text: string, rounded = 1) => ((Number(text) / by()) * rounded).toFixed(18);
			const amounts = {
				estimatedAmountOut: told(data.estimatedAmountOut),
				minAmountOut: told(data.minAmountOut, 1 + 1e-9),
			};
			return {...document, data: {...data, ...amounts}};
		};
	}

	test.each([1000, 0.001])('moves feed and quote together by %d: nothing is signed without a word for it', async by => {
		door.change = movedBy(() => by);
		const plan = await dryRun();
		expect(plan).toMatchObject({code: 3, isReady: false});
		expect(failingOf(plan)).toEqual([]);
		expect(wordsOf(plan)).toEqual(['own-price=none']);
		const execute = ['buy', '--yes', '--plan', plan.planHash, '--passphrase-fd', '3'];
		const {error} = await real.json([...execute, '--accept', 'price=99,impact=99'], {fds: [passphrase], code: 3});
		expect(error).toMatchObject({code: 'not-accepted', advice: expect.stringContaining('--accept own-price=none')});
		expect(error.why).toContain('feed and quote are one voice');
		expect(sent()).toBe(0);
	});

	test.each([1000, 0.001])('moves its feed by %d between dry run and execution: the jump is named', async by => {
		let factor = 1;
		door.change = movedBy(() => factor);
		const plan = await dryRun(...accepted);
		expect(plan).toMatchObject({code: 0, isReady: true, toAcknowledge: []});
		factor = by;
		const execute = ['buy', '--yes', '--plan', plan.planHash, ...accepted, '--passphrase-fd', '3'];
		const {error} = await real.json(execute, {fds: [passphrase], code: 3});
		if (by < 1) expect(error).toMatchObject({code: 'check-failed'});
		else expect(error).toMatchObject({code: 'not-accepted', advice: expect.stringMatching(/jump=\d+/)});
		expect(sent()).toBe(0);
	});

	test('is contradicted by a pool on the node of the person, and agrees with one that says the same', async () => {
		const [coin] = findEvmChain('evm:137')!.quotes.filter(({symbol}) => symbol === 'USDC');
		const pair = '0x00000000000000000000000000000000000aaa01';
		const at = (priceUSD: number, depthUSD = 50_000) =>
			Object.assign(codes, {
				[exchangeContracts('v2', 'QuickSwap V2')[137]![0]!]: factoryOf(coin!.address, pair),
				[pair]: pairOf(token, depthUSD / priceUSD, coin!, depthUSD),
			});
		at(token.latest_price);
		const agreed = await dryRun();
		expect(agreed).toMatchObject({code: 0, isReady: true, toAcknowledge: []});
		expect(agreed.lines.find(({label}: Any) => label === 'price agrees').text).toMatch(/^your node \(QuickSwap V2, /);

		at(token.latest_price / 1000);
		const refused = await dryRun(...accepted);
		expect([refused.code, ...failingOf(refused)]).toEqual([3, 'chain-price']);
		at(token.latest_price * 1000);
		expect(wordsOf(await dryRun(...accepted))).toEqual([expect.stringMatching(/^chain-price=\d+$/)]);
		// A pool that holds next to nothing is no voice.
		at(token.latest_price / 1000, 900);
		expect(wordsOf(await dryRun())).toEqual(['own-price=none']);

		at(token.latest_price);
		door.change = movedBy(() => 1000);
		expect(failingOf(await dryRun(...accepted))).toEqual(['chain-price']);
	});

	test.each<[what: string, word: string, change: (entry: Any) => Any]>([
		['security', 'honeypot=unknown,tax=unknown', ({security: _, ...entry}) => entry],
		['the flag of honeypots', 'honeypot=unknown', entry => without(entry, 'isHoneypot')],
		['a tax', 'tax=unknown', entry => without(entry, 'sellTax')],
		['liquidity', 'liquidity=unknown', ({liquidity: _, ...entry}) => entry],
		['whether it is bonded', 'phase=unknown', ({bonded: _, ...entry}) => entry],
		[
			'whether it is bonded, of a pool of $300',
			'phase=unknown,liquidity=300',
			({bonded: _, ...entry}) => ({...entry, liquidity: 300.5}),
		],
	])('leaves out %s: that is accepted by its name alone', async (_, word, change) => {
		const entries = changeEntries(change);
		door.change = (path, document) => {
			if (path !== '/api/2/bridge/quote' || document.data === undefined) return entries(path, document);
			const {buyTax: __, sellTax: ___, ...data} = document.data;
			return {...document, data};
		};
		const needed = word.split(',');
		const plan = await dryRun(...accepted);
		expect(plan.code).toBe(3);
		expect(wordsOf(plan)).toEqual(expect.arrayContaining(needed));
		const execute = ['buy', '--yes', '--plan', plan.planHash, ...accepted, '--passphrase-fd', '3'];
		const {error} = await real.json(execute, {fds: [passphrase], code: 3});
		expect(error.code).toBe('not-accepted');
		for (const one of needed) expect(error.advice).toContain(one);
		expect(sent()).toBe(0);
		expect(wordsOf(await dryRun(...accepted, '--accept', word))).not.toEqual(expect.arrayContaining(needed));
	});
	const without = (entry: Any, name: string): Any => {
		const {[name]: _, ...security} = entry.security ?? {};
		return {...entry, security};
	};

	test('swaps at the confirmation what was shown as a transfer: the new calls are shown again, and nothing is sent', async () => {
		const {usdc, swapBridge} = service.contracts('evm:8453') as Record<string, Hex>;
		let isSwapping = false;
		door.change = (path, document) => {
			if (!isSwapping || path !== '/api/2/bridge/quote' || !document.data?.steps) return document;
			const {intentId, steps} = document.data;
			// The recipient is the last word of the deposit.
			const me: Hex = `0x${steps.at(-1).tx.data.slice(-40)}`;
			const args = [keccak256(stringToBytes(intentId)), usdc!, 25_000_000n, 0n, 137n, me] as const;
			const approve = encodeFunctionData({abi: CALLS, functionName: 'approve', args: [swapBridge!, 25_000_000n]});
			const swap = encodeFunctionData({abi: CALLS, functionName: 'swapAndBridge', args});
			const tx = (to: string, data: string) => ({tx: {to, data, value: '0'}});
			return {...document, data: {...document.data, steps: [tx(usdc!, approve), tx(swapBridge!, swap)]}};
		};
		const {toAccept} = await real.json([...buy, '--dry-run'], {code: 3});
		await real.inTerminal([...buy, ...acceptFlags(toAccept), ...accepted], async pty => {
			await pty.waitFor(/Type "25" to sign and send/);
			isSwapping = true;
			pty.type('25\r');
			await pty.waitFor('Passphrase of main: ');
			pty.type(`${passphrase}\r`);
			await pty.waitFor(/the swap must bring enough +✗ FAILED +it would accept any price in the swap/);
			expect(String(pty.bytes())).toContain(
				'The price has moved: look at it again: the calls are approve, then swapAndBridge; shown were approve, then bridgeToken',
			);
			pty.type('\u0003');
			await pty.exit;
		});
		expect(sent()).toBe(0);
		const {records} = await real.json(['wallet', 'log']);
		expect(records.filter(({kind, data}: Any) => kind === 'wallet.signed' && data.what === 'batch')).toEqual([]);
	});

	test('moves feed and quote at the trade key of the monitor: the word for the jump is asked for, and its amount alone signs nothing', async () => {
		let factor = 1;
		door.change = movedBy(() => factor);
		const {toAccept} = await real.json([...buy, '--dry-run'], {code: 3});
		await real.json([...buy, '--dry-run', ...acceptFlags(toAccept), ...accepted]);
		await real.inTerminal([], async pty => {
			await pty.waitFor(/polling[\s\S]*BONDED [1-9]/);
			pty.type('\t\t');
			await pty.waitFor(/▌BONDED/);
			pty.type('f');
			await pty.waitFor(/filter/i);
			pty.type(`addr:${token.address}\r`);
			await pty.waitFor(/▌BONDED 1\b/);
			// What was received can be looked at from the first of its moments on.
			for (let isSeen = false; !isSeen; ) {
				await pressUntil(pty, '<', / rewind /i);
				isSeen = /▌BONDED 1\b/.test(pty.screenText());
				await pressUntil(pty, '\u001b', /Enter open/);
			}
			factor = 1000;
			const polled = () => door.asked.filter(line => line === 'POST /api/2/pulse').length;
			const before = polled();
			await expect.poll(polled).toBeGreaterThan(before + 2);
			pty.type('j');
			await pressUntil(pty, '+', /REAL MONEY/);
			await pty.waitFor(/Enter unlock/);
			await pressUntil(pty, `${passphrase}\r`, /1 \$10/);
			pty.type('2');
			await pty.waitFor(/to accept +jump=\d+ own-price=none, typed behind the amount|to accept +jump=\d+,/);
			await pty.waitFor(/price agrees +nothing: feed and quote are one voice/);
			await pressUntil(pty, '\r', /Type the amount, 25 jump=\d+/);
			await pty.waitFor(/you accept +no jump before the key: \$[\d.]+ now/);
			pty.type('25\t\r');
			await pty.waitFor(/checks passed|Type the amount/);
			pty.type('\u0003');
			await pty.exit;
		});
		expect(sent()).toBe(0);
		const {records} = await real.json(['wallet', 'log']);
		expect(records.filter(({kind, data}: Any) => kind === 'wallet.signed' && data.what === 'batch')).toEqual([]);
	});
});
