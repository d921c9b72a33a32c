import {join} from 'node:path';
import type {Hex} from 'viem';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import type {Call} from '../../../source/client/http/call.ts';
import {ENDPOINTS, type EndpointId} from '../../../source/contract/endpoints.ts';
import {parseResponse} from '../../../source/contract/schema.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {openCaps} from '../../../source/trading/caps.ts';
import {type ChainReader, ChainUnread, createChainReader, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {practiceRpcUrl} from '../../../source/trading/practice-funds.ts';
import type {PredictionPlace} from '../../../source/trading/prediction/checks.ts';
import {createPredictionFlow, type PredictionFlow} from '../../../source/trading/prediction/flow.ts';
import {
	claimLane,
	intendAction,
	openPredictions,
	unclaimLane,
} from '../../../source/trading/prediction/journal-fold.ts';
import {openPracticePrediction} from '../../../source/trading/prediction/practice.ts';
import {isKept} from '../../../source/trading/prediction/proof.ts';
import {createSigner} from '../../../source/trading/signer.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';

let service: RunningService;
let client: Client;

beforeAll(async () => {
	service = await startService({
		market: new TinyMarket(),
		chains: {chainIds: [137]},
		limits: {requestsPerSecond: 1000, requestBurst: 1000},
	});
	client = createClient({baseUrl: service.url, streamUrl: null, apiKey: service.apiKeys[0]!});
});
afterAll(async () => {
	await client?.close();
	await service?.close();
});

const practice = () => ({baseUrl: service.url, apiKey: service.apiKeys[0]!});
const reader = () =>
	createChainReader({
		urlOf: chainId => practiceRpcUrl(practice(), chainId),
		headers: {authorization: practice().apiKey},
	});

/** A fresh wallet with test money and coins on the chain of the accounts. */
async function wallet() {
	const dir = temporaryDirectory();
	const keystore = openKeystore(dir, 'practice');
	await keystore.create('me');
	const openOwn = () => openJournal(join(dir, 'journal.jsonl'));
	const journal = openOwn();
	const caps = openCaps(join(dir, 'caps.json'), {journal});
	const signer = createSigner({keystore, name: 'me', caps, journal});
	const address = await signer.unlock();
	const place = (await openPracticePrediction(practice(), reader(), address))!;
	const pins = openPins(join(dir, 'pins.json'));
	const flow = (
		more: {call?: Call; chains?: ChainReader; place?: PredictionPlace; requiresSimulation?: boolean} = {},
	): PredictionFlow =>
		createPredictionFlow({
			call: client.call,
			clock: client.clock,
			chains: reader(),
			place,
			...more,
			signer,
			address,
			caps,
			pins,
			// Every run of the program has its own, on the same file.
			journal: openOwn(),
			pollMs: 20,
		});
	return {address, place, flow, journal, caps};
}

/** Accepts the factory by the end of its address, as a person would. */
async function accepted(flow: PredictionFlow): Promise<void> {
	for (const {fingerprint} of flow.view.toAccept) await flow.accept(fingerprint.slice(-6));
}

const failing = (flow: PredictionFlow) => flow.view.checks.filter(check => !check.ok).map(check => check.name);

test('an account is deployed, filled and emptied to the cent, each after its own review', async () => {
	const {flow: open, address, place, journal, caps} = await wallet();
	const flow = open();
	await expect(flow.build('withdraw', '1')).rejects.toThrow('a withdrawal');

	await flow.build('deploy');
	expect(failing(flow)).toEqual(['factory-pin']);
	await expect(flow.execute('deploy')).rejects.toThrow('cannot be done now');
	await accepted(flow);
	expect(flow.view.state.phase).toBe('reviewed');
	await expect(flow.execute('deplo')).rejects.toThrow('not confirmed');
	await flow.execute('deploy');
	expect((await flow.watch()).phase).toBe('done');
	expect(flow.view.facts).toMatchObject({isDeployed: true, accountRaw: 0n});

	await flow.build('deposit', '12.34');
	expect(flow.view.lines).toContainEqual({label: 'you send', text: `12.34 ${place.symbol} on Polygon`});
	await flow.execute('12.34');
	expect((await flow.watch()).phase).toBe('done');
	expect(flow.view.facts!.accountRaw).toBe(12_340_000n);
	expect(caps.spentToday(place.chainId, place.stablecoin, place.decimals)).toBe(12_340_000n);
	const intended = journal.records().filter(({kind}) => kind === 'vault.intended');
	expect(intended.map(({data}) => [data['action'], data['symbol'], data['decimals']])).toEqual([
		['deploy', undefined, undefined],
		['deposit', place.symbol, place.decimals],
	]);

	await flow.build('withdraw', '12.35');
	expect(failing(flow)).toContain('funds');
	await flow.build('withdraw', '0.01');
	await flow.execute('0.01');
	expect((await flow.watch()).phase).toBe('done');
	expect(flow.view.facts!.accountRaw).toBe(12_330_000n);

	const kinds = journal.records().map(({kind}) => kind);
	expect(kinds.filter(kind => kind === 'vault.intended')).toHaveLength(3);
	expect(openPredictions(journal)).toEqual([]);
	expect(journal.records().find(({kind}) => kind === 'vault.intended')!.data['owner']).toBe(address);
});

test('what a lying service proposes is never signed', async () => {
	const {flow: open, journal} = await wallet();
	const thief = '0x00000000000000000000000000000000000bad00';
	const lying =
		(change: (data: Record<string, unknown>) => void): Call =>
		async (id, input, options) => {
			const response = structuredClone(await client.call(id, input, options)) as {data: Record<string, unknown>};
			if (id === 'deployBuild' || id === 'depositBuild' || id === 'deploySubmit') change(response.data);
			return response as never;
		};
	const refused = async (action: 'deploy' | 'deposit', change: (data: Record<string, unknown>) => void) => {
		const flow = open({call: lying(change)});
		await flow.build(action, '5');
		await accepted(flow);
		await flow.execute(action === 'deploy' ? 'deploy' : '5').catch(() => {});
		return failing(flow);
	};
	const swap = (text: unknown, from: string, to: string) => String(text).replace(from, to);
	expect(await refused('deploy', data => Object.assign(data['message'] ?? {}, {payment: '1000000'}))).toContain(
		'deployment',
	);
	expect(await refused('deploy', data => Object.assign(data['domain'] ?? {}, {verifyingContract: thief}))).toContain(
		'deployment',
	);
	expect(await refused('deploy', data => Object.assign(data, {vaultAddress: thief}))).toContain('account');
	const account = open().view;
	expect(account.state.phase).toBe('choosing');
	expect(
		await refused('deposit', data => {
			data['calldata'] = swap(data['calldata'], String(data['vaultAddress']).slice(2).toLowerCase(), thief.slice(2));
		}),
	).toContain('recipient');
	expect(await refused('deposit', data => Object.assign(data, {to: thief}))).toContain('target');
	expect(await refused('deposit', data => Object.assign(data, {chainId: 1}))).toContain('chain-id');
	expect(await refused('deposit', data => Object.assign(data, {calldata: `${data['calldata']}00`}))).toContain('call');
	expect(journal.records().some(({kind}) => kind === 'vault.intended')).toBe(false);
	expect(journal.records().some(({kind, data}) => kind === 'wallet.signed' && data['what'] === 'transaction')).toBe(
		false,
	);
});

test('a deployment whose second answer does not carry the signature is not sent', async () => {
	const {flow: open, journal, caps, place} = await wallet();
	const call: Call = async (id, input, options) => {
		const response = structuredClone(await client.call(id, input, options)) as {data: Record<string, unknown>};
		if (id === 'deploySubmit')
			response.data['calldata'] = String(response.data['calldata']).replace(/.{66}$/, '0'.repeat(66));
		return response as never;
	};
	const flow = open({call});
	await flow.build('deploy');
	await accepted(flow);
	await expect(flow.execute('deploy')).rejects.toThrow('typed data');
	expect(flow.view.state.phase).toBe('built');
	expect(journal.records().some(({kind}) => kind === 'vault.intended')).toBe(false);
	expect(caps.spentToday(place.chainId, 'native', 18)).toBe(0n);
});

test('a broadcast whose answer is lost is not sent again: the chain says that it was mined', {}, async () => {
	const {flow: open, journal} = await wallet();
	const chains = reader();
	let sent = 0;
	const deaf: ChainReader = {
		...chains,
		async request(chainId, method, params) {
			const response = await chains.request(chainId, method, params);
			if (method !== 'eth_sendRawTransaction') return response;
			sent++;
			throw new ChainUnread(chainId, 'its node did not answer');
		},
	};
	const flow = open({chains: deaf});
	await flow.build('deploy');
	await accepted(flow);
	await flow.execute('deploy');
	expect(flow.view.state).toMatchObject({phase: 'sent', said: 'its node did not answer'});
	const [known] = openPredictions(journal);

	// As after a crash: another run resumes it from the journal alone.
	const next = open();
	next.resume(known!.hash);
	expect((await next.watch()).phase).toBe('done');
	expect(sent).toBe(1);
	expect(openPredictions(journal)).toEqual([]);
});

test('a node that refuses a transaction leaves nothing spent', async () => {
	const {flow: open, caps, place, journal} = await wallet();
	const chains = reader();
	const flow = open({
		chains: {
			...chains,
			request: (chainId, method, params) =>
				chains.request(chainId, method, method === 'eth_sendRawTransaction' ? ['0x02' as Hex] : params),
		},
	});
	await flow.build('deposit', '3');
	await accepted(flow);
	await flow.execute('3');
	expect(flow.view.state.phase).toBe('refused');
	expect(journal.records().filter(({kind}) => kind === 'vault.status')).toEqual([
		expect.objectContaining({data: {phase: 'refused', said: expect.any(String)}}),
	]);
	expect(caps.spentToday(place.chainId, 'native', 18)).toBe(0n);
	expect(caps.spentToday(place.chainId, place.stablecoin, place.decimals)).toBe(0n);
});

const FEES = ['eth_getBlockByNumber', 'eth_maxPriorityFeePerGas'];
const GAS = ['eth_estimateGas'];
test.each<[what: string, methods: readonly string[], read: (at: 'review' | 'signing', fee: bigint) => bigint, boolean]>(
	[
		['its fee doubled', FEES, (at, fee) => (at === 'review' ? fee : fee * 2n), true],
		['its fee more than doubled', FEES, (at, fee) => (at === 'review' ? fee : fee * 2n + 1n), false],
		// A quarter of the estimate is added to the gas that is shown.
		['it needs the gas that was shown', GAS, at => (at === 'review' ? 80_000n : 100_000n), true],
		['it needs more gas than was shown', GAS, at => (at === 'review' ? 80_000n : 100_002n), false],
	],
)('a deposit of which %s since its review', async (_, methods, read, isSigned) => {
	const {flow: open, caps, place, journal} = await wallet();
	let at: 'review' | 'signing' = 'review';
	const reviewed = new Map<string, unknown>();
	const chains = changed(async (asked, honest) => {
		const response = await honest();
		if (!methods.includes(asked)) return response;
		if (at === 'review') reviewed.set(asked, response);
		const before = reviewed.get(asked);
		const changed = (hex: unknown) => `0x${read(at, BigInt(hex as string)).toString(16)}`;
		if (typeof before === 'string') return changed(before);
		return {...(response as object), baseFeePerGas: changed((before as {baseFeePerGas: string}).baseFeePerGas)};
	});
	const flow = open({chains});
	await flow.build('deposit', '3');
	await accepted(flow);
	expect(flow.view.state.phase).toBe('reviewed');
	at = 'signing';
	const executed = flow.execute('3');
	if (isSigned) await executed;
	else
		await expect(executed).rejects.toMatchObject({
			code: 'check-failed',
			why: expect.stringContaining('it became more expensive since the review'),
		});
	expect(journal.records().some(({kind}) => kind === 'vault.intended')).toBe(isSigned);
	expect(caps.spentToday(place.chainId, 'native', 18) > 0n).toBe(isSigned);
});

test('a transaction without a receipt is lost only when another one has its number', async () => {
	const {flow: open, address} = await wallet();
	const chains = reader();
	const world = {used: 0, isKnown: false, readings: 0};
	const flow = open({
		chains: {
			...chains,
			async account(chainId, other) {
				const account = await chains.account(chainId, other);
				return other === address ? {...account, nonce: account.nonce + world.used} : account;
			},
			async request(chainId, method, params) {
				if (method === 'eth_sendRawTransaction') throw new ChainUnread(chainId, 'its node did not answer');
				if (method === 'eth_getTransactionReceipt') world.readings++;
				if (method === 'eth_getTransactionByHash' && world.isKnown) return {hash: params[0]};
				return chains.request(chainId, method, params);
			},
		},
	});
	expect(() => flow.resume('0x1')).toThrow(expect.objectContaining({why: expect.stringContaining('its end is known')}));
	await flow.build('deposit', '3');
	await accepted(flow);
	await flow.execute('3');
	const {hash} = flow.view.state;
	/** The state after its chain was read twice. */
	const readTwice = async () => {
		const before = world.readings;
		const stop = new AbortController();
		const watching = flow.watch(stop.signal);
		await expect.poll(() => world.readings).toBeGreaterThan(before + 2);
		stop.abort();
		return watching;
	};
	expect(await readTwice()).toMatchObject({phase: 'sent'});
	const underWay = expect.objectContaining({why: expect.stringContaining('under way')});
	expect(() => flow.dismiss()).toThrow(underWay);
	expect(() => flow.resume(hash!)).toThrow(underWay);
	await expect(flow.build('deposit', '3')).rejects.toEqual(underWay);
	Object.assign(world, {used: 1, isKnown: true});
	expect(await readTwice()).toMatchObject({phase: 'sent'});
	world.isKnown = false;
	expect(await flow.watch()).toMatchObject({phase: 'replaced'});
	flow.dismiss();
	expect(flow.view).toMatchObject({state: {phase: 'choosing'}, facts: {owner: address}});
	expect(flow.view).not.toHaveProperty('plan');
});

test('a deposit beyond the own limit is refused', async () => {
	const {flow: open, caps, place} = await wallet();
	await caps.setLimit(place.chainId, place.stablecoin, {perTransaction: '2', perDay: '2'}, async () => {});
	const flow = open();
	await flow.build('deposit', '2.5');
	await accepted(flow);
	expect(failing(flow)).toEqual(['caps']);
});

test.each([
	['deploy', 'deployBuild', 'payment'],
	['deploy', 'deploySubmit', 'value'],
	['deposit', 'depositBuild', 'delegatecall'],
] as const)(
	'a proposal of %s by %s with a member that is not known is refused, and it is named',
	async (action, endpoint, member) => {
		const {flow: open, journal} = await wallet();
		const flow = open({call: strange(endpoint, member)});
		const trying = async () => {
			await flow.build(action, '5');
			await accepted(flow);
			await flow.execute(action === 'deploy' ? 'deploy' : '5');
		};
		await expect(trying()).rejects.toMatchObject({why: expect.stringContaining(member)});
		expect(journal.records().some(({kind}) => kind === 'vault.intended')).toBe(false);
	},
);

/** The service, with one member more in what it proposes; read by the same schemas as any answer. */
function strange(endpoint: EndpointId, member: string): Call {
	return (async (id, input, options) => {
		const response = await client.call(id, input, options);
		if (id !== endpoint) return response;
		const {data} = response as {data: object};
		const body = {...response, data: {...data, [member]: '1'}};
		return parseResponse(ENDPOINTS[id].response(), body, id);
	}) as Call;
}

/** The chains, with what is sent and what is read changed. */
function changed(change: (method: string, honest: () => Promise<unknown>) => Promise<unknown>): ChainReader {
	const chains = reader();
	return {
		...chains,
		request: (chainId, method, params) => change(method, () => chains.request(chainId, method, params)),
	};
}

describe('a proposal is tried on the node before it is signed', () => {
	const THIEF = '0x00000000000000000000000000000000000bad00';
	const simulationOf = (flow: PredictionFlow) => flow.view.checks.find(({name}) => name === 'simulation');
	const lineOf = (flow: PredictionFlow) => flow.view.lines.find(({label}) => label === 'simulated')?.text;
	/** The node, with another account in the place of the receiver of what moves, or with more that moves. */
	const showing = (change: (log: {topics: string[]}) => object[]) =>
		changed(async (method, honest) => {
			const response = await honest();
			if (method !== 'eth_simulateV1') return response;
			const [{calls}] = response as [{calls: {logs: {topics: string[]}[]}[]}];
			return [{calls: calls.map(call => ({...call, logs: call.logs.flatMap(change)}))}];
		});
	const toThief = (log: {topics: string[]}) =>
		log.topics.length === 3
			? {...log, topics: [...log.topics.slice(0, 2), `0x${'0'.repeat(24)}${THIEF.slice(2)}`]}
			: log;

	test('a deployment when its transaction is there, a deposit and a withdrawal at the review', async () => {
		const {flow: open, journal} = await wallet();
		const honest = open();
		await honest.build('deploy');
		expect(lineOf(honest)).toMatch(/^nothing to simulate yet: typed data; the transaction that carries it is tried/);
		await accepted(honest);
		await honest.execute('deploy');
		expect(lineOf(honest)).toBe('nothing leaves wallet or account');
		expect((await honest.watch()).phase).toBe('done');
		await honest.build('deposit', '5');
		expect(lineOf(honest)).toBe('only 5 USDC leaves');
		await honest.execute('5');
		await honest.watch();
		const before = journal.records().filter(({kind}) => kind === 'vault.intended').length;

		for (const action of ['deposit', 'withdraw'] as const) {
			const elsewhere = open({chains: showing(log => [toThief(log)])});
			await elsewhere.build(action, '2');
			expect(simulationOf(elsewhere)).toMatchObject({ok: false, detail: `2 USDC would go to ${THIEF}`});
			const more = open({chains: showing(log => [log, log])});
			await more.build(action, '2');
			expect(simulationOf(more)).toMatchObject({ok: false, detail: '4 USDC would leave, not 2 USDC'});
			for (const flow of [elsewhere, more]) await expect(flow.execute('2')).rejects.toThrow('cannot be done now');
		}
		const blind = changed(async (method, real) => {
			if (method === 'eth_simulateV1') throw new NodeRefused('evm:137', 'the method does not exist');
			return real();
		});
		const unsure = open({chains: blind});
		await unsure.build('withdraw', '2');
		expect(lineOf(unsure)).toBe('would not revert now; what would move is not shown by this node');
		expect(unsure.view.state.phase).toBe('reviewed');
		const strict = open({chains: blind, requiresSimulation: true});
		await strict.build('withdraw', '2');
		expect(simulationOf(strict)).toMatchObject({ok: false});
		expect(journal.records().filter(({kind}) => kind === 'vault.intended')).toHaveLength(before);
	});

	test('a deployment by which something would leave is not sent, though its typed data was signed', async () => {
		const {flow: open, journal, address, place} = await wallet();
		const log = {
			address: place.stablecoin,
			topics: [
				'0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
				...[address, THIEF].map(who => `0x${'0'.repeat(24)}${who.slice(2).toLowerCase()}`),
			],
			data: `0x${'1'.padStart(64, '0')}`,
		};
		const flow = open({
			chains: changed(async (method, real) => {
				const response = await real();
				return method === 'eth_simulateV1' ? [{calls: [{status: '0x1', returnData: '0x', logs: [log]}]}] : response;
			}),
		});
		await flow.build('deploy');
		await accepted(flow);
		await expect(flow.execute('deploy')).rejects.toMatchObject({code: 'check-failed', check: 'simulation'});
		expect(journal.records().some(({kind}) => kind === 'vault.intended')).toBe(false);
	});
});

test.each(['deploy', 'deposit'] as const)(
	'a %s that two runs begin at once is signed once and sent once',
	async action => {
		const {flow: open, journal, caps, place} = await wallet();
		let submitted = 0;
		const call: Call = (id, input, options) => {
			if (id === 'deploySubmit') submitted++;
			return client.call(id, input, options);
		};
		let sent = 0;
		let goOn = () => {};
		const isOver = new Promise<void>(resolve => {
			goOn = resolve;
		});
		const slow = changed(async (method, honest) => {
			if (method === 'eth_sendRawTransaction') {
				sent++;
				await isOver;
			}
			return honest();
		});
		const flows = [open({call, chains: slow}), open({call, chains: slow})];
		for (const flow of flows) {
			await flow.build(action, '5');
			await accepted(flow);
		}
		const typed = action === 'deploy' ? 'deploy' : '5';
		const losers: unknown[] = [];
		const runs = flows.map(flow =>
			flow.execute(typed).catch((error: unknown) => {
				losers.push(error);
				goOn();
			}),
		);
		await Promise.all(runs);
		expect(losers).toMatchObject([{code: 'vault-claimed'}]);
		expect([sent, submitted]).toEqual([1, action === 'deploy' ? 1 : 0]);
		const signed = journal
			.records()
			.filter(({kind, data}) => kind === 'wallet.signed' && data['what'] === 'transaction');
		expect(signed).toHaveLength(1);
		const [winner, loser] = flows[0]!.view.state.phase === 'sent' ? flows : flows.toReversed();
		expect((await winner!.watch()).phase).toBe('done');
		expect(loser!.view.state.phase).toBe('built');
		// The one that was not sent gave back nothing of the other's claim.
		expect(caps.spentToday(place.chainId, 'native', 18)).toBeGreaterThan(0n);
	},
);

test('a nonce is claimed by one run, given back when nothing was sent, and not lost with a run that died', async () => {
	let nowMs = 1000;
	const journal = openJournal(join(temporaryDirectory(), 'journal.jsonl'), {nowMs: () => nowMs});
	const lane = {chainId: 'evm:137', owner: `0x${'ab'.repeat(20)}`, nonce: 4};
	const first = claimLane(journal, lane)!;
	nowMs = 2000;
	expect(claimLane(journal, {...lane, owner: lane.owner.toUpperCase().replace('X', 'x')})).toBeUndefined();
	expect(claimLane(journal, {...lane, nonce: 5})).toBeDefined();
	unclaimLane(journal, lane, first);
	const second = claimLane(journal, lane)!;
	nowMs = 2000 + 119_999;
	expect(claimLane(journal, lane)).toBeUndefined();
	nowMs = 2000 + 120_000;
	const third = claimLane(journal, lane)!;
	// The one that was only slow sends nothing any more, and takes nothing from its successor.
	expect(intendAction(journal, lane, second, '0x2', {})).toBe(false);
	unclaimLane(journal, lane, second);
	const data = {...lane, action: 'deploy', account: `0x${'cd'.repeat(20)}`};
	expect(intendAction(journal, lane, third, '0x3', data)).toBe(true);
	nowMs = 10 ** 9;
	expect(claimLane(journal, lane)).toBeUndefined();
	journal.append('vault.status', '0x3', {phase: 'refused'});
	expect(claimLane(journal, lane)).toBeDefined();
});

test('a transaction that was mined without what it was signed for is not done', async () => {
	const {flow: open, address, place} = await wallet();
	const empty = changed(async (method, honest) => {
		const response = await honest();
		return method === 'eth_getTransactionReceipt' && response ? {...response, logs: []} : response;
	});
	const deposit = open({chains: empty});
	await deposit.build('deposit', '3');
	await accepted(deposit);
	await deposit.execute('3');
	expect((await deposit.watch()).phase).toBe('unseen');

	const chains = reader();
	const bare = open({
		chains: {
			...chains,
			account: async (chainId, other) =>
				other.toLowerCase() === address.toLowerCase() ? chains.account(chainId, other) : {kind: 'plain', nonce: 0},
		},
	});
	await bare.build('deploy');
	await bare.execute('deploy');
	expect((await bare.watch()).phase).toBe('unseen');
	expect(await chains.account(place.chainId, bare.view.facts!.account)).toMatchObject({kind: 'contract'});
});

test.each([
	['another token', {token: `0x${'9'.repeat(40)}`}],
	['another amount', {amountRaw: 4n}],
	['another receiver', {to: `0x${'9'.repeat(40)}`}],
	['another sender', {from: `0x${'9'.repeat(40)}`}],
])('a transfer of %s is not what was signed for', async (_, wrong) => {
	const [stablecoin, owner, account] = ['1', '2', '3'].map(digit => `0x${digit.repeat(40)}`) as [
		string,
		string,
		string,
	];
	const right = {token: stablecoin, from: owner, to: account, amountRaw: 5n, txHash: '0x1', block: 1n, logIndex: 0};
	const kept = (transfer: typeof right) =>
		isKept(
			reader(),
			{chainId: 'evm:137', stablecoin},
			{action: 'deposit', owner, account, amountRaw: '5'},
			{transfers: [transfer]},
		);
	expect(await kept(right)).toBe(true);
	expect(await kept({...right, ...wrong})).toBe(false);
	expect(await kept({...right, from: account, to: owner})).toBe(false);
});
