import type {ChildProcess} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as sleep} from 'node:timers/promises';
import type {PrivateKeyAccount} from 'viem/accounts';
import type {Quote} from '../../source/contract/bridge.ts';
import type {HeldToken} from '../../source/service/market/held-token.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {type Service, walletOf} from '../service/bridge/wire-wallet.ts';
import {newUser, waitFor} from '../service/chain/practice.ts';
import {ask} from '../service/helpers/http-client.ts';
import {balanceAt, forkService, KEY, kill9, randomBy} from './processes.ts';
import {tradableLaunches} from './traded-launches.ts';

/** What came of the rounds. Nothing may stand in `violations`. */
export interface TradeFigures {
	readonly violations: string[];
	kills: number;
	/** Trades that were posted, by how they ended; `unclear` ones wait for the deadline of their batch. */
	readonly ended: Record<string, number>;
	/** Quotes that were refused: the crowd took a pool's money, or a curve was sold out. */
	refused: number;
}

export interface TradeOptions {
	readonly rounds: number;
	readonly seed: number;
	readonly users?: number;
	readonly onRound?: (round: number, figures: TradeFigures) => void;
}

const HOME = 8453;
const AWAY = 42161;
/** Of a signed batch. */
const LIFETIME_S = 60n;
/** A kill falls this long after the requests went out, at the latest. */
const WINDOW_MS = 250;
/** How long a trade may take to its end after a start, on the slowest of machines. */
const SETTLED_MS = 45_000;
const SERVICE = new URL('./trade-service.ts', import.meta.url);

/**
 * Kills the service at random points while launches are bought and sold, starts it again, and checks what is left: each
 * trade happened once or not at all, wallets have what the trades left them, and the market says the same.
 */
export async function tradeRounds({rounds, seed, users = 2, onRound}: TradeOptions): Promise<TradeFigures> {
	const world = new TradedWorld(seed);
	try {
		await world.setUp(users);
		for (let round = 1; round <= rounds; round++) {
			await world.round();
			onRound?.(round, world.figures);
		}
		return world.figures;
	} finally {
		await world.close();
	}
}

class TradedWorld {
	readonly figures: TradeFigures = {violations: [], kills: 0, ended: {}, refused: 0};
	readonly #home = mkdtempSync(join(tmpdir(), 'pulsetop-trades-'));
	readonly #launches = tradableLaunches(`evm:${AWAY}`);
	readonly #users: PrivateKeyAccount[] = [];
	readonly #random: () => number;
	#child: ChildProcess | undefined;
	#service: Service = {url: '', apiKeys: [KEY]};

	constructor(seed: number) {
		this.#random = randomBy(seed);
	}

	/** Accounts with money, each with some of a launch. */
	async setUp(users: number): Promise<void> {
		await this.#start();
		for (let n = 0; n < users; n++) this.#users.push((await walletOf(this.#service, {user: newUser()})).user);
		await Promise.all(this.#users.map(async user => this.#settled(await this.#post(await this.#firstBuy(user)))));
		await this.#checkAll();
	}

	async round(): Promise<void> {
		const bodies = (await Promise.all(this.#users.map(user => this.#signedTrade(user)))).filter(
			body => body !== undefined,
		);
		const posted = bodies.map(body => this.#post(body));
		await sleep(this.#random() * WINDOW_MS);
		await this.#kill();
		await Promise.all(posted);
		await this.#start();
		await Promise.all(bodies.map(({intentId}) => this.#settled(intentId)));
		await this.#checkAll();
	}

	async close(): Promise<void> {
		await this.#kill();
		// The chains end a moment after their parent, and save themselves.
		await sleep(300);
		await rm(this.#home, {recursive: true, force: true, maxRetries: 10});
	}

	async #start(): Promise<void> {
		const {service} = await forkService(SERVICE, [this.#home], child => {
			this.#child = child;
		});
		this.#service = service;
	}

	async #kill(): Promise<void> {
		if (await kill9(this.#child!)) this.figures.kills++;
	}

	/** Sells a part of what a user has, or buys. Undefined when the launch cannot be traded now. */
	async #signedTrade(user: PrivateKeyAccount) {
		for (const launch of this.#launches) {
			const balance = await balanceAt(this.#service, `evm:${AWAY}`, launch, user.address);
			if (balance === 0n || this.#random() < 0.5) continue;
			const amountRaw = this.#random() < 0.5 ? balance : balance / 3n;
			const wallet = await walletOf(this.#service, {user, fund: false, number: AWAY});
			const query = {destinationChainId: `evm:${HOME}`, originToken: launch, slippage: 40};
			const {json} = await wallet.quote({...query, amount: undefined, amountRaw: amountRaw.toString()});
			if (json.data !== undefined) return wallet.sign(json.data as Quote, LIFETIME_S);
			this.figures.refused++;
		}
		return this.#signedBuy(user);
	}

	/** The market goes on while it is bought from: what it refuses of one launch, another has. */
	async #firstBuy(user: PrivateKeyAccount) {
		for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
			const body = await this.#signedBuy(user);
			if (body) return body;
			await sleep(100);
		}
		throw new Error('the market refused every purchase');
	}

	/** Undefined when the launch cannot be bought now. */
	async #signedBuy(user: PrivateKeyAccount) {
		const wallet = await walletOf(this.#service, {user, fund: false, number: HOME});
		const launch = this.#launches[Math.floor(this.#random() * this.#launches.length)]!;
		const amount = (2 + this.#random() * 20).toFixed(2);
		const {json} = await wallet.quote({destinationToken: launch, amount, slippage: 40});
		if (json.data !== undefined) return wallet.sign(json.data as Quote, LIFETIME_S);
		this.figures.refused++;
		return undefined;
	}

	/** Posts a trade; what came of it is read from its status. */
	async #post(body: {readonly intentId: string}): Promise<string> {
		await ask(this.#service as never, 'POST', '/api/2/bridge/execute', {body}).catch(() => undefined);
		return body.intentId;
	}

	/** Waits for the end of a trade, or until it is clear that only its deadline can tell. */
	async #settled(intentId: string): Promise<void> {
		const status = async () => (await ask(this.#service as never, 'GET', `/api/2/bridge/status/${intentId}`)).json.data;
		const row = await waitFor(async () => {
			const now = await status();
			const isUnsent = now.message === 'Quoted, not submitted.';
			return (isUnsent || ['settled', 'failed', 'refunded'].includes(now.status)) && now;
		}, SETTLED_MS).catch(status);
		const isUnsent = row.message === 'Quoted, not submitted.';
		const end = isUnsent ? 'unsent' : row.status === 'pending' ? 'unclear' : row.status;
		this.figures.ended[end] = (this.figures.ended[end] ?? 0) + 1;
		const isEnd = ['unsent', 'unclear', 'settled', 'refunded', 'failed'].includes(end);
		this.#expect(isEnd, `${intentId} is ${row.status}: ${row.message} ${row.failureReason}`);
	}

	/** What each wallet has of each launch, on the chain, in the book of the service and in the market. */
	async #checkAll(): Promise<void> {
		await waitFor(() => this.#read('SELECT key FROM practice_tokens WHERE pendingTx IS NOT NULL').length === 0).catch(
			() => this.#expect(false, 'a trade did not come into the market'),
		);
		const rows = this.#read('SELECT facts FROM practice_tokens');
		const market = rows.map(({facts}) => JSON.parse(String(facts)) as HeldToken);
		const moved = this.#read(
			`SELECT authority, launch, originToken, destinationToken, amountRaw, outRaw, depositId, fillTxHash
			FROM bridge_intents WHERE launch IS NOT NULL`,
		);
		for (const {address} of this.#users) {
			for (const launch of this.#launches) {
				const own = moved.filter(row => row['authority'] === address);
				const bought = own.filter(row => isOf(row, 'destination', launch) && row['fillTxHash'] !== null);
				const sold = own.filter(row => isOf(row, 'origin', launch) && row['depositId'] !== null);
				const booked =
					bought.reduce((sum, row) => sum + BigInt(row['outRaw'] ?? 0), 0n) -
					sold.reduce((sum, row) => sum + BigInt(row['amountRaw']!), 0n);
				const held = await balanceAt(this.#service, `evm:${AWAY}`, launch, address);
				this.#expect(held === booked, `${address} has ${held} of ${launch}, and the book says ${booked}`);
				const token = market.find(one => one.address.toLowerCase() === launch);
				const inMarket = token?.holders.find(one => one.wallet.toLowerCase() === address.toLowerCase())?.tokens ?? 0;
				const whole = Number(held) / 1e18;
				const isOne = Math.abs(inMarket - whole) <= 1e-9 * Math.max(whole, 1);
				this.#expect(isOne, `${address} has ${whole} of ${launch}, and the market says ${inMarket}`);
			}
		}
	}

	#expect(holds: boolean, otherwise: string): void {
		if (!holds) this.figures.violations.push(otherwise);
	}

	#read(sql: string): Record<string, string | number | null>[] {
		const database = new DatabaseSync(join(this.#home, 'service.db'));
		try {
			return database.prepare(sql).all() as Record<string, string | number | null>[];
		} finally {
			database.close();
		}
	}
}

/** Whether an intent buys or sells a launch. */
function isOf(row: Record<string, string | number | null>, side: 'origin' | 'destination', launch: string): boolean {
	return row['launch'] === side && String(row[`${side}Token`]).toLowerCase() === launch;
}
