import {join} from 'node:path';
import {concatHex, encodeFunctionData, type Hex, keccak256, pad, parseAbi, stringToBytes, toHex} from 'viem';
import type {Call} from '../../../source/client/http/call.ts';
import {ServiceTimeout, ServiceUnreachable} from '../../../source/client/http/service-errors.ts';
import type {Quote} from '../../../source/contract/bridge.ts';
import type {TradeSide, TradeTarget} from '../../../source/contract/trade-target.ts';
import {type BridgeFlow, createBridgeFlow} from '../../../source/trading/bridge/flow.ts';
import {openIntents} from '../../../source/trading/bridge/journal-fold.ts';
import type {openCaps} from '../../../source/trading/caps.ts';
import {type ChainReader, ChainUnread, NodeRefused, type TokenInfo} from '../../../source/trading/chain-reader.ts';
import type {CheckResult} from '../../../source/trading/check.ts';
import {type ContractCode, readContract} from '../../../source/trading/contract-code.ts';
import {type Journal, openJournal} from '../../../source/trading/journal.ts';
import type {PinRole} from '../../../source/trading/known-contracts.ts';
import {createCancelFlow} from '../../../source/trading/perp/flow.ts';
import {openCancels} from '../../../source/trading/perp/journal-fold.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {accountOf} from '../../../source/trading/prediction/account.ts';
import {createPredictionFlow} from '../../../source/trading/prediction/flow.ts';
import {openPredictions} from '../../../source/trading/prediction/journal-fold.ts';
import type {Signer} from '../../../source/trading/signer.ts';
import {TRADES} from '../../../source/trading/trade/policy.ts';
import {practiceSigner} from '../../helpers/practice-signer.ts';

/** A money flow as one run of the program has it, in the words that all flows share. */
export interface Run {
	readonly view: {readonly state: {readonly phase: string}; readonly checks: readonly CheckResult[]};
	/** Requests, reviews and confirms: what remains is the signature. */
	ready(): Promise<void>;
	execute(): Promise<void>;
	watch(signal?: AbortSignal, silentMs?: number): Promise<{readonly phase: string}>;
	/** How many actions of the journal have no known end. */
	open(): number;
	/** Resumes the one action of the journal that has no known end. */
	resume(): void;
	/** Of a trade: the flow itself. */
	readonly flow?: BridgeFlow;
}

/** One plan of one wallet, a service, and nodes, all as the test says. */
export interface Trial {
	/** What becomes of the next POST: an answer, none, none ever, or no connection. */
	answer: 'accepted' | 'lost' | 'never' | 'not-sent';
	/** The words of the node that takes nothing. */
	refusal: string;
	/** Whether the chains show that what was sent has happened. */
	isMined: boolean;
	/** Whether the node counts what was sent and has no receipt yet. */
	isReceiptLate: boolean;
	/** Whether neither service nor nodes answer. */
	isSilent: boolean;
	/** Whether the contract is another one than was accepted. */
	isContractChanged: boolean;
	/** Whether the wallet is locked when it should sign. */
	isWalletLocked: boolean;
	/** The kind of the record after which runs that start now end, as by a kill: nothing follows it. */
	endsAfter: string | undefined;
	/** How far the clock of runs went on since the trial began, ms. */
	passedMs: number;
	/** For each signature by which something can move: the kinds of the journal's records when it was made. */
	readonly signatures: readonly (readonly string[])[];
	/** The same for each POST. */
	readonly posts: readonly (readonly string[])[];
	/** Kinds of the records of the journal. */
	kinds(): readonly string[];
	/** The journal as another program would read it. */
	journal(): Journal;
	/** Whether what is sent counts against the limits. */
	isCounted(): boolean;
	/** The program is started again, or beside another: a flow on the same files. */
	start(): Run;
}

/** What differs between the flows. */
export interface TrialKind {
	readonly name: string;
	/** The record without which nothing may be signed, and the one without which nothing may be sent. */
	readonly claim: string;
	readonly intended: string;
	/** The record that says what became of the POST. */
	readonly answered: string;
	/** The code of the error for what another run has taken. */
	readonly claimed: string;
	open(): Promise<Trial>;
}

const NOW_MS = 1_800_000_000_000;
const USDC = '0x3000000000000000000000000000000000000003';
const BRIDGE = '0x4000000000000000000000000000000000000004';
const EXECUTOR = '0x5000000000000000000000000000000000000005';
const EXCHANGE = '0x7000000000000000000000000000000000000007';
const FACTORY = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const TRANSFER = keccak256(stringToBytes('Transfer(address,address,uint256)'));
const abi = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function transfer(address to, uint256 amount)',
	'function bridgeToken(bytes32 intentId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
	'function cancelOrder(uint256 index)',
]);

export type TrialTransfer = readonly [
	from: string,
	to: string,
	amountRaw: bigint,
	token?: string,
	txHash?: string | undefined,
];

export interface TrialEvent {
	readonly address: string;
	readonly topics: readonly Hex[];
	readonly data?: Hex;
	readonly txHash?: string;
}

/** What each flow brings: its service, its chain, and its flow behind the shared words. */
export interface Parts {
	readonly chainId: string;
	/** The token that is spent, or `native`. */
	readonly token: string;
	readonly contracts: readonly (readonly [PinRole, string])[];
	/** What the service says; `post` stands for the call that sends. */
	call(id: string, input: {body?: Record<string, unknown>}, post: <T>(answer: () => T) => Promise<T>): unknown;
	/** The Transfer logs of what was sent, on one of its chains; of USDC where no token is named. */
	transfers(chainId: string): readonly TrialTransfer[];
	/** Logs of accounts and contracts in the transactions of `hashOn`, besides. */
	events?(chainId: string): readonly TrialEvent[];
	/** The tokens that are not USDC. */
	readonly tokens?: Readonly<Record<string, TokenInfo>>;
	start(options: FlowOptions): Run;
}

export interface FlowOptions {
	readonly call: Call;
	readonly clock: {nowMs(): number; readonly skewMs: number; readonly uncertaintyMs: number};
	readonly signer: Signer;
	readonly address: string;
	readonly chains: ChainReader;
	readonly caps: ReturnType<typeof openCaps>;
	readonly pins: ReturnType<typeof openPins>;
	readonly journal: Journal;
}

export async function openTrial(partsOf: (address: string, trial: Trial) => Parts): Promise<Trial> {
	const {dir, caps, signer: wallet} = await practiceSigner();
	const address = await wallet.unlock();
	const openOwn = () => openJournal(join(dir, 'journal.jsonl'), {nowMs: () => NOW_MS});
	const kinds = () =>
		openOwn()
			.records()
			.map(({kind}) => kind);
	const signatures: (readonly string[])[] = [];
	const posts: (readonly string[])[] = [];

	function moving<Input extends unknown[], Output>(sign: (...input: Input) => Promise<Output>) {
		return async (...input: Input): Promise<Output> => {
			if (trial.isWalletLocked) {
				wallet.lock();
				return sign(...input).finally(() => wallet.unlock());
			}
			const before = kinds();
			const signature = await sign(...input);
			signatures.push(before);
			return signature;
		};
	}
	const signer = {
		state: wallet.state,
		signAuthorization: wallet.signAuthorization.bind(wallet),
		signBatch: moving(wallet.signBatch.bind(wallet)),
		signTransaction: moving(wallet.signTransaction.bind(wallet)),
		signPersonal: wallet.signPersonal.bind(wallet),
	} as unknown as Signer;

	/** The POST: its answer comes, is lost, never comes, or nothing was sent. */
	async function post<T>(accepted: () => T): Promise<T> {
		if (trial.answer === 'not-sent') throw new ServiceUnreachable('nothing listens at its address', {sent: 'no'});
		posts.push(kinds());
		if (trial.answer === 'never') return new Promise(() => {});
		if (trial.answer === 'lost') throw new ServiceTimeout('no complete answer within 45 s');
		return accepted();
	}
	const call = (async (id: string, input: {body?: Record<string, unknown>} = {}) => {
		if (trial.isSilent) throw new ServiceTimeout('no complete answer within 45 s');
		return parts.call(id, input, post);
	}) as unknown as Call;

	const isLanded = () => trial.isMined && posts.length > 0;
	const eventHashes = (chainId: string) => (parts.events?.(chainId) ?? []).map(({txHash}) => txHash);
	/** Everything happens in block 8: in the transactions that are named, and in one for all else. */
	function logs(chainId: string, hash?: unknown) {
		const named = [...parts.transfers(chainId).map(([, , , , txHash]) => txHash), ...eventHashes(chainId)];
		const isOwn = (of: string) =>
			hash === undefined || of === (named.includes(hash as string) ? hash : hashOn(chainId));
		const moved = parts.transfers(chainId).map(([from, to, amountRaw, token = USDC, txHash]) => ({
			address: token,
			topics: [TRANSFER, pad(from as Hex), pad(to as Hex)],
			data: toHex(amountRaw, {size: 32}),
			txHash,
		}));
		return [...moved, ...(parts.events?.(chainId) ?? [])]
			.map(({txHash = hashOn(chainId), ...log}, index) => ({
				...log,
				transactionHash: txHash,
				blockNumber: '0x8',
				logIndex: toHex(index),
			}))
			.filter(({transactionHash}) => isOwn(transactionHash));
	}
	/** What an account has of a token after a block. */
	function balanceAt(chainId: string, [{to: token, data}, block]: readonly [{to: string; data: string}, string]): Hex {
		if (!data.startsWith('0x70a08231')) return '0x';
		const owner = `0x${data.slice(-40)}`;
		const isOwn = (other: string) => other.toLowerCase() === owner;
		const moved = isLanded() && block !== '0x7' ? parts.transfers(chainId) : [];
		const own = moved.filter(([, , , of = USDC]) => of.toLowerCase() === token.toLowerCase());
		const raw = own.reduce((sum, [from, to, amountRaw]) => {
			return sum + (isOwn(to) ? amountRaw : 0n) - (isOwn(from) ? amountRaw : 0n);
		}, 10n ** 30n);
		return toHex(raw, {size: 32});
	}
	async function request(chainId: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
		if (trial.isSilent) throw new ChainUnread(chainId, 'its node does not answer');
		switch (method) {
			case 'eth_getCode':
				return trial.isContractChanged ? '0x6002' : '0x6001';
			case 'eth_getStorageAt':
				return `0x${'0'.repeat(64)}`;
			case 'eth_blockNumber':
				return '0x7';
			case 'eth_getBlockByNumber':
				return blockOf(chainId, params[0] as string);
			case 'eth_maxPriorityFeePerGas':
				return '0x1';
			case 'eth_estimateGas':
				return '0x9c40';
			case 'eth_call':
				return balanceAt(chainId, params as never);
			case 'eth_getTransactionReceipt': {
				if (!isLanded() || trial.isReceiptLate) return null;
				const {hash: blockHash, number: blockNumber} = blockOf(chainId, '0x8');
				return {status: '0x1', blockNumber, blockHash, gasUsed: '0x1', logs: logs(chainId, params[0])};
			}
			case 'eth_getTransactionByHash':
				return posts.length > 0 ? {} : null;
			case 'eth_getLogs':
				return isLanded() ? logs(chainId) : [];
			case 'eth_sendRawTransaction':
				try {
					return await post(() => hashOn(chainId));
				} catch (error) {
					if (trial.answer === 'not-sent') throw new NodeRefused(chainId, trial.refusal);
					throw new ChainUnread(chainId, (error as ServiceTimeout).why);
				}
			default:
				throw new NodeRefused(chainId, 'the method does not exist');
		}
	}
	const heard = <T>(answer: (...input: string[]) => T) => {
		return async (...input: string[]): Promise<T> => {
			if (trial.isSilent) throw new ChainUnread('evm:1', 'its node does not answer');
			return answer(...input);
		};
	};
	const chains = {
		knows: () => true,
		account: heard((_, of) => ({nonce: isLanded() ? 1 : 0, kind: of === address ? 'plain' : 'contract'})),
		balance: heard((_, token) => 10n ** BigInt((parts.tokens?.[token!.toLowerCase()]?.decimals ?? 6) + 6)),
		coins: heard(() => 10n ** 18n),
		tokenInfo: heard((_, token) => parts.tokens?.[token!.toLowerCase()] ?? {symbol: 'USDC', decimals: 6}),
		laneSequence: heard(() => (isLanded() ? 1n : 0n)),
		request,
	} as unknown as ChainReader;

	const trial: Trial = {
		answer: 'accepted',
		refusal: 'insufficient funds',
		isMined: false,
		isReceiptLate: false,
		isSilent: false,
		isContractChanged: false,
		isWalletLocked: false,
		endsAfter: undefined,
		passedMs: 0,
		signatures,
		posts,
		kinds,
		journal: openOwn,
		isCounted: () => caps.spentToday(parts.chainId, parts.token, 6) > 0n,
		start() {
			const journal = endingAfter(openOwn(), trial.endsAfter);
			const clock = {nowMs: () => NOW_MS + trial.passedMs, skewMs: 0, uncertaintyMs: 10};
			return parts.start({call, clock, signer, address, chains, caps, pins, journal});
		},
	};
	const parts = partsOf(address, trial);
	const pins = openPins(join(dir, 'pins.json'));
	for (const [role, contract] of parts.contracts) {
		const found = (await readContract(chains, parts.chainId, contract)) as ContractCode;
		pins.accept(parts.chainId, role, found, found.fingerprint.slice(-6));
	}
	return trial;
}

/** A journal whose program is killed when it has written a record of a kind. */
function endingAfter(journal: Journal, last: string | undefined): Journal {
	const claim = journal.claim.bind(journal);
	journal.claim = (kind, ...given) => {
		const record = claim(kind, ...given);
		if (kind === last) throw new Error('the program was killed');
		return record;
	};
	return journal;
}

const hashOn = (chainId: string) => keccak256(stringToBytes(chainId));

/** A block by its number; the newest is 8, and none is final. */
function blockOf(chainId: string, tag: string) {
	const number = tag === 'latest' ? '0x8' : tag === 'finalized' ? '0x0' : tag;
	return {baseFeePerGas: '0x1', number, hash: keccak256(stringToBytes(`${chainId} ${number}`))};
}

/** What account and bridge say of an intent: its batch ran on the origin, its payment was made on the destination, or it came back. */
export function intentEvents(
	intentId: string,
	{account, bridge, token, paidRaw}: {account: string; bridge: string; token: string; paidRaw: bigint},
): Readonly<Record<'left' | 'paid' | 'refunded', TrialEvent>> {
	const hash = keccak256(stringToBytes(intentId));
	const nonce = pad(toHex((BigInt(hash) & ((1n << 192n) - 1n)) << 64n), {size: 32});
	const ran = keccak256(stringToBytes('BatchExecuted(uint256,address,uint256)'));
	const filled = keccak256(stringToBytes('Filled(bytes32,address,address,uint256)'));
	const gaveBack = keccak256(stringToBytes('Refunded(bytes32,bytes32,address,address,uint256)'));
	return {
		left: {address: account, topics: [ran, nonce, pad(EXECUTOR)], data: toHex(2, {size: 32})},
		paid: {
			address: bridge,
			topics: [filled, hash, pad(account.toLowerCase() as Hex)],
			data: concatHex([pad(token as Hex), toHex(paidRaw, {size: 32})]),
		},
		refunded: {
			address: bridge,
			topics: [gaveBack, hash, hash, pad(account.toLowerCase() as Hex)],
			data: concatHex([pad(token as Hex), toHex(paidRaw, {size: 32})]),
		},
	};
}

/** 50 USDC from Base to Arbitrum. */
function bridgeParts(address: string, trial: Trial): Parts {
	const amountRaw = 50_000_000n;
	const intentId = 'intent-1';
	const intentHash = keccak256(stringToBytes(intentId));
	const quote: Quote = {
		intentId,
		estimatedAmountOut: '49.5',
		minAmountOut: '49',
		fees: {totalFeeUsd: '0.5'},
		steps: [
			{tx: {to: USDC, data: encodeFunctionData({abi, functionName: 'approve', args: [BRIDGE, amountRaw]}), value: '0'}},
			{
				tx: {
					to: BRIDGE,
					data: encodeFunctionData({
						abi,
						functionName: 'bridgeToken',
						args: [intentHash, USDC, amountRaw, 42161n, address as Hex],
					}),
					value: '0',
				},
			},
		],
		sponsorGate: {batchExecutor: EXECUTOR, gasToken: USDC, minBalance: String(amountRaw)},
	};
	let planHash: string | undefined;
	return {
		chainId: 'evm:8453',
		token: USDC,
		contracts: [
			['batch executor', EXECUTOR],
			['bridge', BRIDGE],
		],
		call(id, _, post) {
			if (id === 'bridgeQuote') return {data: quote};
			const depositTxHash = hashOn('evm:8453');
			if (id === 'bridgeExecute')
				return post(() => ({data: {intentId, status: 'pending', depositTxHash, sponsoredGasLimit: '1', message: ''}}));
			const isFilled = trial.isMined && trial.posts.length > 0;
			return {
				data: isFilled ? {status: 'filled', depositTxHash, fillTxHash: hashOn('evm:42161')} : {status: 'pending'},
			};
		},
		transfers: chainId => (chainId === 'evm:8453' ? [[address, BRIDGE, amountRaw]] : [[BRIDGE, address, 49_500_000n]]),
		events(chainId) {
			const {left, paid} = intentEvents(intentId, {
				account: address,
				bridge: BRIDGE,
				token: USDC,
				paidRaw: 49_500_000n,
			});
			return [chainId === 'evm:8453' ? left : paid];
		},
		start(options) {
			const flow = createBridgeFlow(options);
			const openOnes = () => openIntents(options.journal);
			return {
				get view() {
					return flow.view;
				},
				async ready() {
					if (flow.view.quoted) await flow.review();
					else if (planHash !== undefined) await flow.adopt(planHash);
					else {
						const destination = {destinationChainId: 'evm:42161', destinationToken: USDC};
						await flow.quote({originChainId: 'evm:8453', originToken: USDC, amount: '50', ...destination});
						planHash = flow.dryRun().planHash;
					}
					flow.confirm('50');
				},
				execute: () => flow.execute(),
				watch: (signal, silentMs) => flow.watch(signal, silentMs),
				open: () => openOnes().length,
				resume: () => flow.resume(openOnes()[0]!.intentId),
			};
		},
	};
}

/** What a test changes of the service and the chains of a trade. */
export interface TradeService {
	/** The next quotes, one after another; the last one goes on. */
	quotes: readonly Partial<Quote>[];
	/** What was asked for, each time. */
	readonly asked: Record<string, unknown>[];
	/** The batches that were sent. */
	readonly sent: Record<string, unknown>[];
	/** What the service says once it was sent. */
	status?: Record<string, unknown>;
	/** What moves on a chain; by default what was promised. */
	transfers?: (chainId: string) => readonly TrialTransfer[];
	/** What account and bridge say besides; by default that the batch ran, and what was paid. */
	events?: (chainId: string, usual: readonly TrialEvent[]) => readonly TrialEvent[];
	/** The row as it is now. */
	row?: () => TradeTarget | undefined;
}

export const PEPE = '0x6000000000000000000000000000000000abcde0';
const TRADE_CHAINS = {pepe: 'evm:8453', usdc: 'evm:42161'} as const;
const SOLD_RAW = 24_750n * 10n ** 18n;

export function pepe(side: TradeSide, more: Partial<TradeTarget> = {}): TradeTarget {
	const row = {chainId: TRADE_CHAINS.pepe, address: PEPE, symbol: 'PEPE', name: 'Pepe', decimals: 18, priceUSD: 0.001};
	const seen = {lowUSD: 0.001, highUSD: 0.001, count: 6, spanMs: 30_000};
	const safe = {
		isHoneypot: false,
		buyTax: 0,
		sellTax: 0,
		liquidityUSD: 20_000,
		isCurve: false,
		phase: 'bonded',
	} as const;
	return {side, ...row, ...safe, seen, marks: [], atMs: NOW_MS, isLive: true, ...more};
}

/** $25 of USDC on Arbitrum for PEPE on Base, or 24,750 PEPE for USDC. Each quote is another intent unless it says which. */
export function tradeParts(
	address: string,
	trial: Trial,
	service: TradeService = {quotes: [], asked: [], sent: []},
	side: TradeSide = 'buy',
): Parts {
	const isBuy = side === 'buy';
	const {pepe: pepeChain, usdc: usdcChain} = TRADE_CHAINS;
	const [origin, destination] = isBuy ? [usdcChain, pepeChain] : [pepeChain, usdcChain];
	const [originToken, destinationToken] = isBuy ? [USDC, PEPE] : [PEPE, USDC];
	const [amount, amountRaw] = isBuy ? ['25', 25_000_000n] : ['24750', SOLD_RAW];
	const fair = isBuy
		? {estimatedAmountOut: '24640', minAmountOut: '22176'}
		: {estimatedAmountOut: '24.45', minAmountOut: '22.005'};
	const target = BRIDGE as Hex;
	const approve = {
		to: originToken,
		data: encodeFunctionData({abi, functionName: 'approve', args: [target, amountRaw]}),
	};
	const depositOf = (intentId: string) => {
		const hash = keccak256(stringToBytes(intentId));
		const data = isBuy
			? encodeFunctionData({abi, functionName: 'bridgeToken', args: [hash, USDC, amountRaw, 8453n, address as Hex]})
			: encodeFunctionData({
					abi,
					functionName: 'swapAndBridge',
					args: [hash, PEPE, amountRaw, 22_050_000n, 42161n, address as Hex],
				});
		return {to: BRIDGE, data};
	};
	function quote(): Quote {
		const more = service.quotes[Math.min(service.asked.length, service.quotes.length) - 1] ?? {};
		const intentId = more.intentId ?? 'intent-1';
		return {
			intentId,
			...fair,
			fees: {totalFeeUsd: '0.05'},
			steps: [approve, depositOf(intentId)].map(tx => ({tx: {...tx, value: '0'}})),
			sponsorGate: {batchExecutor: EXECUTOR, gasToken: originToken, minBalance: String(amountRaw)},
			...more,
		};
	}
	const deposit: readonly TrialTransfer[] = isBuy
		? [[address, BRIDGE, amountRaw]]
		: [
				[address, BRIDGE, amountRaw, PEPE],
				[BRIDGE, EXECUTOR, 24_500_000n],
			];
	const fill: TrialTransfer = isBuy ? [BRIDGE, address, 24_640n * 10n ** 18n, PEPE] : [BRIDGE, address, 24_450_000n];
	let planHash: string | undefined;
	return {
		chainId: origin,
		token: isBuy ? USDC : PEPE,
		contracts: [
			['batch executor', EXECUTOR],
			[isBuy ? 'bridge' : 'swap helper', BRIDGE],
		],
		tokens: {[PEPE]: {symbol: 'PEPE', decimals: 18}},
		call(id, input, post) {
			if (id === 'bridgeQuote') {
				service.asked.push((input as {query: Record<string, unknown>}).query);
				return {data: quote()};
			}
			const depositTxHash = hashOn(origin);
			if (id === 'bridgeExecute') {
				service.sent.push(input.body!);
				const {intentId} = input.body as {intentId: string};
				return post(() => ({data: {intentId, status: 'pending', depositTxHash, sponsoredGasLimit: '1', message: ''}}));
			}
			const isFilled = trial.isMined && trial.posts.length > 0;
			const filled = service.status ?? {status: 'filled', depositTxHash, fillTxHash: hashOn(destination)};
			return {data: isFilled ? filled : {status: 'pending'}};
		},
		transfers: chainId => service.transfers?.(chainId) ?? (chainId === origin ? deposit : [fill]),
		events(chainId) {
			const {intentId} = (service.sent.at(-1) ?? {intentId: ''}) as {intentId: string};
			const paidRaw = fill[2];
			const {left, paid} = intentEvents(intentId, {account: address, bridge: BRIDGE, token: destinationToken, paidRaw});
			const usual = [chainId === origin ? left : paid];
			return service.events?.(chainId, usual) ?? usual;
		},
		start(options) {
			const flow = createBridgeFlow({...options, trades: TRADES});
			const openOnes = () => openIntents(options.journal);
			const row = pepe(side);
			const tradeNow = () => (service.row ? service.row() : row);
			return {
				flow,
				get view() {
					return flow.view;
				},
				async ready() {
					if (flow.view.quoted) await flow.review();
					else if (planHash !== undefined) await flow.adopt(planHash, {tradeNow});
					else {
						const ends = {originChainId: origin, originToken, destinationChainId: destination, destinationToken};
						await flow.quote({...ends, amount, trade: row, tradeNow});
						planHash = flow.dryRun().planHash;
					}
					flow.confirm(amount);
				},
				execute: () => flow.execute(),
				watch: (signal, silentMs) => flow.watch(signal, silentMs),
				open: () => openOnes().length,
				resume: () => flow.resume(openOnes()[0]!.intentId),
			};
		},
	};
}

/** A waiting order on the exchange with a contract. */
function perpParts(_: string, trial: Trial): Parts {
	const envelope = {action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', transport: 'evm-tx'};
	const data = {
		to: EXCHANGE,
		callData: encodeFunctionData({abi, functionName: 'cancelOrder', args: [7n]}),
		value: '0',
		chainId: 42161,
		nonce: 0,
		gas: '60000',
		maxFeePerGas: '200000000',
		maxPriorityFeePerGas: '0',
	};
	const payloadStr = JSON.stringify({...envelope, payload: {type: 'evm', orderType: 'order', data}});
	const order = {id: 'pos-dexA-ETH-USD-USDC-0xme-7', marketId: 'ETH-USD', exchange: 'dexA', chainId: 'evm:42161'};
	return {
		chainId: 'evm:42161',
		token: 'native',
		contracts: [['perp exchange', EXCHANGE]],
		call(id, _input, post) {
			if (id === 'perpUnfilled') return {data: trial.isMined && trial.posts.length > 0 ? [] : [order]};
			if (id === 'perpOpen') return {data: []};
			if (id === 'perpCancelOrder') return {data: {...envelope, payloadStr}};
			return post(() => ({success: true, data: {success: true}}));
		},
		transfers: () => [],
		start(options) {
			const flow = createCancelFlow(options);
			return {
				get view() {
					return flow.view;
				},
				async ready() {
					const [target] = await flow.list();
					await flow.build(target!);
				},
				execute: () => flow.execute(),
				watch: (signal, silentMs) => flow.watch(signal, silentMs),
				open: () => openCancels(options.journal).length,
				resume: () => flow.resume(openCancels(options.journal)[0]!.key),
			};
		},
	};
}

/** 5 USDC into the prediction account of the wallet. */
function predictionParts(address: string): Parts {
	const account = accountOf(FACTORY, address);
	const amountRaw = 5_000_000n;
	const calldata = encodeFunctionData({abi, functionName: 'transfer', args: [account, amountRaw]});
	const place = {chainId: 'evm:137', factory: FACTORY, stablecoin: USDC, symbol: 'USDC', decimals: 6};
	return {
		chainId: 'evm:137',
		token: USDC,
		contracts: [['vault factory', FACTORY]],
		call(id) {
			if (id === 'vaultStatus') return {data: {deployed: true, vaultAddress: account}};
			if (id !== 'depositBuild') throw new TypeError(`${id} is not asked for a deposit`);
			return {data: {to: USDC, value: '0', calldata, chainId: 137, vaultAddress: account}};
		},
		transfers: () => [[address, account, amountRaw]],
		start(options) {
			const flow = createPredictionFlow({...options, place});
			return {
				get view() {
					return flow.view;
				},
				ready: () => flow.build('deposit', '5'),
				execute: () => flow.execute('5'),
				watch: (signal, silentMs) => flow.watch(signal, silentMs),
				open: () => openPredictions(options.journal).length,
				resume: () => flow.resume(openPredictions(options.journal)[0]!.hash),
			};
		},
	};
}

/** Every money flow: a fourth one stands here with its own parts, and passes the same suite. */
export const TRIALS: readonly TrialKind[] = [
	{
		name: 'a bridge transfer',
		claim: 'bridge.intended',
		intended: 'bridge.intended',
		answered: 'bridge.answered',
		claimed: 'intent-claimed',
		open: () => openTrial(bridgeParts),
	},
	{
		name: 'a buy',
		claim: 'bridge.intended',
		intended: 'bridge.intended',
		answered: 'bridge.answered',
		claimed: 'intent-claimed',
		open: () => openTrial((address, trial) => tradeParts(address, trial)),
	},
	{
		name: 'an order cancel',
		claim: 'perp.intended',
		intended: 'perp.signed',
		answered: 'perp.answered',
		claimed: 'cancel-claimed',
		open: () => openTrial(perpParts),
	},
	{
		name: 'a deposit into a prediction account',
		claim: 'vault.claimed',
		intended: 'vault.intended',
		answered: 'vault.status',
		claimed: 'vault-claimed',
		open: () => openTrial(predictionParts),
	},
];
