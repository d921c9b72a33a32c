import {concatHex, type Hex, keccak256, pad, toHex} from 'viem';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	type Any,
	acceptFlags,
	type Door,
	type MoneyHome,
	type MoneyService,
	openDoor,
	openMoneyHome,
	startMoneyService,
} from '../helpers/money-cli.ts';

/*
 * The built program is killed with -9 after its POST, at thirty points that are spread over the states of a trade and not over
 * time: a payment that cannot be made holds the trade in its state until the moment is there.
 */

const BASE = 'evm:8453';
const ARBITRUM = 'evm:42161';
const POLYGON = 'evm:137';
const PASSPHRASE = 'a passphrase of the tests';
const fds = [PASSPHRASE];
const PASS = ['--passphrase-fd', '3'];

/** `posted`: the service has the batch, and its answer is held back. `paying`: the payment was held back, and no longer is. */
const STATES = ['posted', 'pending', 'filling', 'paying'] as const;
type State = (typeof STATES)[number];
/** The kill falls on the n-th request of the program in its state, to the service or to a node. */
const NTH: Readonly<Record<State, readonly number[]>> = {
	posted: [1, 1, 1],
	pending: [1, 2, 1],
	filling: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
	paying: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
};
const SIDES = ['buy', 'sell', 'bridge'] as const;
type Side = (typeof SIDES)[number];

/** What the faucet gives, micro-USD. */
const GIVEN = 1_000_000_000n;

let service: MoneyService;
let door: Door;
let home: MoneyHome;
let address: string;
let token: Any;

beforeAll(async () => {
	service = await startMoneyService();
	door = await openDoor(service.url);
	home = openMoneyHome(service.config(door.url, '', door.url));
	const key = generatePrivateKey();
	address = privateKeyToAddress(key);
	await Promise.all([
		home.wallet('main', key, PASSPHRASE),
		service.fund(BASE, address),
		service.fund(ARBITRUM, privateKeyToAddress(generatePrivateKey())),
		service.fund(POLYGON, privateKeyToAddress(generatePrivateKey())),
	]);
	const feed = ['feed', '--view', 'bonded', '--chains', 'polygon', '--limit', '100'];
	const {tokens} = (await home.json(feed)).views.bonded;
	token = tokens.find(
		({security = {}, liquidity}: Any) =>
			security.isHoneypot === false && security.buyTax === '0' && security.sellTax === '0' && liquidity > 20_000,
	);
});
afterAll(async () => {
	await door?.close();
	home?.remove();
	await service?.stop();
});

const place = () => `polygon:${token.address}`;
const commandOf = (side: Side): readonly string[] =>
	({
		buy: ['buy', place(), '--amount', '5', '--from', 'base:usdc', '--slippage', '20'],
		sell: ['sell', place(), '--percent', '20', '--to', 'base:usdc', '--slippage', '20'],
		bridge: ['bridge', 'execute', '--from', 'base:usdc', '--amount', '5', '--to', 'arbitrum:usdc'],
	})[side];
const wordsOf = (side: Side) => (side === 'bridge' ? ['bridge', 'execute'] : [side]);
const destinationOf = (side: Side) => ({buy: POLYGON, sell: BASE, bridge: ARBITRUM})[side];

async function planned(side: Side): Promise<Any> {
	await keepPoolOpen();
	const read = async (...more: string[]) => {
		const {json} = await home.document([...commandOf(side), '--dry-run', ...more]);
		expect(json).not.toHaveProperty('error');
		return json;
	};
	const {toAccept, toAcknowledge = []} = await read();
	const words = toAcknowledge.flatMap(({word}: Any) => ['--accept', word]);
	const plan = await read(...acceptFlags(toAccept), ...words);
	expect(plan.isReady, JSON.stringify(plan.checks?.filter(({ok}: Any) => !ok))).toBe(true);
	return {...plan, words};
}

/** Lets the pool of the token trade at any time, as a real one does: practice pools have a price in the moment of a trade alone. */
async function keepPoolOpen(): Promise<void> {
	const pool = keccak256(concatHex([pad(token.address.toLowerCase() as Hex), pad('0x0')]));
	const validUntil = toHex(BigInt(pool) + 2n, {size: 32});
	const venue = service.contracts(POLYGON)['venue'];
	await service.node(POLYGON, 'anvil_setStorageAt', [venue, validUntil, toHex(2n ** 40n, {size: 32})]);
}

const setFee = (chainId: string, wei: bigint) => service.node(chainId, 'anvil_setNextBlockBaseFeePerGas', [toHex(wei)]);
/** Nobody pays a whole coin for a unit of gas: the service cannot make its payment, and tries again. */
const hold = (chainId: string) => setFee(chainId, 10n ** 18n);
/** The payment can be made. */
async function release(chainId: string): Promise<void> {
	await setFee(chainId, 10n ** 9n);
	await service.node(chainId, 'anvil_mine', ['0x1']);
}

async function balance(chainId: string, of: string): Promise<bigint> {
	const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
	return BigInt(await service.node(chainId, 'eth_call', [{to: of, data}, 'latest']));
}

const dollars = (chainId: string) => balance(chainId, service.contracts(chainId)['usdc']!);

/** One trade that is killed at a point. @returns whether it was, and how often it was posted */
async function killedAt(side: Side, state: State, nth: number): Promise<{wasKilled: boolean; posts: number}> {
	const plan = await planned(side);
	const {intentId} = plan.body;
	let now: State | 'before' = 'before';
	let released: Promise<void> | undefined;
	let count = 0;
	let pid = 0;
	const isHeld = state === 'filling' || state === 'paying';
	if (isHeld) await hold(destinationOf(side));
	const die = () => {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended before.
		}
	};
	const askedBefore = door.asked.length;
	door.onKept = die;
	door.onAnswer = path => {
		if (path.endsWith('/bridge/execute')) return state === 'posted' ? 'keep' : 'pass';
		// A request that is held would be the only one for half a minute.
		if (path.endsWith('/wait')) return 404;
		if (now === state && ++count === nth) die();
		return 'pass';
	};
	door.change = (path, json) => {
		if (path.endsWith('/bridge/execute') && json.data) now = 'pending';
		const status = path.includes(`/bridge/status/${intentId}`) ? json.data?.status : undefined;
		if (now === 'pending' && state !== 'pending' && /^(deposited|filling|retrying)$/.test(status)) now = 'filling';
		if (now === 'filling' && state === 'paying') {
			now = 'paying';
			released = release(destinationOf(side));
		}
		return json;
	};
	const execute = [...wordsOf(side), '--yes', '--plan', plan.planHash, ...plan.words, ...PASS];
	const {signal} = await home.run(execute, {
		fds,
		onStart(id) {
			pid = id;
		},
	});
	const posts = door.asked.slice(askedBefore).filter(line => line === 'POST /api/2/bridge/execute').length;
	door.onKept = () => {};
	door.onAnswer = () => 'pass';
	door.change = undefined;
	await released;
	if (isHeld) await release(destinationOf(side));
	return {wasKilled: signal === 'SIGKILL', posts};
}

test('killed at thirty points after its POST the program trades each once, and positions are the balances', async () => {
	const first = await planned('buy');
	await home.json(['buy', '--yes', '--plan', first.planHash, ...first.words, ...PASS], {fds});
	const kills: Record<State, number> = {posted: 0, pending: 0, filling: 0, paying: 0};
	let round = 0;
	for (const state of STATES) {
		for (const nth of NTH[state]) {
			const side = SIDES[round++ % SIDES.length]!;
			const at = `${side}, request ${nth} while ${state}`;
			const {wasKilled, posts} = await killedAt(side, state, nth);
			if (wasKilled) kills[state]++;
			const askedBefore = door.asked.length;
			const {json, code} = await home.document(['bridge', 'status', '--wait']);
			// What could not be paid comes back.
			expect([at, code]).toEqual([at, expect.toBeOneOf([0, 1])]);
			const {intents} = json;
			for (const intent of intents) expect([at, intent.isEnd, intent.attempts]).toEqual([at, true, 1]);
			// What is open is only read.
			const again = door.asked.slice(askedBefore).filter(line => line.startsWith('POST /api'));
			expect([at, posts, again]).toEqual([at, 1, []]);
		}
	}
	expect(round).toBe(30);
	expect(kills).toEqual(Object.fromEntries(STATES.map(state => [state, NTH[state].length])));

	const {intents} = await home.json(['bridge', 'list']);
	expect(intents).toHaveLength(31);
	expect(intents.filter(({isEnd}: Any) => !isEnd)).toEqual([]);
	const {trades} = await home.json(['positions', '--history']);
	const {positions, underWay} = await home.json(['positions']);
	expect(underWay).toEqual([]);
	expect(positions).toMatchObject([{notBoughtHere: '0', movedElsewhere: '0'}]);
	const held = await balance(POLYGON, token.address);
	expect(rawOf(positions[0].amount, 18)).toBe(held);
	// Dollars: what was given, less what trades and transfers took, and what they brought.
	const micro = (text: string) => rawOf(text, 6);
	const traded = trades.reduce(
		(sum: bigint, {side, usd}: Any) => sum + (side === 'buy' ? -micro(usd) : micro(usd)),
		0n,
	);
	// What could not be paid came back: of a purchase it counts as no trade, of a sale its dollars are where the token was.
	const isBridged = ({transfer, phase}: Any) =>
		transfer.destinationChainId === ARBITRUM && /filled|settled/.test(phase);
	const bridged = BigInt(intents.filter(isBridged).length);
	const there = (await dollars(BASE)) + (await dollars(POLYGON));
	expect(there).toBe(GIVEN + traded - bridged * 5_000_000n);
});

function rawOf(text: string, decimals: number): bigint {
	const [whole = '0', fraction = ''] = text.split('.');
	return BigInt(whole + fraction.padEnd(decimals, '0'));
}
