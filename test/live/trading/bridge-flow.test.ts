import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {ServiceRefused, ServiceTimeout} from '../../../source/client/http/service-errors.ts';
import type {Quote} from '../../../source/contract/bridge.ts';
import {openIntents} from '../../../source/trading/bridge/journal-fold.ts';
import {type ChainReader, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {filesUnder} from '../../helpers/files-under.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {acceptAll, type BridgeWorld, openBridgeWorld} from './bridge-world.ts';

let world: BridgeWorld;
let client: Client;
let chains: ChainReader;
let person: BridgeWorld['person'];
let input: BridgeWorld['input'];
let ready: BridgeWorld['ready'];
const usdc = (chainId: string) => world.contracts(chainId)['usdc']!;

beforeAll(async () => {
	world = await openBridgeWorld();
	({client, chains, person, input, ready} = world);
});
afterAll(() => world?.close());

/** The chains, on nodes that can try nothing. */
const withoutTry = (): ChainReader => ({
	...chains,
	async request(chainId, method, params) {
		const isTry = method === 'eth_simulateV1' || (method === 'eth_call' && params.length > 2);
		if (isTry) throw new NodeRefused(chainId, 'the method does not exist');
		return chains.request(chainId, method, params);
	},
});

describe('a bridge transfer against the service and its chains', () => {
	test('goes from a wallet without any native coin to filled, twice: with an authorization, then without', async () => {
		const me = await person();
		const flow = me.flow();
		await flow.quote(input());
		expect(flow.view.state.phase).toBe('quoted');
		expect(flow.view.checks.filter(check => !check.ok).map(check => check.name)).toEqual([
			'executor-pin',
			'target-pin',
		]);
		await expect(flow.accept('batch executor', '000000')).rejects.toMatchObject({code: 'pin-not-confirmed'});
		await acceptAll(flow);
		expect(flow.view.state.phase).toBe('reviewed');
		expect(flow.view.checks.find(({name}) => name === 'simulation')).toMatchObject({
			ok: true,
			detail: 'only 50 USDC leaves, no allowance remains',
		});
		expect(() => flow.confirm('5')).toThrow(/not confirmed/);
		flow.confirm('50');
		await flow.execute();
		expect(flow.view.state).toMatchObject({phase: 'pending', attempts: 1});
		expect(await flow.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
		expect(await chains.balance('evm:42161', usdc('evm:42161'), me.address)).toBeGreaterThan(49_000_000n);
		expect(await chains.account('evm:8453', me.address)).toMatchObject({kind: 'delegated', nonce: 1});

		const again = me.flow();
		await again.quote(input({amount: '20.5'}));
		expect(again.view.state.phase).toBe('reviewed');
		expect(again.view.plan?.authorization).toBeUndefined();
		again.confirm('20.5');
		await again.execute();
		expect(await again.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
		expect(me.caps.spentToday('evm:8453', usdc('evm:8453'), 6)).toBe(70_500_000n);
		expect(openIntents(me.journal)).toEqual([]);
	});

	test('lives until its deadline when its batch reverts on the chain: the reason is shown; then only a new quote helps', async () => {
		const me = await person();
		const first = me.flow();
		await ready(first);
		await first.execute();
		await first.watch();
		// A node that can't try the calls beforehand, and says too much of the balance.
		const richer = {...withoutTry(), balance: async () => 2_000_000_000n};
		const {clock} = client;
		let laterMs = 0;
		const later = {
			nowMs: () => clock.nowMs() + laterMs,
			get skewMs() {
				return clock.skewMs;
			},
			get uncertaintyMs() {
				return clock.uncertaintyMs;
			},
		};
		const flow = me.flow({chains: richer, clock: later});
		await flow.quote(input({amount: '999'}));
		expect(flow.view.checks.find(({name}) => name === 'simulation')).toMatchObject({ok: true, isUnavailable: true});
		flow.confirm('999');
		await flow.execute();
		const spent = () => me.caps.spentToday('evm:8453', usdc('evm:8453'), 6);
		const before = spent();
		const reverted = {said: expect.stringMatching(/balance/i), revertedTxHash: expect.any(String)};
		expect(await flow.watch(undefined, 200)).toMatchObject({phase: 'claimed', claim: 'failed', ...reverted});
		await expect(flow.quote(input())).rejects.toMatchObject({code: 'not-now', next: 'poll-status'});
		expect(spent()).toBe(before);
		laterMs = 430_000;
		expect(await flow.watch()).toMatchObject({phase: 'failed', ...reverted});
		expect(spent()).toBe(before - 999_000_000n);
		laterMs = 0;
		await expect(flow.execute()).rejects.toMatchObject({code: 'not-now', next: 'requote'});
		await flow.quote(input());
		expect(flow.view.state).toMatchObject({phase: 'reviewed', attempts: 0});
	});

	test('is tried again with the same intent, in the same lane, when the service says that it sent nothing', async () => {
		const me = await person();
		let isWrong = false;
		const flow = me.flow({
			chains: {
				...chains,
				async account(chainId, address) {
					const state = await chains.account(chainId, address);
					return isWrong ? {...state, nonce: state.nonce + 1} : state;
				},
			},
		});
		await ready(flow);
		const {intentId} = flow.view.quoted!.quote;
		isWrong = true;
		await flow.execute();
		expect(flow.view.state).toMatchObject({phase: 'retryable', status: 502, attempts: 1});
		isWrong = false;
		await flow.execute();
		expect(flow.view.state).toMatchObject({phase: 'pending', attempts: 2, intentId});
		expect(await flow.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
		expect(me.caps.spentToday('evm:8453', usdc('evm:8453'), 6)).toBe(50_000_000n);
	});

	test('is only read when another program has sent the same intent already', async () => {
		const me = await person();
		const flow = me.flow();
		await flow.quote(input());
		await acceptAll(flow);
		const {planHash} = flow.dryRun();
		const record = me.journal.records().find(({id}) => id === planHash)!;
		const elsewhere = openJournal(join(temporaryDirectory(), 'journal.jsonl'));
		elsewhere.append('bridge.planned', record.id, record.data);
		flow.confirm('50');
		await flow.execute();
		// Its node can't try the calls: else it would see that the deposit was made.
		const plain: ChainReader = {...withoutTry(), account: async () => ({nonce: 0, kind: 'plain'})};
		const other = me.flow({journal: elsewhere, chains: plain});
		await other.adopt(planHash);
		other.confirm('50');
		await other.execute();
		expect(other.view.state).toMatchObject({phase: 'unclear', status: 409});
		expect(await other.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
	});

	test('is only read after an answer that was lost, and still ends', async () => {
		const me = await person();
		let posts = 0;
		const flow = me.flow({
			call: (async (id, given, options) => {
				const response = await client.call(id, given, options);
				if (id !== 'bridgeExecute') return response;
				posts++;
				throw new ServiceTimeout('no complete answer within 45 s');
			}) as Client['call'],
		});
		await ready(flow);
		await flow.execute();
		expect(flow.view.state.phase).toBe('unclear');
		await expect(flow.execute()).rejects.toMatchObject({code: 'not-now', next: 'poll-status'});
		await expect(flow.quote(input())).rejects.toMatchObject({code: 'not-now'});
		expect(() => flow.cancel()).toThrow(/cannot be done now/);
		expect(await flow.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
		expect(posts).toBe(1);
	});

	test('is resumed by the next start from the journal, by reading only, when the program died during the POST', async () => {
		const me = await person();
		const dying = me.flow({
			call: (async (id, given, options) => {
				const response = await client.call(id, given, options);
				// Killed: the answer is never seen, and nothing after it happens.
				return id === 'bridgeExecute' ? new Promise(() => {}) : response;
			}) as Client['call'],
		});
		await ready(dying);
		void dying.execute();
		await expect.poll(() => dying.view.state.phase).toBe('sending');
		const asked: string[] = [];
		const journal = openJournal(join(me.dir, 'journal.jsonl'));
		const [open] = openIntents(journal);
		expect(open).toMatchObject({
			state: {phase: 'unclear', attempts: 1},
			intended: {amountRaw: '50000000', authority: me.address},
		});
		const flow = me.flow({
			journal,
			call: ((id, given, options) => {
				asked.push(id);
				return client.call(id, given, options);
			}) as Client['call'],
		});
		flow.resume(open!.intentId);
		expect(await flow.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
		expect(new Set(asked)).toEqual(new Set(['bridgeStatusWait']));
		expect(openIntents(journal)).toEqual([]);
	});

	test('is refused by a check, and nothing is signed, when the account changed since the review', async () => {
		const me = await person();
		const flow = me.flow({
			chains: {
				...chains,
				account: async (chainId, address) => ({...(await chains.account(chainId, address)), ...changed}),
			},
		});
		const changed: {kind?: 'delegated'; delegate?: string} = {};
		await ready(flow);
		Object.assign(changed, {kind: 'delegated', delegate: `0x${'66'.repeat(20)}`});
		await expect(flow.execute()).rejects.toMatchObject({code: 'check-failed', check: 'delegation'});
		expect(flow.view.state).toMatchObject({phase: 'quoted', attempts: 0});
		expect(me.journal.records().some(record => record.kind === 'bridge.intended')).toBe(false);
	});

	test('does not send what the person cancelled while the wallet was signing', async () => {
		const me = await person();
		const flow = me.flow({
			chains: {
				...chains,
				async account(chainId, address) {
					if (flow.view.state.phase === 'signing') flow.cancel();
					return chains.account(chainId, address);
				},
			},
		});
		await ready(flow);
		await expect(flow.execute()).rejects.toMatchObject({code: 'not-now'});
		expect(flow.view.state.phase).toBe('cancelled');
		expect(me.journal.records().some(record => record.kind === 'bridge.intended')).toBe(false);
		expect(me.caps.spentToday('evm:8453', usdc('evm:8453'), 6)).toBe(0n);
	});

	test('says that the balance is too small, and that the wallet is locked, before anything is sent', async () => {
		const poor = await person({funds: false});
		const flow = poor.flow();
		await flow.quote(input());
		await acceptAll(flow);
		expect(flow.view.checks.find(check => check.name === 'balance')).toMatchObject({
			ok: false,
			detail: 'the account has 0 USDC, 50 USDC are needed',
		});
		const me = await person();
		const locked = me.flow();
		await ready(locked);
		me.signer.lock();
		await expect(locked.execute()).rejects.toMatchObject({code: 'wallet-locked', next: 'unlock'});
		expect(locked.view.state.phase).toBe('quoted');
	});

	test('shows in a dry run exactly what is signed later, and executes that plan and no other', async () => {
		const me = await person();
		const flow = me.flow();
		await flow.quote(input());
		await acceptAll(flow);
		const dry = flow.dryRun();
		expect(dry.body.calls).toHaveLength(2);
		expect(dry.authorization).toMatchObject({chainId: 8453, nonce: 0});
		const later = me.flow({journal: openJournal(join(me.dir, 'journal.jsonl'))});
		await expect(later.adopt('0'.repeat(64))).rejects.toMatchObject({code: 'unknown-plan'});
		await later.adopt(dry.planHash);
		later.confirm('50');
		await later.execute();
		expect(later.view.plan?.batch.calls).toEqual(dry.body.calls);
		expect(await later.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
		await expect(me.flow().adopt(dry.planHash)).rejects.toMatchObject({
			code: 'unknown-plan',
			why: 'its intent was sent already',
		});
	});

	/** The service, with its responses to one request changed. */
	const withAnswers = (asked: string, change: (response: {data: Quote}) => object) =>
		(async (id, given, options) => {
			const response = await client.call(id, given, options);
			return id === asked ? change(response as {data: Quote}) : response;
		}) as Client['call'];

	test('executes a plan at a service that says 404 for an intent which was not sent yet', async () => {
		const me = await person();
		const flow = me.flow();
		await flow.quote(input());
		await acceptAll(flow);
		const {planHash} = flow.dryRun();
		let posts = 0;
		const later = me.flow({
			call: (async (id, given, options) => {
				if (id === 'bridgeStatusWait') throw new ServiceRefused(404, 'Cannot GET it');
				if (id === 'bridgeStatus' && posts === 0) throw new ServiceRefused(404, 'no such intent');
				if (id === 'bridgeExecute') posts++;
				return client.call(id, given, options);
			}) as Client['call'],
		});
		await later.adopt(planHash);
		later.confirm('50');
		await later.execute();
		expect(await later.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
	});

	test('writes a value of zero as execute expects it, however the quote wrote it', async () => {
		const me = await person();
		const withHex = ({data}: {data: Quote}) => ({
			data: {...data, steps: data.steps!.map(step => ({...step, tx: {...step.tx, value: '0x0'}}))},
		});
		const flow = me.flow({call: withAnswers('bridgeQuote', withHex)});
		await flow.quote(input());
		expect(flow.dryRun().body.calls.map(({value}) => value)).toEqual(['0', '0']);
	});

	test.each<[string, string, (quote: Quote) => Quote]>([
		['has no sponsor', 'sponsored', ({sponsorGate: _, ...quote}) => quote],
		[
			'has a value that is no number',
			'verifying-contract',
			quote => ({...quote, steps: quote.steps!.map(step => ({...step, tx: {...step.tx, value: 'abc'}}))}),
		],
		[
			'calls what is no address',
			'targets',
			quote => ({...quote, steps: quote.steps!.map(step => ({...step, tx: {...step.tx, to: '0x12', data: '0x'}}))}),
		],
	])('names the failed check in the dry run of a quote that %s', async (_, check, change) => {
		const me = await person();
		const flow = me.flow({call: withAnswers('bridgeQuote', ({data}) => ({data: change(data)}))});
		await flow.quote(input());
		expect(() => flow.dryRun()).toThrow(expect.objectContaining({code: 'check-failed', check}));
	});

	test('leaves no key in any file', async () => {
		const me = await person();
		const flow = me.flow();
		await ready(flow);
		await flow.execute();
		await flow.watch();
		const key = await openKeystore(me.dir, 'practice').open('me');
		const hex = key.withSecret(secret => secret.toString('hex'));
		for (const [name, bytes] of filesUnder(me.dir)) {
			expect(bytes.toString().toLowerCase().includes(hex), name).toBe(false);
		}
	});
});
