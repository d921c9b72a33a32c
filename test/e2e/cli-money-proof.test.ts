import {
	concatHex,
	encodeFunctionData,
	type Hex,
	keccak256,
	pad,
	parseAbi,
	parseUnits,
	stringToHex,
	toFunctionSelector,
	toHex,
} from 'viem';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test, vi} from 'vitest';
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
import {expectShape} from '../helpers/output-shape.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';

/*
 * A service that claims ends which did not happen, strangers who pay, and chains that take blocks back: what the built program
 * says of money follows from what the chains show of this transfer, and of no other.
 */

const BASE = 'evm:8453';
const ARBITRUM = 'evm:42161';
const POLYGON = 'evm:137';
const PASSPHRASE = 'a passphrase of the tests';
const PASS = ['--passphrase-fd', '3'];
const fds = [PASSPHRASE];
const TRANSFER = ['--from', 'base:usdc', '--amount', '12.5', '--to', 'arbitrum:usdc'];
const LIKE = 'a payment of the same amount arrived, not shown to be of this transfer';
const STRANGE = `0x${'ab'.repeat(32)}`;

const BRIDGE = parseAbi(['function fill(bytes32 intentId, address token, uint256 amount, address recipient)']);
/**
 * Code of a token that reports each transferFrom as made and moves nothing: LOG3 of Transfer with the call's own words, then true.
 * Every other call gives 0.
 */
const SCAM = [
	'0x60003560e01c6323b872dd14601457',
	'60206000f3',
	'5b',
	'604435600052',
	'602435600435',
	'7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
	'60206000a3',
	'600160005260206000f3',
].join('') as Hex;

let service: MoneyService;
let token: Any;
beforeAll(async () => {
	service = await startMoneyService();
	const reader = openMoneyHome();
	const feed = ['feed', '--view', 'bonded', '--chains', 'polygon', '--limit', '100', '--base-url', service.url];
	const {tokens} = (await reader.json(feed)).views.bonded;
	const isPlain = ({security = {}, liquidity}: Any) =>
		security.isHoneypot === false && security.buyTax === '0' && Number(security.sellTax) <= 3 && liquidity > 20_000;
	token = tokens.find(isPlain);
	reader.remove();
});
afterAll(() => service?.stop());

let door: Door;
let home: MoneyHome;
let address: string;
beforeEach(async () => {
	door = await openDoor(service.url);
	home = openMoneyHome(service.config(door.url));
	const key = generatePrivateKey();
	address = privateKeyToAddress(key);
	await Promise.all([home.wallet('main', key, PASSPHRASE), service.fund(BASE, address)]);
	await expect.poll(() => balance(BASE, service.contracts(BASE)['usdc']!)).toBeGreaterThan(0n);
});
afterEach(async () => {
	await door.close();
	home.remove();
});

/** A dry run with every contract accepted: its plan can be executed. */
async function plan(transfer: readonly string[] = TRANSFER): Promise<Any> {
	const {toAccept} = await home.json(['bridge', 'quote', ...transfer]);
	return home.json(['bridge', 'execute', ...transfer, '--dry-run', ...acceptFlags(toAccept)]);
}

/** The same of a trade, with what has to be said by its word. */
async function tradePlan(args: readonly string[]): Promise<Any> {
	const {stdout} = await home.run([...args, '--dry-run', '--json']);
	const {toAccept, toAcknowledge} = JSON.parse(stdout);
	const words = toAcknowledge.flatMap(({word}: Any) => ['--accept', word]);
	return {...(await home.json([...args, '--dry-run', ...acceptFlags(toAccept), ...words])), words};
}

const buyArgs = () => ['buy', `polygon:${token.address}`, '--amount', '25', '--from', 'base:usdc'];
const sellArgs = () => ['sell', `polygon:${token.address}`, '--percent', '50', '--to', 'base:usdc'];
const executing = (command: readonly string[], {planHash, words = []}: Any, ...more: string[]) => [
	...command,
	'--yes',
	'--plan',
	planHash,
	...words,
	...more,
	...PASS,
];

/** A service that takes the batch of a plan and sends nothing, and says of it what it likes. */
function claiming({body: {intentId}}: Any, status: Record<string, unknown>): void {
	door.onAnswer = path => {
		if (path.endsWith('/bridge/execute'))
			return {data: {intentId, status: 'pending', depositTxHash: STRANGE, sponsoredGasLimit: '1', message: ''}};
		return path.includes('/bridge/status/') ? {data: status} : 'pass';
	};
}

/** 1,000 dollars of the faucet for the wallet: from nobody that it deals with. */
async function strangerPays(chainId: string): Promise<string> {
	const usdc = service.contracts(chainId)['usdc']!;
	const to = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
	const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', null, to];
	const payments = () => service.node(chainId, 'eth_getLogs', [{fromBlock: '0x0', address: usdc, topics}]);
	// A practice chain runs once it is used.
	const before = chainId === BASE ? (await payments()).length : 0;
	await service.fund(chainId, address);
	await expect.poll(async () => (await payments()).length).toBe(before + 1);
	return (await payments()).at(-1).transactionHash;
}

async function balance(chainId: string, of: string): Promise<bigint> {
	const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
	return BigInt(await service.node(chainId, 'eth_call', [{to: of, data}, 'latest']));
}

const spentToday = async (chainId: string) =>
	(await home.json(['wallet', 'limits'])).limits.find((row: Any) => row.chainId === chainId)?.spentToday;
const statusOf = async (intentId: string): Promise<Any> => (await home.json(['bridge', 'status', intentId])).intents[0];

/** Lets the pool of the token trade at any time, as a real one does: practice pools have a price in the moment of a trade alone. */
async function keepPoolOpen(): Promise<void> {
	const pool = keccak256(concatHex([pad(token.address.toLowerCase() as Hex), pad('0x0')]));
	const validUntil = toHex(BigInt(pool) + 2n, {size: 32});
	const venue = service.contracts(POLYGON)['venue'];
	await service.node(POLYGON, 'anvil_setStorageAt', [venue, validUntil, toHex(2n ** 40n, {size: 32})]);
}

/** Takes a transaction back. Its sender goes on with the next number, as the service does that has sent it. */
async function takeBack(chainId: string, txHash: string, by: (blockNumber: string) => Promise<unknown>): Promise<void> {
	const {blockNumber, from} = await service.node(chainId, 'eth_getTransactionReceipt', [txHash]);
	const nonce = await service.node(chainId, 'eth_getTransactionCount', [from, 'latest']);
	await by(blockNumber);
	await service.node(chainId, 'anvil_setNonce', [from, nonce]);
	expect(await service.node(chainId, 'eth_getTransactionReceipt', [txHash])).toBeNull();
}

/** Puts blocks without transactions in the place of one and all after it. */
const reorganise = (chainId: string, txHash: string) =>
	takeBack(chainId, txHash, async blockNumber => {
		const newest = await service.node(chainId, 'eth_blockNumber');
		await service.node(chainId, 'anvil_reorg', [Number(newest) - Number(blockNumber) + 1, []]);
	});

test.each<readonly [status: string, chainId: string, more: {fillTxHash?: string; failureReason?: string}]>([
	['filled', ARBITRUM, {}],
	['settled', ARBITRUM, {}],
	['filled', ARBITRUM, {fillTxHash: 'the stranger’s'}],
	['failed', ARBITRUM, {failureReason: 'it reverted'}],
	['refunded', BASE, {}],
])(
	'a transfer that the service only calls %s does not end by the payment of a stranger on %s (%j)',
	async (status, chainId, more) => {
		const planned = await plan();
		claiming(planned, {status: 'pending'});
		await home.json(executing(['bridge', 'execute'], planned, '--no-wait'), {fds});
		const txHash = await strangerPays(chainId);
		const {intentId} = planned.body;
		claiming(planned, {status, ...more, ...(more.fillTxHash && {fillTxHash: txHash})});
		const intent = await statusOf(intentId);
		expect(intent).toMatchObject({phase: 'claimed', claim: status, isEnd: false, likeTxHash: txHash});
		expect(intent).not.toHaveProperty('leftTxHash');
		if (status === 'refunded') expect(intent.text).toContain(LIKE.replace('arrived', 'came back'));
		else if (status !== 'failed') expect(intent.text).toContain(LIKE);
		expect(intent.text).not.toContain('shows it');
		expectShape('bridge-status', await home.json(['bridge', 'status', intentId]));
		expect(await spentToday(BASE)).toBe('12.5');
		// Nothing ends the transfer but the chain, also for the next start.
		expect((await home.json(['bridge', 'status'])).intents).toMatchObject([{phase: 'claimed', isEnd: false}]);
	},
);

test('a sale that nobody executed is not made by a payment of its proceeds: the tokens are still there', async () => {
	const bought = await tradePlan(buyArgs());
	await home.json(executing(['buy'], bought), {fds});
	const held = await balance(POLYGON, token.address);
	expect(held).toBeGreaterThan(0n);
	await keepPoolOpen();
	const sale = await tradePlan(sellArgs());
	for (const status of ['filled', 'settled']) {
		claiming(sale, {status});
		if (status === 'filled') {
			await home.json(executing(['sell'], sale, '--no-wait'), {fds});
			await strangerPays(BASE);
		}
		expect(await statusOf(sale.body.intentId)).toMatchObject({
			phase: 'claimed',
			claim: status,
			text: expect.stringContaining(LIKE),
		});
		const {trades} = await home.json(['positions', '--history']);
		expect(trades.map(({side}: Any) => side)).toEqual(['buy']);
		expect((await home.json(['positions'])).sums.realisedUSD).toBe('0');
	}
	expect(await balance(POLYGON, token.address)).toBe(held);
});

test('two transfers of one amount at once end each by its own payment, whatever hash the service names', async () => {
	const plans = [await plan(), await plan()];
	for (const planned of plans) await home.json(executing(['bridge', 'execute'], planned, '--no-wait'), {fds});
	const own = new Map<string, string>();
	await expect
		.poll(async () => {
			for (const {body} of plans) {
				const {data} = await service.client.call('bridgeStatus', {params: {intentId: body.intentId}});
				if (data.fillTxHash && /filled|settled/.test(data.status)) own.set(body.intentId, data.fillTxHash);
			}
			return own.size;
		})
		.toBe(2);
	const [first, second] = plans.map(({body}) => body.intentId);
	const other = (intentId: string) => own.get(intentId === first ? second : first);
	door.change = (path, json) => {
		const intentId = [first, second].find(id => path.includes(id));
		return intentId === undefined ? json : {data: {...json.data, fillTxHash: other(intentId), depositTxHash: null}};
	};
	const {intents} = await home.json(['bridge', 'status', '--wait']);
	expect(intents).toHaveLength(2);
	for (const {intentId, phase, fillTxHash} of intents)
		expect([phase, fillTxHash]).toEqual([expect.stringMatching(/filled|settled/), own.get(intentId)]);
	expect(new Set(intents.map(({leftTxHash}: Any) => leftTxHash)).size).toBe(2);
});

test('an end that a reorganisation takes back is no end in journal and list, and comes back with the payment', async () => {
	const planned = await plan();
	const {intent} = await home.json(executing(['bridge', 'execute'], planned), {fds});
	expect(intent).toMatchObject({phase: expect.stringMatching(/filled|settled/), isEnd: true, isFinal: false});
	const {intentId, fillTxHash} = intent;
	const paid = await service.node(ARBITRUM, 'eth_getTransactionByHash', [fillTxHash]);
	await reorganise(ARBITRUM, fillTxHash);

	// The next start of the program, whatever it is for, finds that the end is gone.
	const open = await home.json(['bridge', 'status']);
	expectShape('bridge-status', open);
	expect(open.intents).toMatchObject([{intentId, phase: 'claimed', isEnd: false, isTakenBack: true}]);
	expect(open.intents[0].text).toContain('its block was replaced');
	expect((await home.json(['bridge', 'list'])).intents).toMatchObject([{intentId, phase: 'claimed', isEnd: false}]);
	expect(await spentToday(BASE)).toBe('12.5');

	const {from, to, input, gas} = paid;
	await service.node(ARBITRUM, 'anvil_impersonateAccount', [from]);
	await service.node(ARBITRUM, 'eth_sendTransaction', [{from, to, data: input, gas}]);
	const {intents} = await home.json(['bridge', 'status', '--wait']);
	expect(intents).toMatchObject([{intentId, phase: expect.stringMatching(/filled|settled/), isEnd: true}]);
	expect(intents[0]).not.toHaveProperty('isTakenBack');
	// Enough blocks later nothing takes the end back.
	for (const chainId of [BASE, ARBITRUM]) await service.node(chainId, 'anvil_mine', ['0x60']);
	expect(await statusOf(intentId)).toMatchObject({isEnd: true, isFinal: true});
});

test('a token that reports a payment and moves nothing is not bought, though the bridge reports the payment too', async () => {
	const planned = await tradePlan(buyArgs());
	const {intentId} = planned.body;
	await service.fund(POLYGON, address);
	const node = (method: string, ...params: unknown[]) => service.node(POLYGON, method, params);
	const honest = await node('eth_getCode', token.address, 'latest');
	await node('anvil_setCode', token.address, SCAM);
	try {
		// The solver pays with the scam, before the service can pay with anything.
		const bridge = service.contracts(POLYGON)['bridge']!;
		const word: string = await node('eth_call', {to: bridge, data: toFunctionSelector('solver()')}, 'latest');
		const from = `0x${word.slice(-40)}`;
		const args = [keccak256(stringToHex(intentId)), token.address, parseUnits('1000000', 18), address as Hex] as const;
		const data = encodeFunctionData({abi: BRIDGE, functionName: 'fill', args});
		const nonce = await node('eth_getTransactionCount', from, 'latest');
		await node('anvil_impersonateAccount', from);
		const fillTxHash = await node('eth_sendTransaction', {from, to: bridge, data, gas: '0x7a120'});
		// A node answers with the hash before its block stands.
		const receipt = await vi.waitUntil(() => node('eth_getTransactionReceipt', fillTxHash), {timeout: PATIENCE_MS});
		await node('anvil_setNonce', from, nonce);
		const {status, logs} = receipt;
		// The event of the token and that of the bridge.
		expect([status, logs.length]).toEqual(['0x1', 2]);
		door.change = (path, json) =>
			path.includes(intentId) ? {data: {...json.data, status: 'filled', fillTxHash}} : json;
	} finally {
		await node('anvil_setCode', token.address, honest);
	}
	await home.json(executing(['buy'], planned, '--no-wait'), {fds});
	await expect.poll(async () => (await statusOf(intentId)).leftTxHash).toMatch(/^0x/);
	expect(await statusOf(intentId)).toMatchObject({phase: 'claimed', claim: 'filled', isEnd: false});
	expect(await home.json(['positions'])).toMatchObject({positions: [], underWay: [{intentId}]});
});

test('the monitor takes an end back while it runs, and follows the transfer on', async () => {
	const planned = await plan();
	const {intent} = await home.json(executing(['bridge', 'execute'], planned), {fds});
	await home.inTerminal([], async pty => {
		await pty.waitFor('● polling');
		await reorganise(ARBITRUM, intent.fillTxHash);
		await pty.waitFor(/bridge: (taken back|filled, says the service)/);
		pty.type('b');
		await pty.waitFor(/its block was replaced/);
		pty.type('\u001b');
		pty.type('q');
		await pty.exit;
	});
	expect((await home.json(['bridge', 'list'])).intents).toMatchObject([{phase: 'claimed', isEnd: false}]);
});

test('an end whose deposit is taken back on the origin is no end either', async () => {
	const planned = await plan();
	const {intent} = await home.json(executing(['bridge', 'execute'], planned), {fds});
	await reorganise(BASE, intent.leftTxHash);
	const state = await statusOf(intent.intentId);
	expect(state).toMatchObject({phase: 'claimed', isEnd: false, isTakenBack: true});
	expect(state).not.toHaveProperty('leftTxHash');
	expect(await spentToday(BASE)).toBe('12.5');
});

test.each(['anvil_reorg', 'evm_revert'] as const)(
	'a purchase whose payment is taken back by %s is in no position, and its dollars stay counted',
	async by => {
		const planned = await tradePlan(buyArgs());
		// A practice chain runs once it is read.
		await service.fund(POLYGON, address);
		const snapshot = await service.node(POLYGON, 'evm_snapshot');
		const bought = await home.json(executing(['buy'], planned), {fds});
		const {intentId, fillTxHash} = bought.intent;
		expect((await home.json(['positions'])).positions).toMatchObject([{isHeld: true, costUSD: '25'}]);
		if (by === 'anvil_reorg') await reorganise(POLYGON, fillTxHash);
		else await takeBack(POLYGON, fillTxHash, () => service.node(POLYGON, 'evm_revert', [snapshot]));

		const {positions, underWay} = await home.json(['positions']);
		expect(positions).toEqual([]);
		expect(underWay).toMatchObject([{intentId, side: 'buy'}]);
		expect((await home.json(['positions', '--history'])).trades).toEqual([]);
		expect(await spentToday(BASE)).toBe('25');
		expect(await statusOf(intentId)).toMatchObject({phase: 'claimed', isEnd: false, isTakenBack: true});
	},
);
