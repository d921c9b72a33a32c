import {createHash} from 'node:crypto';
import {createServer, type IncomingMessage, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {type WebSocket, WebSocketServer} from 'ws';
import {pumpCurveAddress, pumpPoolAddress} from '../../source/service/follow/solana/addresses.ts';
import {encodeBase58} from '../../source/service/follow/solana/base58.ts';
import {SOL_VAULT, USDC_VAULT} from '../../source/service/follow/solana/sol-price.ts';
import {MAINNET_GENESIS} from '../../source/service/follow/solana/solana-source.ts';
import type {WholeTransaction} from '../../source/service/follow/solana/venue.ts';
import {SOL, TOKEN_2022_PROGRAM, TOKEN_PROGRAM} from '../../source/service/follow/solana/venues/coins.ts';
import {METEORA_DBC} from '../../source/service/follow/solana/venues/meteora-dbc.ts';
import {
	COMPLETE_EVENT,
	CREATE_EVENT,
	MIGRATION_EVENT,
	PUMP,
	TRADE_EVENT,
} from '../../source/service/follow/solana/venues/pump.ts';
import {
	BUY_EVENT,
	CREATE_POOL_EVENT,
	PUMP_SWAP,
	SELL_EVENT,
} from '../../source/service/follow/solana/venues/pump-swap.ts';
import {encodeBorsh, encodeEvent} from './borsh-writer.ts';
import {until} from './until.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const MOONSHOT = 'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG';
const SUPPLY = 1_000_000_000_000_000n;
const SALE = 793_100_000_000_000n;
const VIRTUAL_TOKEN = 1_073_000_000_000_000n;
const VIRTUAL_SOL = 30_000_000_000n;
const SLOT_MS = 400;
const TRADE = 'bddb7fd34ee661ee';

/** What the fake knows of a token: what a follower must find out. */
export interface FakeToken {
	readonly mint: string;
	readonly curve: string;
	readonly creator: string;
	readonly bornSlot: number;
	/** Mint of the coin it is quoted in; undefined is SOL. */
	readonly quote: string | undefined;
	virtualToken: bigint;
	virtualQuote: bigint;
	left: bigint;
	raised: bigint;
	trades: number;
	/** Accounts with tokens that wallets own, by address: what the test gave them. */
	readonly accounts: Map<string, {readonly owner: string; readonly amount: bigint}>;
	readonly vault: string;
	pool:
		| {readonly address: string; base: bigint; quote: bigint; readonly baseVault: string; readonly quoteVault: string}
		| undefined;
}

interface FakeTransaction {
	readonly signature: string;
	readonly slot: number;
	readonly programs: ReadonlySet<string>;
	readonly isFailed: boolean;
	readonly lines: readonly string[];
	/** The events, as the self-calls have them. */
	readonly calls: readonly {readonly program: string; readonly data: Buffer}[];
	/** The whole of it, where it is of Meteora. */
	readonly whole?: WholeTransaction;
}

export interface TransactionLook {
	/** Behind a router, so that the events stand one deeper. */
	readonly isRouted?: boolean;
	readonly isFailed?: boolean;
	/** The node cuts the logs before the events. */
	readonly isCut?: boolean;
	/** Another program writes an event with the same first bytes before. */
	readonly hasForeign?: boolean;
}

/** What a chain does, played by a node over HTTP and websockets: histories of our own, with the bytes of the real programs. */
export class FakeSolana {
	readonly startMs: number;
	slot = 400_000_000;
	usdPerSol = 200;
	readonly tokens = new Map<string, FakeToken>();
	/** Every transaction by signature. */
	readonly #transactions = new Map<string, FakeTransaction>();
	#pending: FakeTransaction[] = [];
	#count = 0;
	readonly nodes: FakeNode[] = [];

	constructor(startMs = Date.UTC(2026, 9, 10, 12)) {
		this.startMs = startMs;
	}

	/** The clock of the chain. */
	nowMs = (): number => this.startMs + (this.slot - 400_000_000) * SLOT_MS;

	/** A node of this chain; several may run. */
	async listen(): Promise<FakeNode> {
		const node = new FakeNode(this);
		await node.listen();
		this.nodes.push(node);
		return node;
	}

	async close(): Promise<void> {
		await Promise.all(this.nodes.map(node => node.close()));
	}

	transaction(signature: string): FakeTransaction | undefined {
		return this.#transactions.get(signature);
	}

	/** Ends slots: what happened is confirmed and sent. */
	mine(slots = 1): void {
		for (let count = 0; count < slots; count++) {
			this.slot++;
			const mined = this.#pending.map(transaction => ({...transaction, slot: this.slot}));
			this.#pending = [];
			for (const transaction of mined) this.#transactions.set(transaction.signature, transaction);
			for (const node of this.nodes) node.confirmed(this.slot, mined);
		}
	}

	/** Lets as many slots pass as the clock says, each with a failed transaction, as on a busy chain. */
	catchUp(toMs: number): void {
		while (this.nowMs() + SLOT_MS <= toMs) {
			this.#send([{program: PUMP.program, event: Buffer.alloc(8)}], {isFailed: true});
			this.mine();
		}
	}

	/** Resolves when what happened is in a slot. */
	async mined(): Promise<void> {
		const {slot} = this;
		await until(() => this.slot > slot);
	}

	/** Goes on until what happened is whole for every follower: slots that have only a failed transaction. */
	settle(): void {
		for (let count = 0; count < 3; count++) {
			this.#send([{program: PUMP.program, event: Buffer.alloc(8)}], {isFailed: true});
			this.mine();
		}
	}

	launch({
		quote,
		look = {},
		symbol = 'TEST',
		uri = `https://example.org/${symbol}`,
	}: {
		quote?: string;
		look?: TransactionLook;
		symbol?: string;
		uri?: string;
	} = {}): FakeToken {
		const mint = this.#key('mint');
		const creator = this.#key('creator');
		const token: FakeToken = {
			mint,
			curve: pumpCurveAddress(mint),
			creator,
			bornSlot: this.slot + 1,
			quote,
			virtualToken: VIRTUAL_TOKEN,
			virtualQuote: VIRTUAL_SOL,
			left: SALE,
			raised: 0n,
			trades: 0,
			accounts: new Map(),
			vault: this.#key('vault'),
			pool: undefined,
		};
		const event = encodeEvent('1b72a94ddeeb6376', CREATE_EVENT, {
			name: `${symbol} coin`,
			symbol,
			uri,
			mint,
			bonding_curve: token.curve,
			user: creator,
			creator,
			timestamp: this.#nextS(),
			virtual_token_reserves: VIRTUAL_TOKEN,
			virtual_sol_reserves: quote === undefined ? VIRTUAL_SOL : 0n,
			real_token_reserves: SALE,
			token_total_supply: SUPPLY,
			token_program: TOKEN_2022_PROGRAM,
			...(quote !== undefined && {quote_mint: quote}),
			virtual_quote_reserves: VIRTUAL_SOL,
		});
		if (!look.isFailed) this.tokens.set(mint, token);
		this.#send([{program: PUMP.program, event}], look);
		return token;
	}

	/** Trades with the curve, or with the pool after it; raw tokens. A buy of more than is left takes what is left. */
	trade(token: FakeToken, side: 'buy' | 'sell', tokens: bigint, look: TransactionLook = {}): void {
		if (token.pool) this.#swap(token, side, tokens, look);
		else this.#curveTrade(token, side, tokens, look);
	}

	/** Moves a token whose curve is full to its pool. */
	migrate(token: FakeToken, look: TransactionLook = {}): void {
		const address = pumpPoolAddress(token.mint, token.quote ?? SOL.address);
		const base = SUPPLY - SALE;
		const quote = token.raised - 15_000_001n;
		token.pool = {address, base, quote, baseVault: this.#key('vault'), quoteVault: this.#key('vault')};
		const made = encodeEvent('b1310cd2a076a774', CREATE_POOL_EVENT, {
			timestamp: this.#nextS(),
			base_mint: token.mint,
			quote_mint: token.quote ?? SOL.address,
			base_mint_decimals: 6,
			quote_mint_decimals: token.quote === undefined ? 9 : 6,
			pool_base_amount: base,
			pool_quote_amount: quote,
			pool: address,
		});
		const moved = encodeEvent('bde95db95c94ea94', MIGRATION_EVENT, {
			user: token.creator,
			mint: token.mint,
			mint_amount: base,
			sol_amount: quote,
			bonding_curve: token.curve,
			timestamp: this.#nextS(),
			pool: address,
		});
		this.#send(
			[
				{program: PUMP_SWAP.program, event: made},
				{program: PUMP.program, event: moved},
			],
			look,
		);
	}

	/** Meteora's launchpad does something, of which its logs say nothing. */
	meteora(whole: WholeTransaction): void {
		const {program} = METEORA_DBC;
		this.#pending.push({
			signature: this.#signature(),
			slot: 0,
			programs: new Set([program]),
			isFailed: false,
			lines: [`Program ${program} invoke [1]`, `Program ${program} success`],
			calls: [],
			whole,
		});
	}

	/** Gives a wallet a further account with raw tokens, as transfers do, which no log of the venues has. */
	give(token: FakeToken, owner: string, amount: bigint): void {
		token.accounts.set(this.#key('account'), {owner, amount});
	}

	/** The largest accounts of a token, those of its curve or pool among them. */
	largestAccounts(mint: string): readonly {readonly address: string; readonly amount: bigint}[] {
		const token = this.tokens.get(mint);
		if (token === undefined) return [];
		const {pool} = token;
		const owned = [...token.accounts].map(([address, {amount}]) => ({address, amount}));
		const place = pool
			? {address: pool.baseVault, amount: pool.base}
			: {address: token.vault, amount: SUPPLY - SALE + token.left};
		return [...owned, place].sort((a, b) => Number(b.amount - a.amount)).slice(0, 20);
	}

	/** Account bytes; null for those that do not exist. */
	account(address: string): {owner: string; data: Buffer} | null {
		if (address === SOL_VAULT) return vault(SOL.address, address, 50_000n * 10n ** 9n);
		if (address === USDC_VAULT) return vault(USDC, address, BigInt(Math.round(50_000 * this.usdPerSol * 1e6)));
		for (const token of this.tokens.values()) {
			if (address === token.curve) return {owner: PUMP.program, data: curveAccount(token)};
			if (address === token.mint) return {owner: TOKEN_2022_PROGRAM, data: mintAccount()};
			const {pool} = token;
			if (address === pool?.address) return {owner: PUMP_SWAP.program, data: poolAccount(token)};
			if (address === pool?.baseVault) return vault(token.mint, pool.address, pool.base);
			if (address === token.vault) return vault(token.mint, token.curve, SUPPLY - SALE + token.left);
			const account = token.accounts.get(address);
			if (account) return vault(token.mint, account.owner, account.amount);
			if (address === pool?.quoteVault) return vault(token.quote ?? SOL.address, pool.address, pool.quote);
		}
		return null;
	}

	wallet(index: number): string {
		return encodeBase58(createHash('sha256').update(`wallet ${index}`).digest());
	}

	#curveTrade(token: FakeToken, side: 'buy' | 'sell', tokens: bigint, look: TransactionLook): void {
		const sold = SALE - token.left;
		const amount = side === 'buy' ? min(tokens, token.left) : min(tokens, sold);
		if (amount === 0n) return;
		const sign = side === 'buy' ? 1n : -1n;
		const product = token.virtualToken * token.virtualQuote;
		const virtualToken = token.virtualToken - sign * amount;
		const virtualQuote = side === 'buy' ? product / virtualToken + 1n : product / virtualToken;
		const quote = sign * (virtualQuote - token.virtualQuote);
		const after = {
			virtualToken,
			virtualQuote,
			left: token.left - sign * amount,
			raised: max(0n, token.raised + sign * quote),
		};
		if (!look.isFailed) Object.assign(token, after, {trades: token.trades + 1});
		const isSOL = token.quote === undefined;
		const event = encodeEvent(TRADE, TRADE_EVENT, {
			mint: token.mint,
			sol_amount: isSOL ? quote : 0n,
			token_amount: amount,
			is_buy: side === 'buy',
			user: this.wallet(token.trades % 7),
			timestamp: this.#nextS(),
			virtual_sol_reserves: isSOL ? virtualQuote : 0n,
			virtual_token_reserves: virtualToken,
			real_sol_reserves: isSOL ? after.raised : 0n,
			real_token_reserves: after.left,
			fee: quote / 100n,
			creator_fee: quote / 200n,
			ix_name: side,
			...(!isSOL && {quote_mint: token.quote}),
			quote_amount: quote,
			virtual_quote_reserves: virtualQuote,
			real_quote_reserves: after.raised,
		});
		const events = [{program: PUMP.program, event}];
		if (after.left === 0n && !look.isFailed) {
			const full = encodeEvent('5f72619cd42e9808', COMPLETE_EVENT, {
				user: this.wallet(0),
				mint: token.mint,
				bonding_curve: token.curve,
				timestamp: this.#nextS(),
			});
			events.push({program: PUMP.program, event: full});
		}
		this.#send(events, look);
	}

	#swap(token: FakeToken, side: 'buy' | 'sell', tokens: bigint, look: TransactionLook): void {
		const pool = token.pool!;
		const amount = side === 'buy' ? min(tokens, pool.base / 2n) : tokens;
		if (amount === 0n) return;
		const product = pool.base * pool.quote;
		const fields = {
			timestamp: this.#nextS(),
			base_amount: amount,
			pool_base_token_reserves: pool.base,
			pool_quote_token_reserves: pool.quote,
			pool: pool.address,
			user: this.wallet(token.trades % 7),
		};
		let event: Buffer;
		if (side === 'buy') {
			const plain = product / (pool.base - amount) - pool.quote + 1n;
			const lp = plain / 500n;
			event = encodeEvent('67f4521f2cf57777', BUY_EVENT, {
				...fields,
				quote_amount: plain,
				lp_fee: lp,
				protocol_fee: plain / 2000n,
				quote_amount_of_pool: plain + lp,
				ix_name: 'buy',
			});
			if (!look.isFailed) {
				pool.base -= amount;
				pool.quote += plain + lp;
			}
		} else {
			const plain = pool.quote - product / (pool.base + amount);
			const lp = plain / 500n;
			event = encodeEvent('3e2f370aa503dc2a', SELL_EVENT, {
				...fields,
				quote_amount: plain,
				lp_fee: lp,
				protocol_fee: plain / 2000n,
				quote_amount_of_pool: plain - lp,
			});
			if (!look.isFailed) {
				pool.base += amount;
				pool.quote -= plain - lp;
			}
		}
		if (!look.isFailed) token.trades++;
		this.#send([{program: PUMP_SWAP.program, event}], look);
	}

	#send(written: readonly {readonly program: string; readonly event: Buffer}[], look: TransactionLook): void {
		const lines = logLines(written, look);
		this.#pending.push({
			signature: this.#signature(),
			slot: 0,
			programs: new Set(written.map(({program}) => program)),
			isFailed: look.isFailed ?? false,
			lines: look.isCut ? [...lines.slice(0, 2), 'Log truncated'] : lines,
			calls: written.map(({program, event}) => ({program, data: event})),
		});
	}

	#signature(): string {
		return encodeBase58(Buffer.concat([hash(`a ${this.#count}`), hash(`b ${this.#count++}`)]));
	}

	/** Time of the coming slot, in whole seconds as the chain has it. */
	#nextS(): bigint {
		return BigInt(Math.floor((this.nowMs() + SLOT_MS) / 1000));
	}

	#key(what: string): string {
		return encodeBase58(hash(`${what} ${this.#count++}`));
	}
}

/** Methods that a node answers, or how it fails to. */
export type Fault = 'refuse-429' | 'error-500' | 'never' | 'garbage';

/** One node of a fake chain. */
export class FakeNode {
	readonly #chain: FakeSolana;
	readonly #server: Server;
	readonly #sockets: WebSocketServer;
	/** By socket: subscriptions by program. */
	readonly #subscriptions = new Map<WebSocket, Map<string, number>>();
	/** How the next calls are answered; each once. */
	readonly faults: Fault[] = [];
	/** Sends each notification again now and then. */
	repeats = false;
	/** Sends the notifications of a slot program by program, the last program first. */
	reversesPrograms = false;
	/** Takes connections and subscriptions, and sends nothing. */
	isMute = false;
	genesis = MAINNET_GENESIS;
	/** Has no transaction whole. */
	losesTransactions = false;
	/** Methods that it refuses, each time. */
	readonly refuses = new Set<string>();
	readonly calls = new Map<string, number>();
	#port = 0;
	#lastSubscription = 0;

	constructor(chain: FakeSolana) {
		this.#chain = chain;
		this.#server = createServer((request, response) => {
			void readBody(request).then(body => {
				const fault = this.faults.shift();
				if (fault === 'never') return;
				if (fault === 'refuse-429') response.writeHead(429, {'retry-after': '0'}).end('{}');
				else if (fault === 'error-500') response.writeHead(500).end('no');
				else if (fault === 'garbage') response.writeHead(200).end('<html>');
				else response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(this.#answer(body)));
			});
		});
		this.#sockets = new WebSocketServer({server: this.#server});
		this.#sockets.on('connection', socket => {
			this.#subscriptions.set(socket, new Map());
			socket.on('close', () => this.#subscriptions.delete(socket));
			socket.on('message', (data: Buffer) => this.#subscribe(socket, JSON.parse(data.toString()) as Call));
		});
	}

	get url(): string {
		return `ws://127.0.0.1:${this.#port}/v2/a-very-secret-key`;
	}

	get connections(): number {
		return this.#subscriptions.size;
	}

	/** Connections that have all their subscriptions. */
	get followers(): number {
		return [...this.#subscriptions.values()].filter(programs => programs.size === 3).length;
	}

	/** Programs of all subscriptions. */
	get subscribed(): readonly string[] {
		return [...this.#subscriptions.values()].flatMap(programs => [...programs.keys()]);
	}

	async listen(port = 0): Promise<void> {
		await new Promise<void>(resolve => this.#server.listen(port, '127.0.0.1', resolve));
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	/** Cuts every connection. */
	cut(): void {
		for (const socket of this.#subscriptions.keys()) socket.terminate();
	}

	async close(): Promise<void> {
		this.cut();
		this.#server.closeAllConnections();
		await new Promise(resolve => this.#server.close(resolve));
	}

	/** A slot is confirmed: sends what its subscribers asked for. */
	confirmed(slot: number, transactions: readonly FakeTransaction[]): void {
		if (this.isMute) return;
		for (const [socket, programs] of this.#subscriptions) {
			const order = [...programs];
			if (this.reversesPrograms) order.reverse();
			for (const [program, subscription] of order) {
				for (const transaction of transactions) {
					if (!transaction.programs.has(program)) continue;
					const message = notification(subscription, transaction);
					socket.send(message);
					if (this.repeats) socket.send(message);
				}
			}
			socket.send(
				JSON.stringify({method: 'slotNotification', params: {result: {slot, parent: slot - 1, root: slot - 32}}}),
			);
		}
	}

	#subscribe(socket: WebSocket, {id, method, params}: Call): void {
		const subscription = ++this.#lastSubscription;
		if (method === 'logsSubscribe') {
			const {mentions} = params![0] as {mentions: string[]};
			if (mentions.length !== 1) throw new Error('one program a subscription');
			this.#subscriptions.get(socket)?.set(mentions[0]!, subscription);
		}
		socket.send(JSON.stringify({jsonrpc: '2.0', id, result: subscription}));
	}

	#answer({id, method, params = []}: Call): unknown {
		this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
		if (this.refuses.has(method)) return {jsonrpc: '2.0', id, error: {code: 429, message: 'Too many requests'}};
		return {jsonrpc: '2.0', id, result: this.#result(method, params)};
	}

	#result(method: string, params: readonly unknown[]): unknown {
		const {slot} = this.#chain;
		if (method === 'getGenesisHash') return this.genesis;
		if (method === 'getSlot') return slot;
		if (method === 'getVersion') return {'solana-core': '4.0.0', 'feature-set': 1};
		if (method === 'getBlockTime') return Math.floor(this.#chain.nowMs() / 1000);
		if (method === 'getMultipleAccounts') {
			const addresses = params[0] as string[];
			return {
				context: {slot},
				value: addresses.map(address => {
					const account = this.#chain.account(address);
					return account && {owner: account.owner, data: [account.data.toString('base64'), 'base64'], lamports: 1};
				}),
			};
		}
		if (method === 'getTokenLargestAccounts') {
			const value = this.#chain.largestAccounts(params[0] as string);
			return {context: {slot}, value: value.map(({address, amount}) => ({address, amount: `${amount}`, decimals: 6}))};
		}
		if (method === 'getTransaction') {
			const transaction = this.#chain.transaction(params[0] as string);
			return transaction && !this.losesTransactions ? wholeTransaction(transaction) : null;
		}
		throw new Error(`the fake has no ${method}`);
	}
}

interface Call {
	readonly id: number;
	readonly method: string;
	readonly params?: readonly unknown[];
}

function notification(subscription: number, {slot, signature, isFailed, lines}: FakeTransaction): string {
	const err = isFailed ? {InstructionError: [2, {Custom: 6002}]} : null;
	return JSON.stringify({
		jsonrpc: '2.0',
		method: 'logsNotification',
		params: {subscription, result: {context: {slot}, value: {signature, err, logs: lines}}},
	});
}

function logLines(
	written: readonly {readonly program: string; readonly event: Buffer}[],
	{isRouted, isFailed, hasForeign}: TransactionLook,
): readonly string[] {
	const depth = isRouted ? 2 : 1;
	const lines = ['Program ComputeBudget111111111111111111111111111111 invoke [1]'];
	lines.push('Program ComputeBudget111111111111111111111111111111 success');
	if (isRouted) lines.push(`Program ${ROUTER} invoke [1]`, 'Program log: Instruction: Route');
	if (hasForeign) {
		const foreign = Buffer.concat([written[0]!.event.subarray(0, 8), Buffer.alloc(380, 1)]);
		lines.push(`Program ${MOONSHOT} invoke [${depth}]`, `Program data: ${foreign.toString('base64')}`);
		lines.push(`Program ${MOONSHOT} success`);
	}
	for (const {program, event} of written) {
		lines.push(`Program ${program} invoke [${depth}]`, 'Program log: Instruction: Something');
		lines.push(`Program ${TOKEN_PROGRAM} invoke [${depth + 1}]`, 'Program log: Instruction: TransferChecked');
		lines.push(`Program ${TOKEN_PROGRAM} consumed 6147 of 90000 compute units`, `Program ${TOKEN_PROGRAM} success`);
		lines.push(`Program data: ${event.toString('base64')}`);
		lines.push(`Program ${program} invoke [${depth + 1}]`, `Program ${program} consumed 2100 of 80000 compute units`);
		lines.push(`Program ${program} success`, `Program ${program} consumed 60000 of 150000 compute units`);
		lines.push(isFailed ? `Program ${program} failed: custom program error: 0x1772` : `Program ${program} success`);
	}
	if (isRouted) lines.push(`Program ${ROUTER} success`);
	return lines;
}

/** As getTransaction gives it: the events stand in calls of the programs to themselves. */
function wholeTransaction({slot, signature, calls, isFailed, lines, whole}: FakeTransaction): unknown {
	if (whole) return meteoraTransaction(signature, slot, whole);
	const keys = [...new Set(calls.map(({program}) => program)), 'payer1111111111111111111111111111'];
	const mark = Buffer.from('e445a52e51cb9a1d', 'hex');
	return {
		slot,
		version: 1,
		meta: {
			err: isFailed ? {} : null,
			logMessages: lines,
			loadedAddresses: {readonly: [], writable: []},
			innerInstructions: [
				{
					index: 0,
					instructions: calls.map(({program, data}) => ({
						programIdIndex: keys.indexOf(program),
						accounts: [0],
						data: encodeBase58(Buffer.concat([mark, data])),
						stackHeight: 2,
					})),
				},
			],
		},
		transaction: {
			signatures: [signature],
			message: {
				accountKeys: keys,
				instructions: [
					{programIdIndex: 0, accounts: [0], data: encodeBase58(Buffer.from('0102030405060708ff', 'hex'))},
				],
			},
		},
	};
}

/** As a router calls them: all instructions of the launchpad stand within another. */
function meteoraTransaction(signature: string, slot: number, {instructions, balances}: WholeTransaction): unknown {
	const keys = [...new Set([ROUTER, ...instructions.flatMap(({program, accounts}) => [program, ...accounts])])];
	// As with a table of addresses, which the node has looked up.
	const own = keys.slice(0, 2);
	const inner = instructions.map(({program, accounts, data}) => ({
		programIdIndex: keys.indexOf(program),
		accounts: accounts.map(account => keys.indexOf(account)),
		data: encodeBase58(data),
	}));
	return {
		slot,
		version: 0,
		meta: {
			err: null,
			loadedAddresses: {writable: keys.slice(2), readonly: []},
			innerInstructions: [{index: 0, instructions: inner}],
			postTokenBalances: balances.map(({mint, amount, decimals}, accountIndex) => ({
				accountIndex,
				mint,
				uiTokenAmount: {amount: `${amount}`, decimals},
			})),
		},
		transaction: {
			signatures: [signature],
			message: {accountKeys: own, instructions: [{programIdIndex: 0, accounts: [], data: ''}]},
		},
	};
}

function curveAccount(token: FakeToken): Buffer {
	const layout = [
		['virtual_token', 'u64'],
		['virtual_quote', 'u64'],
		['left', 'u64'],
		['raised', 'u64'],
		['supply', 'u64'],
		['complete', 'bool'],
		['creator', 'pubkey'],
	] as const;
	const {virtualToken, virtualQuote, left, raised, creator} = token;
	const fields = encodeBorsh(layout, {
		virtual_token: virtualToken,
		virtual_quote: virtualQuote,
		left,
		raised,
		supply: SUPPLY,
		complete: left === 0n,
		creator,
	});
	return Buffer.concat([Buffer.from('17b7f83760d8ac60', 'hex'), fields, Buffer.alloc(70)]);
}

function poolAccount(token: FakeToken): Buffer {
	const layout = [
		['bump', 'u8'],
		['index', 'u16'],
		['creator', 'pubkey'],
		['base', 'pubkey'],
		['quote', 'pubkey'],
		['lp', 'pubkey'],
		['base_vault', 'pubkey'],
		['quote_vault', 'pubkey'],
	] as const;
	const {baseVault, quoteVault} = token.pool!;
	const fields = encodeBorsh(layout, {
		bump: 255,
		base: token.mint,
		quote: token.quote ?? SOL.address,
		base_vault: baseVault,
		quote_vault: quoteVault,
	});
	return Buffer.concat([Buffer.from('f19a6d0411b16dbc', 'hex'), fields, Buffer.alloc(90)]);
}

function vault(mint: string, owner: string, amount: bigint): {owner: string; data: Buffer} {
	const layout = [
		['mint', 'pubkey'],
		['owner', 'pubkey'],
		['amount', 'u64'],
	] as const;
	return {owner: TOKEN_PROGRAM, data: Buffer.concat([encodeBorsh(layout, {mint, owner, amount}), Buffer.alloc(93)])};
}

function mintAccount(): Buffer {
	const mint = Buffer.alloc(82);
	mint.writeBigUInt64LE(SUPPLY, 36);
	mint[44] = 6;
	mint[45] = 1;
	return mint;
}

async function readBody(request: IncomingMessage): Promise<Call> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString()) as Call;
}

function hash(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
