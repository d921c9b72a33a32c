import {entryKey} from '../../source/contract/entry.ts';
import {NEUTRAL_PROVIDER} from '../../source/contract/provider.ts';
import type {TradeTarget} from '../../source/contract/trade-target.ts';
import {batchNonce} from '../../source/contract/typed-data.ts';
import type {KeyHints} from '../../source/monitor/state.ts';
import {editOf} from '../../source/monitor/transitions/text-edit.ts';
import {createStore, type Store} from '../../source/store.ts';
import type {BridgeFlow} from '../../source/trading/bridge/flow.ts';
import type {CancelFlow} from '../../source/trading/perp/flow.ts';
import type {PredictionPlace} from '../../source/trading/prediction/checks.ts';
import type {PredictionFlow} from '../../source/trading/prediction/flow.ts';
import {targetOf} from '../../source/trading/trade/target.ts';
import {bridgePart} from '../../source/ui/money/bridge.ts';
import {createController, type MoneyWindow} from '../../source/ui/money/controller.ts';
import {
	drawnName,
	type MoneyKind,
	type MoneyState,
	NO_TRANSFER,
	SIGHT_MS,
	windowOpened,
} from '../../source/ui/money/money-state.ts';
import type {MoneyWallet} from '../../source/ui/money/money-wallet.ts';
import {perpPart} from '../../source/ui/money/perp.ts';
import {predictionPart} from '../../source/ui/money/prediction.ts';
import {type TradeSettings, tradeFormOf} from '../../source/ui/money/trade-form.ts';
import {createTradeWindows} from '../../source/ui/money/trade-windows.ts';
import {drawnTexts} from './drawn-rows.tsx';

const START_MS = 1_800_000_000_000;
/** What has to be typed to accept the contract of the fakes. */
export const FINGERPRINT_END = 'abcdef';

const ME = `0x${'1'.repeat(40)}`;
const CONTRACT = {
	role: 'batch executor',
	chainId: 'evm:137',
	address: `0x${'5'.repeat(40)}`,
	code: '120 bytes',
	fingerprint: `0x${'0'.repeat(58)}${FINGERPRINT_END}`,
};
const token = (chainId: string, digit: string) => ({
	chainId,
	address: `0x${digit.repeat(40)}`,
	symbol: 'USDC',
	decimals: 6,
	balanceRaw: 1_000_000_000n,
});
const TOKENS = [token('evm:8453', '2'), token('evm:137', '3')];
/** 1,234.5 tokens of the trade window and one unit: what the wallet holds of its token. */
export const HELD_RAW = 1_234_500_000_000_000_000_001n;
const PLACE = {chainId: 'evm:137', factory: CONTRACT.address, symbol: 'USDC', decimals: 6} as PredictionPlace;
const FACTS = {
	owner: ME,
	account: `0x${'4'.repeat(40)}`,
	isDeployed: true,
	walletRaw: 1_000_000_000n,
	accountRaw: 112_500_000n,
	coinsRaw: 10n ** 18n,
	nonce: 4,
};
/** What the trade window of the tests is about. */
export const TARGET: TradeTarget = targetOf(
	{
		key: entryKey('evm:42161', `0x${'Ab'.repeat(20)}`),
		chain_id: 'evm:42161',
		address: `0x${'Ab'.repeat(20)}`,
		symbol: 'WIF',
		name: 'Dog wif hat',
		decimals: 18,
		latest_price: 0.002,
	},
	'buy',
	{atMs: START_MS, isLive: true},
);
const SETTINGS: TradeSettings = {amounts: [10, 25, 50, 100], sell: [25, 50, 75, 100], slippage: 'auto', from: 'auto'};

const EMPTY_FORMS = {
	trade: tradeFormOf(TARGET, SETTINGS),
	bridge: NO_TRANSFER,
	perp: {index: 0},
	predictionAccount: {action: 'deploy', amount: editOf(''), field: 'action'},
};
const ORDER = {
	dex: 'dexA',
	chainId: 'evm:42161',
	marketId: 'ETH',
	index: '0',
	kind: 'LIMIT',
	side: 'BUY',
	sizeUSD: 500,
	price: 1000,
};

/** Where work of the fakes waits until a test lets it go on. */
interface Gate {
	/** From now on requests wait. */
	hold(): void;
	/** Releases all that wait, and all that come. */
	release(): Promise<void>;
	/** Releases the one that came last. */
	releaseLast(): Promise<void>;
	pass(): Promise<void>;
}

function createGate(): Gate {
	let isHeld = false;
	const waiting: (() => void)[] = [];
	return {
		hold() {
			isHeld = true;
		},
		async release() {
			isHeld = false;
			for (const go of waiting.splice(0)) go();
			await settled();
		},
		async releaseLast() {
			waiting.pop()?.();
			await settled();
		},
		pass: () => (isHeld ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve()),
	};
}

/** Resolves when all that does not wait for a gate has happened. */
export async function settled(): Promise<void> {
	for (let turns = 0; turns < 3; turns++) await new Promise(resolve => setImmediate(resolve));
}

/** What the fakes of all flows have in common. */
interface FakeFlow {
	/** The flow ends well. */
	end(): void;
	readonly flow: unknown;
}

interface FakeOptions {
	readonly nowMs: () => number;
	/** Whether a contract is met for the first time. */
	readonly isNew: boolean;
	readonly gate: Gate;
	/** Requests to the service, in order. */
	readonly asked: unknown[];
	/** Plans that were signed. */
	readonly signed: unknown[];
	/** Whether the quote that is asked for at a confirmation is worse: nothing is signed then. */
	readonly isWorse: () => boolean;
}

type Changes = Record<string, unknown>;

/** The parts of a view that every review sets: a fresh plan, its checks, and the contract to accept. */
function fakeFlow({nowMs, isNew, gate, asked, signed, isWorse}: FakeOptions, kind: MoneyKind): FakeFlow {
	const isBridge = kind === 'bridge' || kind === 'trade';
	const draft = isBridge ? 'draft' : 'choosing';
	let view: Changes = {
		state: {phase: draft, attempts: 0},
		checks: [],
		lines: [],
		signed: [],
		toAccept: [],
		acknowledge: [],
		...(kind === 'predictionAccount' && {place: PLACE}),
	};
	let isAccepted = !isNew;
	let plans = 0;
	const listeners = new Set<() => void>();
	const become = (changes: Changes) => {
		view = {...view, ...changes};
		for (const listener of [...listeners]) listener();
	};
	const phase = (name: string) => become({state: {...(view['state'] as object), phase: name}});
	function reviewed(plan: Changes): void {
		become({
			plan,
			state: {
				phase: isAccepted ? 'reviewed' : isBridge ? 'quoted' : 'built',
				attempts: 0,
				intentId: `intent-${plans}`,
			},
			checks: [{name: 'pin', title: 'contract is the known one', ok: isAccepted, detail: 'new'}],
			lines: [
				{label: 'you send', text: `plan ${plan['id']}`},
				{label: 'deadline', text: 'soon'},
				{label: 'nonce', text: '7'},
			],
			toAccept: isAccepted ? [] : [CONTRACT],
		});
	}
	async function ask(what: unknown, plan: Changes): Promise<void> {
		asked.push(what);
		await gate.pass();
		reviewed({id: `${kind} ${++plans}`, ...plan});
	}
	async function accept(typed: string): Promise<void> {
		if (typed !== FINGERPRINT_END) throw new Error('the fingerprint does not end so');
		isAccepted = true;
		reviewed({...(view['plan'] as Changes)});
	}
	async function execute(): Promise<void> {
		if (isWorse()) {
			reviewed({...(view['plan'] as Changes), id: `${kind} ${++plans}`});
			throw new Error('The price has moved');
		}
		signed.push(view['plan']);
		phase({bridge: 'pending', trade: 'pending', perp: 'running', predictionAccount: 'sent'}[kind]);
	}
	const common = {
		get view() {
			return view;
		},
		subscribe(listener: () => void) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		watch: async () => view['state'],
		dismiss: () => phase(draft),
		execute,
	};
	const end = () => phase(isBridge ? 'filled' : 'done');
	if (isBridge) {
		const quote = async (input: {amount: string}) => {
			const amountRaw = BigInt(Math.round(Number(input.amount) * 1e6));
			const request = {
				originChainId: 'evm:8453',
				destinationChainId: 'evm:137',
				amountRaw,
				decimals: 6,
				symbol: 'USDC',
			};
			const answer = {intentId: `intent-${plans + 1}`, sponsorGate: {}, estimatedAmountOut: '24.9'};
			become({quoted: {request, quote: answer}});
			await ask(input, {
				request,
				quote: answer,
				quotedAtMs: nowMs(),
				maxQuoteAgeMs: 60_000,
				clock: {nowMs: nowMs(), skewMs: 0, uncertaintyMs: 0},
				provider: NEUTRAL_PROVIDER,
				batch: {
					originChainId: 'evm:8453',
					authority: ME,
					calls: [{to: ME, value: '0', data: '0x'}],
					batchNonce: String(batchNonce(`intent-${plans + 1}`)),
					deadline: String(Math.floor(nowMs() / 1000) + 300),
					gasToken: ME,
					minBalance: '1',
				},
			});
		};
		const flow = Object.assign(common, {
			quote,
			review: async () => ask('review', {...(view['plan'] as Changes)}),
			accept: (_role: string, typed: string) => accept(typed),
			confirm(_typed: string) {},
		});
		return {flow, end};
	}
	const timed = () => ({builtAtMs: nowMs(), clock: {nowMs: nowMs(), skewMs: 0, uncertaintyMs: 0}});
	if (kind === 'perp') {
		const build = (target: {key: string}) => ask(target.key, {target, envelope: {payload: target.key}, ...timed()});
		const flow = Object.assign(common, {
			list: async () => {
				const targets = [
					{...ORDER, key: 'a', orderType: 'order'},
					{...ORDER, key: 'b', orderType: 'tp'},
				];
				await gate.pass();
				become({targets});
				return targets;
			},
			build,
			rebuild: () => build((view['plan'] as {target: {key: string}}).target),
			accept,
		});
		return {flow, end};
	}
	const flow = Object.assign(common, {
		read: async () => {
			await gate.pass();
			become({facts: FACTS});
			return FACTS;
		},
		build: (action: string, amount: string) =>
			ask([action, amount], {
				action,
				...(action !== 'deploy' && {amountRaw: BigInt(Math.round(Number(amount) * 1e6))}),
				place: PLACE,
				facts: FACTS,
				proposal: {to: CONTRACT.address, calldata: '0x00'},
				fees: {maxFeePerGas: 3n, maxPriorityFeePerGas: 1n},
				gas: 90_000n,
				...timed(),
			}),
		accept,
	});
	return {flow, end};
}

/** A money window over a flow that responds at once, and what a person can do in it. */
export interface MoneyWindowUnderTest {
	readonly kind: MoneyKind;
	readonly keys: MoneyWindow;
	readonly store: Store<MoneyState>;
	/** The window's own state, as far as every window has it. */
	shown(): {
		readonly step: string;
		readonly form: unknown;
		readonly busy?: string;
		readonly typed: {readonly text: string};
		readonly answer: 'cancel' | 'sign';
		readonly shows: 'summary' | 'details' | 'raw';
		readonly view?: {readonly plan?: unknown};
		readonly problem?: {readonly what: string};
	};
	/** The lines of the window. @param width cells */
	text(width?: number): string;
	/** What can be done now: labels by the ids of the actions. */
	hints(): KeyHints;
	/** Puts the open window, or a new one, in some state, and the money state beside it. */
	put(window: object, state?: Partial<MoneyState>): void;
	/** The window as it stands is drawn, now. */
	draw(): void;
	/** Time passes. */
	wait(ms: number): void;
	/** The window is drawn, and time passes until keys count. */
	see(): void;
	/** Types characters, one key each. */
	type(text: string): void;
	/** Opens the window and fills its form so that Enter requests something. */
	fill(): Promise<void>;
	/** Opens, fills and goes to the review. */
	toReview(): Promise<void>;
	/** On to the confirmation, having seen each step. */
	toConfirm(): Promise<void>;
	/** What has to be typed in the confirmation; undefined where nothing is. */
	wanted(): string | undefined;
	/** The flow that was made last ends well. */
	end(): void;
	/** Ends the flow that was made last, also when there is another one. */
	endOfLatest(): () => void;
	/** Opens the trade window for a token. */
	openTarget(target: TradeTarget): Promise<void>;
	readonly asked: readonly unknown[];
	readonly signed: readonly unknown[];
	/** Holds what the wallet reads when a window opens. */
	readonly opening: Gate;
	/** Holds the requests of the flow to the service. */
	readonly service: Gate;
	/** The wallet locks itself, with real money: it asks for its passphrase. */
	lock(): void;
	/** Passphrases that the key file was opened with. */
	readonly passphrases: readonly string[];
	isLocked: boolean;
	/** Whether the quote that is asked for at a confirmation is worse than the one that was shown. */
	isWorse: boolean;
}

interface MoneyWindowOptions {
	/** Whether a contract is met for the first time. */
	readonly isNew: boolean;
	/** Where exported documents are written. */
	readonly documentsDir: string;
	/** What is traded, in the trade window. */
	readonly target: TradeTarget;
}

/** A window of a kind over a flow that is a fake. */
export function createMoneyWindow(
	kind: MoneyKind,
	{isNew = false, documentsDir = 'nowhere', target = TARGET}: Partial<MoneyWindowOptions> = {},
): MoneyWindowUnderTest {
	let nowMs = START_MS;
	const store = createStore<MoneyState>({wallet: {mode: 'practice', status: 'unlocked', address: ME}});
	const asked: unknown[] = [];
	const signed: unknown[] = [];
	const passphrases: string[] = [];
	const [opening, service] = [createGate(), createGate()];
	let latest: FakeFlow | undefined;
	const make = () => {
		latest = fakeFlow({nowMs: () => nowMs, isNew, gate: service, asked, signed, isWorse: () => window.isWorse}, kind);
		return latest.flow;
	};
	const wallet: MoneyWallet = {
		openingText: () => 'Opening',
		async open() {
			await opening.pass();
			return window.isLocked ? 'locked' : 'unlocked';
		},
		async unlock(passphrase: Uint8Array) {
			passphrases.push(Buffer.from(passphrase).toString());
			window.isLocked = false;
			store.apply(state => ({...state, wallet: {...state.wallet, status: 'unlocked'}}));
		},
		tokens: async () => ({origins: TOKENS, destinations: TOKENS}),
		bridgeFlow: async () => make() as BridgeFlow,
		cancelFlow: async () => make() as CancelFlow,
		placePracticeOrder: undefined,
		holding: async (chainId, address) => ({chainId, address, symbol: 'WIF', decimals: 18, balanceRaw: HELD_RAW}),
		lock() {},
		keepUnlocked() {},
		lockSigning() {},
	};
	const shared = {store, wallet, nowMs: () => nowMs, documentsDir};
	let openTarget: MoneyWindowUnderTest['openTarget'] = () =>
		Promise.reject(new Error(`the ${kind} window has no target`));
	const keys: MoneyWindow = {
		trade: () => {
			const windows = createTradeWindows(
				{
					wallet,
					onTrade() {},
					settings: () => SETTINGS,
					payingChain: () => undefined,
					targetNow: target => target,
				},
				shared,
			);
			openTarget = windows.open;
			return {...windows, open: () => windows.open(target)};
		},
		bridge: () => createController(bridgePart({wallet, onTransfer() {}, preferredChain: () => undefined}), shared),
		perp: () => createController(perpPart({wallet}), shared),
		predictionAccount: () =>
			createController(
				predictionPart({place: async () => PLACE, flowOf: async () => make() as PredictionFlow}),
				shared,
			),
	}[kind]();
	const window: MoneyWindowUnderTest = {
		kind,
		keys,
		store,
		shown: () => store.get()[kind]!,
		text: (width = 96) => drawnTexts(keys.content(nowMs), width).join('\n'),
		hints: () => keys.hints(),
		put: (more, state = {}) =>
			store.apply(now => {
				const opened = now[kind] ?? windowOpened(EMPTY_FORMS[kind]);
				return {...now, ...state, [kind]: {...opened, ...more}};
			}),
		draw: () =>
			store.apply(state => {
				const what = drawnName(kind, state[kind]);
				return state.drawn?.what === what ? state : {...state, drawn: {what, atMs: nowMs}};
			}),
		wait(ms) {
			nowMs += ms;
		},
		see() {
			window.draw();
			nowMs += SIGHT_MS;
		},
		type: text => {
			for (const key of text) keys.type(key);
		},
		async fill() {
			await keys.open();
			window.see();
			if (kind !== 'perp') window.type(kind === 'trade' ? '$5' : '5');
		},
		async toReview() {
			await window.fill();
			await keys.accept();
		},
		async toConfirm() {
			await window.toReview();
			window.see();
			await keys.accept();
		},
		wanted: () => {
			const {request, amountRaw = request?.amountRaw} = (window.shown().view?.plan ?? {}) as {
				readonly request?: {readonly amountRaw: bigint};
				readonly amountRaw?: bigint;
			};
			return amountRaw === undefined ? undefined : String(Number(amountRaw) / 1e6);
		},
		end: () => latest?.end(),
		endOfLatest: () => latest!.end,
		openTarget: opened => openTarget(opened),
		asked,
		signed,
		opening,
		service,
		lock() {
			window.isLocked = true;
			store.apply(state => ({
				...state,
				wallet: {...state.wallet, mode: 'real', status: 'locked', why: 'nothing was typed or signed for 300 s'},
			}));
		},
		passphrases,
		isLocked: false,
		isWorse: false,
	};
	return window;
}
