import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {concatHex, encodeFunctionData, type Hex, keccak256, pad, parseAbi, stringToBytes, toHex} from 'viem';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Call} from '../../../source/client/http/call.ts';
import {ServiceRefused, ServiceTimeout, ServiceUnreachable} from '../../../source/client/http/service-errors.ts';
import type {ExecuteBody, Quote} from '../../../source/contract/bridge.ts';
import {describeBridge} from '../../../source/trading/bridge/describe-state.ts';
import {type BridgeFlow, createBridgeFlow} from '../../../source/trading/bridge/flow.ts';
import {openIntents} from '../../../source/trading/bridge/journal-fold.ts';
import {openCaps} from '../../../source/trading/caps.ts';
import {type ChainReader, ChainUnread, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {type ContractCode, readContract} from '../../../source/trading/contract-code.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import type {JournalKind} from '../../../source/trading/journal-labels.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {createSigner, type Signer} from '../../../source/trading/signer.ts';

const USDC = '0x3000000000000000000000000000000000000003';
const BRIDGE = '0x4000000000000000000000000000000000000004';
const EXECUTOR = '0x5000000000000000000000000000000000000005';
const DEPOSIT = `0x${'d1'.repeat(32)}`;
const FILL = `0x${'f1'.repeat(32)}`;
const TRANSFER = keccak256(stringToBytes('Transfer(address,address,uint256)'));
const BATCH_EXECUTED = keccak256(stringToBytes('BatchExecuted(uint256,address,uint256)'));
const FILLED = keccak256(stringToBytes('Filled(bytes32,address,address,uint256)'));
const abi = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function bridgeToken(bytes32 intentId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
]);

/** How the service responds to an execute, and what it did: the chain knows it, the response may be a lie. */
const ANSWERS = {
	'200': ['executes', 'reverts'],
	'400': ['drops', 'executes'],
	'401': ['drops', 'executes'],
	'402': ['drops'],
	'404': ['drops'],
	'429': ['drops', 'executes'],
	'502': ['drops', 'executes'],
	'503': ['drops', 'executes'],
	'409': ['executes', 'drops'],
	'500': ['executes', 'drops'],
	'504': ['executes', 'reverts', 'drops'],
	'no connection': ['drops'],
	'no answer': ['executes', 'reverts', 'drops'],
	garbage: ['executes', 'drops'],
} as const;

type Answer = keyof typeof ANSWERS;
type Truth = (typeof ANSWERS)[Answer][number];

/** Where the program dies: never, or after the intent was written down, after the POST, before its answer was kept. */
const DEATHS = ['never', 'before the POST', 'during the POST', 'before the answer is kept'] as const;
type Death = (typeof DEATHS)[number];

class Service {
	nowMs = 1_800_000_000_000;
	readonly posts: ExecuteBody[] = [];
	readonly fates: Truth[] = [];
	#quotes = 0;
	/** The response to the next execute; a later one goes well. */
	plan: {response: Answer; truth: Truth; death: Death} | undefined;
	readonly address: string;

	/** Neither service nor nodes answer any more. */
	isSilent = false;

	constructor(address: string) {
		this.address = address;
	}

	readonly call = (async (id: string, input: {body?: ExecuteBody}) => {
		if (id === 'bridgeQuote') return {data: this.#quote()};
		if (id === 'bridgeStatus') return {data: this.#status()};
		if (id === 'bridgeStatusWait') {
			if (this.isSilent) throw new ServiceTimeout('no complete answer within 45 s');
			// Time passes while it holds.
			this.nowMs += 30_000;
			return {data: this.#status()};
		}
		if (id !== 'bridgeExecute') throw new Error(`nobody should ask ${id}`);
		const {response = '200', truth = 'executes', death = 'never'} = this.plan ?? {};
		this.plan = undefined;
		if (death === 'before the POST') return new Promise(() => {});
		this.posts.push(input.body!);
		this.fates.push(truth);
		if (death === 'during the POST') return new Promise(() => {});
		return this.#answer(response, input.body!);
	}) as unknown as Call;

	#quote(): Quote {
		const intentId = `intent-${++this.#quotes}`;
		const amount = 50_000_000n;
		const approve = encodeFunctionData({abi, functionName: 'approve', args: [BRIDGE, amount]});
		const hash = keccak256(stringToBytes(intentId));
		const deposit = encodeFunctionData({
			abi,
			functionName: 'bridgeToken',
			args: [hash, USDC, amount, 42161n, this.address as `0x${string}`],
		});
		return {
			intentId,
			estimatedAmountOut: '49.5',
			minAmountOut: '49',
			fees: {totalFeeUsd: '0.5'},
			steps: [{tx: {to: USDC, data: approve, value: '0'}}, {tx: {to: BRIDGE, data: deposit, value: '0'}}],
			sponsorGate: {batchExecutor: EXECUTOR, gasToken: USDC, minBalance: String(amount)},
		};
	}

	#answer(response: Answer, body: ExecuteBody) {
		switch (response) {
			case '200': {
				const depositTxHash = `0x${'ab'.repeat(32)}`;
				return {data: {intentId: body.intentId, status: 'pending', depositTxHash, sponsoredGasLimit: '1', message: ''}};
			}
			case 'no connection':
				throw new ServiceUnreachable('nothing listens at its address', {sent: 'no'});
			case 'no answer':
				throw new ServiceTimeout('no complete answer within 45 s');
			case 'garbage':
				return {
					data: {intentId: 'another', status: 'pending', depositTxHash: '0x', sponsoredGasLimit: '1', message: ''},
				};
			default:
				throw new ServiceRefused(Number(response), 'no');
		}
	}

	/** An unknown id is `pending` too (contract gaps 4.4). */
	#status() {
		const fate = this.fates.at(-1);
		if (fate === 'executes') return {status: 'filled', depositTxHash: DEPOSIT, fillTxHash: FILL};
		return fate === 'reverts'
			? {status: 'failed', depositTxHash: DEPOSIT, failureReason: 'call 1'}
			: {status: 'pending'};
	}

	/** Both chains as a node shows them: what happened, whatever was answered. Everything happens in block 8. */
	readonly request = async (chainId: string, method: string, params: readonly unknown[] = []): Promise<unknown> => {
		if (this.isSilent && this.posts.length > 0) throw new ChainUnread(chainId, 'its node does not answer');
		const [fate, body] = [this.fates.at(-1), this.posts.at(-1)];
		switch (method) {
			case 'eth_getCode':
				return '0x6001';
			case 'eth_getStorageAt':
				return `0x${'0'.repeat(64)}`;
			case 'eth_simulateV1':
				throw new NodeRefused(chainId, 'the method does not exist');
			case 'eth_blockNumber':
				return '0x7';
			case 'eth_getBlockByNumber': {
				const number = params[0] === 'latest' ? '0x8' : params[0] === 'finalized' ? '0x0' : params[0];
				return {number, hash: keccak256(stringToBytes(`${chainId} ${number}`))};
			}
			case 'eth_call':
				return toHex(params[1] === '0x7' || fate !== 'executes' ? 0n : 49_500_000n, {size: 32});
			case 'eth_getTransactionByHash':
				return null;
			case 'eth_getTransactionReceipt': {
				if (fate !== 'executes' && fate !== 'reverts') return null;
				const hash = params[0];
				const logs = fate === 'executes' ? this.#logs(chainId, body!) : [];
				const blockHash = keccak256(stringToBytes(`${chainId} 0x8`));
				return {status: fate === 'executes' ? '0x1' : '0x0', blockNumber: '0x8', blockHash, gasUsed: '0x1', logs, hash};
			}
			case 'eth_getLogs':
				return fate === 'executes' ? this.#logs(chainId, body!) : [];
			default:
				throw new Error(`nobody should ask for ${method}`);
		}
	};

	#logs(chainId: string, {authority, intentId, batchNonce}: ExecuteBody) {
		const isOrigin = chainId === 'evm:8453';
		const [from, to, amount] = isOrigin ? [authority, BRIDGE, 50_000_000n] : [BRIDGE, authority, 49_500_000n];
		const topics = [TRANSFER, ...[from, to].map(address => pad(address as Hex))];
		const transactionHash = isOrigin ? DEPOSIT : FILL;
		const own = {transactionHash, blockNumber: '0x8'};
		const data = toHex(amount, {size: 32});
		const event = isOrigin
			? {address: authority, topics: [BATCH_EXECUTED, toHex(BigInt(batchNonce), {size: 32})], data: '0x'}
			: {
					address: BRIDGE,
					topics: [FILLED, keccak256(stringToBytes(intentId)), pad(authority.toLowerCase() as Hex)],
					data: concatHex([pad(USDC), data]),
				};
		return [
			{...own, address: USDC, topics, data, logIndex: `0x${this.fates.length}`},
			{...own, ...event, logIndex: '0xff'},
		];
	}
}

let dir: string;
let signer: Signer;
let address: string;

beforeAll(async () => {
	dir = mkdtempSync(join(tmpdir(), 'pulsetop-faults-'));
	const keystore = openKeystore(dir, 'practice');
	await keystore.create('me');
	signer = createSigner({
		keystore,
		name: 'me',
		caps: openCaps(join(dir, 'no-caps.json'), {journal: openJournal(join(dir, 'no-caps.jsonl'))}),
	});
	address = await signer.unlock();
	const chains = {request: new Service(address).request} as unknown as ChainReader;
	for (const [role, contract] of [
		['batch executor', EXECUTOR],
		['bridge', BRIDGE],
	] as const) {
		const found = (await readContract(chains, 'evm:8453', contract)) as ContractCode;
		openPins(join(dir, 'pins.json')).accept('evm:8453', role, found, found.fingerprint.slice(-6));
	}
});

afterAll(() => rmSync(dir, {recursive: true, force: true}));

let runs = 0;

/** A user of one service; `start` is the program restarted on the same files. */
function user() {
	const own = join(dir, `run-${++runs}`);
	const service = new Service(address);
	const caps = openCaps(join(own, 'caps.json'), {journal: openJournal(join(own, 'spent.jsonl'))});
	const clock = {nowMs: () => service.nowMs, skewMs: 0, uncertaintyMs: 10};
	const chains = {
		knows: () => true,
		account: async () => ({nonce: 0, kind: 'plain'}),
		balance: async () => 10n ** 12n,
		tokenInfo: async () => ({symbol: 'USDC', decimals: 6}),
		laneSequence: async () => (service.isSilent ? undefined : service.fates.at(-1) === 'executes' ? 1n : 0n),
		request: service.request,
	} as unknown as ChainReader;
	// Separate limits for each run, over one wallet.
	const counted: Signer = {
		...signer,
		state: signer.state,
		signAuthorization: request => signer.signAuthorization(request),
		async signBatch(batch, spend, provider) {
			caps.reserve(spend);
			return signer.signBatch(batch, {...spend, amountRaw: 1n}, provider);
		},
	};
	const start = (death: Death = 'never'): BridgeFlow => {
		const journal = openJournal(join(own, 'journal.jsonl'), clock);
		const dying = {
			...journal,
			records: () => journal.records(),
			claim: journal.claim.bind(journal),
			append(kind: JournalKind, id: string, data: Readonly<Record<string, unknown>>) {
				if (death === 'before the answer is kept' && kind === 'bridge.answered') throw new Error('killed');
				return journal.append(kind, id, data);
			},
		};
		const pins = openPins(join(dir, 'pins.json'));
		return createBridgeFlow({
			call: service.call,
			clock,
			signer: counted,
			address,
			chains,
			caps,
			pins,
			journal: dying,
			pollMs: 0,
		});
	};
	const openOnes = () => openIntents(openJournal(join(own, 'journal.jsonl')));
	const spent = () => caps.spentToday('evm:8453', USDC, 6);
	return {service, start, openOnes, spent};
}

const input = {
	originChainId: 'evm:8453',
	originToken: USDC,
	amount: '50',
	destinationChainId: 'evm:42161',
	destinationToken: USDC,
};

async function ready(flow: BridgeFlow): Promise<void> {
	await flow.quote(input);
	expect(flow.view.checks.filter(check => !check.ok)).toEqual([]);
	flow.confirm('50');
}

const cases = Object.entries(ANSWERS).flatMap(([response, truths]) =>
	truths.flatMap(truth => DEATHS.map(death => [response as Answer, truth as Truth, death] as const)),
);
const RETRYABLE: ReadonlySet<Answer> = new Set(['429', '502', '503', 'no connection']);
const REFUSED: ReadonlySet<Answer> = new Set(['400', '401', '402', '404']);

describe('an execute', () => {
	test.each(cases)(
		'that is answered with %s, while the service %s, and the program dies %s, sends one batch and ends as the chain shows',
		async (response, truth, death) => {
			const {service, start, openOnes, spent} = user();
			let flow = start(death);
			await ready(flow);
			service.plan = {response, truth, death};
			const isUnsent = response === 'no connection' && death !== 'before the POST';
			if (death === 'never') {
				await flow.execute();
				if (RETRYABLE.has(response)) expect(flow.view.state.phase).toBe('retryable');
				else if (REFUSED.has(response)) expect(flow.view.state.phase).toBe('unaccepted');
				// What left this machine counts until the chain shows otherwise.
				expect(spent()).toBe(isUnsent ? 0n : 50_000_000n);
				if (!isUnsent) await expect(flow.quote(input)).rejects.toMatchObject({code: 'not-now'});
				await flow.watch();
			} else {
				const execution = flow.execute().catch(() => {});
				if (death === 'before the answer is kept') await execution;
				else await expect.poll(() => flow.view.state.phase, {interval: 1}).toBe('sending');
				const open = openOnes();
				expect(open).toHaveLength(1);
				flow = start();
				flow.resume(open[0]!.intentId);
				await expect(flow.quote(input)).rejects.toMatchObject({next: 'poll-status'});
				await expect(flow.execute()).rejects.toMatchObject({next: 'poll-status'});
				await flow.watch();
			}
			expect(service.posts.length).toBe(death === 'before the POST' ? 0 : 1);
			const arrived = death !== 'before the POST';
			const {phase} = flow.view.state;
			if (arrived && truth === 'executes') expect(phase).toBe('filled');
			else if (arrived && truth === 'reverts') expect(phase).toBe('failed');
			else if (death === 'never' && isUnsent) expect(phase).toBe('retryable');
			else expect(phase).toBe(death === 'never' && REFUSED.has(response) ? 'refused' : 'lapsed');
			// What certainly did not happen is given back to the limits; what happened stays counted.
			expect(spent()).toBe(phase === 'filled' ? 50_000_000n : 0n);
			expect(openOnes()).toEqual([]);
		},
	);

	test.each(['200', '504', 'no answer'] as const)(
		'that is answered with %s, reverts on the chain, and is sent again by the service later, has not failed',
		async response => {
			const {service, start, openOnes, spent} = user();
			const flow = start();
			await ready(flow);
			service.plan = {response, truth: 'reverts', death: 'never'};
			await flow.execute();
			const phases = new Set<string>();
			flow.subscribe(() => phases.add(flow.view.state.phase));
			expect(await flow.read()).toMatchObject({phase: 'claimed', claim: 'failed', revertedTxHash: DEPOSIT});
			const {text} = describeBridge(flow.view.state);
			expect(text).toMatch(
				/^Reverted on the chain: no tokens moved so far\. It can still be sent until \d\d:\d\d:\d\d\./,
			);
			expect(spent()).toBe(50_000_000n);
			await expect(flow.quote(input)).rejects.toMatchObject({code: 'not-now'});
			// The program is restarted, and the same batch comes again.
			const next = start();
			next.resume(openOnes()[0]!.intentId);
			expect(next.view.state).toMatchObject({revertedTxHash: DEPOSIT});
			next.subscribe(() => phases.add(next.view.state.phase));
			service.fates.push('executes');
			expect(await next.watch()).toMatchObject({phase: 'filled'});
			expect([...phases]).not.toContain('failed');
			expect(spent()).toBe(50_000_000n);
		},
	);

	test.each(['429', '502', '503', 'no connection'] as const)(
		'of which %s sent nothing is tried again in the same lane, and ends well',
		async response => {
			const {service, start} = user();
			const flow = start();
			await ready(flow);
			service.plan = {response, truth: 'drops', death: 'never'};
			await flow.execute();
			await flow.review();
			flow.confirm('50');
			await flow.execute();
			expect(await flow.watch()).toMatchObject({phase: 'filled', attempts: 2});
			expect(new Set(service.posts.map(({intentId, batchNonce}) => `${intentId} ${batchNonce}`)).size).toBe(1);
		},
	);

	test('is not read for ever once nothing responds, and the next start resumes it', async () => {
		const {service, start, openOnes} = user();
		const flow = start();
		await ready(flow);
		service.plan = {response: '504', truth: 'executes', death: 'never'};
		service.isSilent = true;
		await flow.execute();
		expect(await flow.watch(undefined, 30)).toMatchObject({phase: 'unclear'});
		const [open] = openOnes();
		service.isSilent = false;
		const next = start();
		next.resume(open!.intentId);
		expect(await next.watch()).toMatchObject({phase: 'filled'});
		expect(service.posts).toHaveLength(1);
	});

	test('that lapsed is followed by a new intent in another lane', async () => {
		const {service, start} = user();
		const flow = start();
		await ready(flow);
		service.plan = {response: '504', truth: 'drops', death: 'never'};
		await flow.execute();
		expect(await flow.watch()).toMatchObject({phase: 'lapsed'});
		await ready(flow);
		await flow.execute();
		expect(await flow.watch()).toMatchObject({phase: 'filled'});
		expect(new Set(service.posts.map(({batchNonce}) => batchNonce)).size).toBe(2);
	});
});
