import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import {batchNonce} from '../../../source/contract/typed-data.ts';
import {editOf, textInserted} from '../../../source/monitor/transitions/text-edit.ts';
import {createStore, type Store} from '../../../source/store.ts';
import type {BridgeFlow, BridgeInput, BridgeView} from '../../../source/trading/bridge/flow.ts';
import {unsignedPlanOf} from '../../../source/trading/bridge/plan.ts';
import {bridgePart} from '../../../source/ui/money/bridge.ts';
import {createController, type MoneyWindow} from '../../../source/ui/money/controller.ts';
import {drawnName, type MoneyState, SIGHT_MS, type TokenChoice} from '../../../source/ui/money/money-state.ts';
import type {MoneyWallet} from '../../../source/ui/money/money-wallet.ts';
import {drawnTexts} from '../../helpers/drawn-rows.tsx';

const START_MS = 1_800_000_000_000;
const ME = `0x${'1'.repeat(40)}`;
const at = (chainId: string, balanceRaw?: bigint): TokenChoice => ({
	chainId,
	address: `0x${chainId.length.toString(16).repeat(40).slice(0, 40)}`,
	symbol: 'USDC',
	decimals: 6,
	...(balanceRaw !== undefined && {balanceRaw}),
});
const BASE = at('evm:8453', 1_000_000_000n);
const ARBITRUM = at('evm:42161', 250_500_000n);
const POLYGON = at('evm:137', 0n);

/** A flow whose quotes come at once and pass every check. */
function fakeFlow(nowMs: () => number) {
	const asked: BridgeInput[] = [];
	const sent: string[] = [];
	let view: BridgeView = {state: {phase: 'draft', attempts: 0}, checks: [], lines: [], toAccept: [], acknowledge: []};
	let quotes = 0;
	let problem: Error | undefined;
	const listeners = new Set<() => void>();
	const become = (next: Partial<BridgeView>) => {
		view = {...view, ...next};
		for (const listener of listeners) listener();
	};
	const flow = {
		get view() {
			return view;
		},
		subscribe(listener: () => void) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async quote(input: BridgeInput) {
			asked.push(input);
			if (problem) throw problem;
			const intentId = `intent-${++quotes}`;
			become({state: {phase: 'quoted', attempts: 0, intentId}, checks: [], lines: []});
			await Promise.resolve();
			const plan = {
				request: {originChainId: 'evm:8453', amountRaw: 25_000_000n, decimals: 6, symbol: 'USDC'},
				quote: {intentId, sponsorGate: {}},
				quotedAtMs: nowMs(),
				maxQuoteAgeMs: 60_000,
				clock: {nowMs: nowMs(), skewMs: 0, uncertaintyMs: 0},
				provider: NEUTRAL_PROVIDER,
				batch: {
					originChainId: 'evm:8453',
					authority: ME,
					calls: [{to: ME, value: '0', data: '0x'}],
					batchNonce: String(batchNonce(intentId)),
					deadline: String(Math.floor(nowMs() / 1000) + 300),
					gasToken: ME,
					minBalance: '1',
				},
			};
			become({
				state: {phase: 'reviewed', attempts: 0, intentId},
				plan,
				quoted: {request: plan.request, quote: {intentId, estimatedAmountOut: '24.9'}},
				checks: [{name: 'x', title: 'x', ok: true, detail: ''}],
				lines: [
					{label: 'you send', text: '25 USDC on Base'},
					{label: 'deadline', text: 'old'},
				],
			} as unknown as Partial<BridgeView>);
		},
		confirm: (typed: string) => void sent.push(typed),
		execute: async () => void sent.push('executed'),
		watch: async () => view.state,
	};
	return {flow: flow as unknown as BridgeFlow, asked, sent, become, fail: (error?: Error) => (problem = error)};
}

let nowMs: number;
let store: Store<MoneyState>;
let keys: MoneyWindow;
let documentsDir: string;
let fake: ReturnType<typeof fakeFlow>;
let preferred: string | undefined;

beforeEach(() => {
	nowMs = START_MS;
	preferred = undefined;
	store = createStore<MoneyState>({wallet: {mode: 'practice', status: 'unlocked', address: ME}});
	fake = fakeFlow(() => nowMs);
	const wallet = {
		openingText: () => 'Opening',
		open: async () => 'unlocked',
		tokens: async () => ({origins: [BASE, ARBITRUM, POLYGON], destinations: [BASE, ARBITRUM, POLYGON]}),
		bridgeFlow: async () => fake.flow,
	} as unknown as MoneyWallet;
	const part = bridgePart({wallet, onTransfer() {}, preferredChain: () => preferred});
	documentsDir = join(mkdtempSync(join(tmpdir(), 'pulsetop-documents-')), 'documents');
	keys = createController(part, {store, wallet, nowMs: () => nowMs, documentsDir});
});

afterEach(() => rmSync(dirname(documentsDir), {recursive: true, force: true}));

const shown = () => store.get().bridge!;
const text = () => drawnTexts(keys.content(nowMs), 90).join('\n');
/** The window is drawn, and time passes until keys count. */
function see(): void {
	store.apply(state => ({...state, drawn: {what: drawnName('bridge', state.bridge), atMs: nowMs}}));
	nowMs += SIGHT_MS;
}
const type = (typed: string) => {
	for (const key of typed) keys.edit(edit => textInserted(edit, key));
};
async function toReview(amount = '25'): Promise<void> {
	await keys.open();
	type(amount);
	await keys.accept();
	expect(shown().step).toBe('review');
}

test('balances stand in the form with every digit', async () => {
	await keys.open();
	expect(text()).toContain('USDC on Base, balance 1,000 USDC');
	keys.turn(1);
	expect(text()).toContain('USDC on Arbitrum, balance 250.5 USDC');
});

test('an amount over the balance is refused here with a text, without a request', async () => {
	await keys.open();
	type('99999');
	await keys.accept();
	expect(shown()).toMatchObject({
		step: 'form',
		problem: {what: 'You have 1,000 USDC', why: '99,999 USDC is more than your balance on Base'},
	});
	expect(fake.asked).toEqual([]);
	// Esc goes back to the form as it was typed, and only the next one closes it.
	expect(keys.back()).toBe(true);
	expect(shown().problem).toBeUndefined();
	expect(shown().form.amount.text).toBe('99999');
	expect(keys.back()).toBe(false);
});

test.each([
	['0', /more than 0/],
	['1.0000001', /6 decimal places/],
	['12.5.5', /digits with at most one dot/],
])('the amount %s is refused without a request', async (typed, why) => {
	await keys.open();
	type(typed);
	await keys.accept();
	expect(shown().problem?.why).toMatch(why);
	expect(fake.asked).toEqual([]);
});

test('a recipient that is no address is refused here, and the same chain twice', async () => {
	await keys.open();
	type('5');
	store.apply(state => ({...state, bridge: {...shown(), form: {...shown().form, recipient: editOf('0x12')}}}));
	await keys.accept();
	expect(shown().problem?.what).toBe('This recipient cannot be used');
	store.apply(state => ({
		...state,
		bridge: {...shown(), form: {...shown().form, recipient: editOf(''), destination: 0}},
	}));
	await keys.accept();
	expect(shown().problem?.what).toBe('Choose another chain to receive on');
	expect(fake.asked).toEqual([]);
});

test('the word max is the whole balance of what is sent, to the last digit', async () => {
	await keys.open();
	keys.turn(1);
	type('max');
	expect(shown().form.amount.text).toBe('250.5');
	// Other letters are no amount, and junk does nothing on the lines that are chosen.
	await keys.open();
	type('Zq');
	expect(shown().form).toMatchObject({field: 'from', amount: {text: ''}});
});

test('the transfer begins on the chain of the token that is looked at, where that can be sent', async () => {
	preferred = 'evm:42161';
	await keys.open();
	expect(shown().form.origins[shown().form.origin]).toBe(ARBITRUM);
	expect(shown().form.destinations[shown().form.destination]?.chainId).not.toBe('evm:42161');
	// Nothing of it there: it is what is wanted, then.
	preferred = 'evm:137';
	await keys.open();
	expect(shown().form.origins[shown().form.origin]).toBe(BASE);
	expect(shown().form.destinations[shown().form.destination]).toBe(POLYGON);
});

test('in the review the deadline counts down, and the title has the age of the quote', async () => {
	await toReview();
	nowMs = START_MS + 12_900;
	expect(text()).toMatch(/deadline +the batch is void in 288 s/);
	expect(keys.age()).toEqual({text: 'quote 12 s of 60', isStale: false});
	nowMs = START_MS + 13_000;
	expect(text()).toMatch(/deadline +the batch is void in 287 s/);
});

test('a quote that gets too old is replaced once a minute, not for ever, and a key typed for the old one does not count', async () => {
	await toReview();
	see();
	nowMs = START_MS + 60_000;
	keys.tick!();
	// The old review stays in sight until the next is complete.
	expect(shown().view?.state.intentId).toBe('intent-1');
	await expect.poll(() => shown().view?.state.intentId).toBe('intent-2');
	expect(shown()).toMatchObject({step: 'review'});
	expect(fake.asked).toHaveLength(2);
	await keys.accept();
	expect(shown().step).toBe('review');
	see();
	await keys.accept();
	expect(shown().step).toBe('confirm');
	keys.back();
	for (let minutes = 0; minutes < 20; minutes++) {
		nowMs += 61_000;
		keys.tick!();
		await expect.poll(() => shown().busy).toBeUndefined();
	}
	expect(fake.asked.length).toBeLessThanOrEqual(8);
	expect(text()).toContain('The quote is too old to sign. Enter gets a fresh one.');
	expect(keys.age()).toEqual({text: 'quote too old', isStale: true});
	const before = fake.asked.length;
	see();
	await keys.accept();
	expect(fake.asked.length).toBe(before + 1);
});

test('nothing is signed over a quote that got too old while the amount was typed: a fresh one is reviewed first', async () => {
	await toReview();
	see();
	await keys.accept();
	see();
	type('25');
	keys.move(1);
	expect(shown()).toMatchObject({step: 'confirm', answer: 'sign'});
	nowMs = START_MS + 61_000;
	await keys.accept();
	expect(fake.sent).toEqual([]);
	expect(shown()).toMatchObject({step: 'review', answer: 'cancel', typed: {text: ''}});
});

test('what is typed after the answer was chosen takes the answer back', async () => {
	await toReview();
	see();
	await keys.accept();
	see();
	type('25');
	keys.move(1);
	expect(shown().answer).toBe('sign');
	type('0');
	expect(shown().answer).toBe('cancel');
});

test('a transfer that could not be sent leads back to the form as it was typed; one that arrived says how much, and where', async () => {
	await toReview();
	fake.become({state: {phase: 'refused', attempts: 1}});
	store.apply(state => ({...state, bridge: {...shown(), step: 'status'}}));
	expect(keys.back()).toBe(true);
	await expect.poll(() => shown().step).toBe('form');
	expect(shown().form.amount.text).toBe('25');
	await keys.accept();
	const quoted = shown().view!.quoted!;
	const request = {...quoted.request, destinationChainId: 'evm:42161', destinationToken: ARBITRUM.address};
	fake.become({state: {phase: 'filled', attempts: 1}, quoted: {...quoted, request}});
	store.apply(state => ({...state, bridge: {...shown(), step: 'status'}}));
	expect(text()).toMatch(/you received +about 24\.9 USDC on Arbitrum, says the service/);
	// What the destination chain shows is exact.
	fake.become({state: {phase: 'filled', attempts: 1, arrivedRaw: '24912345'}});
	expect(text()).toMatch(/you received +24\.912345 USDC on Arbitrum$/m);
	expect(keys.back()).toBe(false);
	await keys.accept();
	expect(shown()).toMatchObject({step: 'form', form: {amount: {text: ''}}});
});

test('what is about to be signed is written to a private file, exactly as the raw view has it, and only from a review', async () => {
	await toReview();
	see();
	keys.exportDocument();
	const path = shown().writtenTo!;
	expect(statSync(path).mode & 0o777).toBe(0o600);
	const written = readFileSync(path, 'utf8');
	expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(unsignedPlanOf(shown().view!.plan!))));
	expect(written).not.toMatch(/signature/i);
	await keys.accept();
	expect(shown().step).toBe('confirm');
	see();
	keys.exportDocument();
	expect(shown().writtenTo).toBeUndefined();
	expect(readdirSync(documentsDir)).toHaveLength(1);
});

test('the key that writes the document does nothing before the review was in sight, nor in another step', async () => {
	await keys.open();
	see();
	keys.exportDocument();
	type('25');
	await keys.accept();
	expect(shown().step).toBe('review');
	keys.exportDocument();
	expect(shown().writtenTo).toBeUndefined();
	expect(existsSync(documentsDir)).toBe(false);
	see();
	keys.exportDocument();
	expect(readFileSync(shown().writtenTo!, 'utf8')).toContain('"batchNonce"');
});
