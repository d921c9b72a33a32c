import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {OUTPUT_SCHEMAS, type OutputName} from '../../source/commands/output-schemas.ts';
import {
	type Any,
	acceptFlags,
	type MoneyHome,
	type MoneyService,
	openDoor,
	openMoneyHome,
	startMoneyService,
} from '../helpers/money-cli.ts';

/*
 * One service for both kinds of money: over its own data directory it is practice, over another one it counts as real. Its
 * market is the same at every start, and hardly moves.
 */

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

/** Fails with every place where a document is not as its schema says. */
function expectShape(name: OutputName, document: unknown): void {
	expect(OUTPUT_SCHEMAS[name].safeParse(document).error?.issues ?? []).toEqual([]);
}

test('a token is bought by the plan of a dry run, stands among the positions, and half of it is sold', async () => {
	const token = tokens.find(row => isPlain(row) && row.liquidity > 20_000 && /^[\w$ ]+$/.test(row.symbol));
	// A new wallet has its dollars on Base: it gets some where a trade needs them.
	const buy = ['buy', placeOf(token), '--amount', '25', '--from', 'arbitrum:usdc', '--dry-run', ...practice()];
	const plan = await home.json(buy);
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
	const bought = await home.json(['buy', '--yes', '--plan', plan.planHash, ...practice()]);
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
	const execute = (side: string, ...more: string[]) => [side, '--yes', '--plan', sale.planHash, ...more, ...practice()];
	const others = [execute('sell', '--all'), execute('sell', '--slippage', '20'), execute('buy')];
	const refused = await Promise.all(others.map(args => home.json(args, {code: 2})));
	expect(refused.map(({error}) => error.what)).toEqual(
		['--all', '--slippage', 'The command'].map(name => `${name} is not that of the plan`),
	);
	const {stdout} = await home.run(execute('sell'));
	expect(stdout).toMatch(/^sold +[\d.]+ .+ on Polygon for 12\.\d+ USD/m);
	const history = await home.json(['positions', '--history', ...practice()]);
	expectShape('trades', history);
	expect(history.trades.map(({side}: Any) => side)).toEqual(['sell', 'buy']);
	const table = await home.run(['positions', ...practice()]);
	expect(table.stdout).toMatch(/^value \$1\d, open -\$0\.\d+, realised -\$0\.\d+, fees \$0\.\d+$/m);
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
		expect(outcomes.map(({code}) => code).toSorted()).toEqual([0, ...Array.from({length: 11}, () => 3)]);
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
