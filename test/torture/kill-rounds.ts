import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as sleep} from 'node:timers/promises';
import type {PrivateKeyAccount} from 'viem/accounts';
import type {ExecuteBody} from '../../source/contract/bridge.ts';
import {openJournal} from '../../source/trading/journal.ts';
import {type Service, walletOf} from '../service/bridge/wire-wallet.ts';
import {waitFor} from '../service/chain/practice.ts';
import {type Answer, ask} from '../service/helpers/http-client.ts';
import {dexBTraderOf, type Trader, traderOf, WAITING_ORDER} from '../service/perp/trader.ts';
import {type HookReceiver, openHookReceiver} from './hook-receiver.ts';
import {balanceAt, forkService, KEY, kill9, randomBy} from './processes.ts';

/** What came of the rounds. Nothing may stand in `violations`. */
export interface KillFigures {
	readonly violations: string[];
	serviceKills: number;
	killsDuringStart: number;
	walletKills: number;
	/** Transfers that were sent over the wire: answered before the kill, cut before the claim, cut after it. */
	executes: {answered: number; cutBefore: number; cutAfter: number};
	/** Of those cut after it: their transaction was written down and did not get out, so that only time could tell. */
	unclear: number;
	cancels: {answered: number; cutBefore: number; cutAfter: number};
	deliveries: {taken: number; repeated: number; owedAtKills: number};
	journalRecords: number;
	deposits: number;
	/** From the fork to the first answer, of each start after a kill. */
	startsMs: number[];
}

export interface KillOptions {
	readonly rounds: number;
	readonly seed: number;
	/** Whether the end of transfers that only time can tell about is waited for: three minutes. */
	readonly awaitsUnclear?: boolean;
	readonly onRound?: (round: number, figures: KillFigures) => void;
}

const DOLLAR = 1_000_000n;
const FUNDED_RAW = 1000n * DOLLAR;
const DEX_A = {dex: 'dexA', chainId: 'evm:42161'};
const DEX_B = {dex: 'dexB', chainId: 'dexB:304'};
/** A kill falls this long after the requests went out, at the latest. It follows how fast this machine answers. */
const FIRST_WINDOW_MS = 120;
/** Of a signed batch: long enough for a slow start in between, short enough to be waited for. */
const LIFETIME_S = 60n;
const UNCLEAR_MS = 180_000;
const OUR_FILES = {
	service: new URL('./service-under-kill.ts', import.meta.url),
	wallet: new URL('./wallet-under-kill.ts', import.meta.url),
};

/** Kills the service and a program that moves money at random points, starts them again, and checks what is left. */
export async function killRounds({rounds, seed, awaitsUnclear = true, onRound}: KillOptions): Promise<KillFigures> {
	const world = new World(seed, await openHookReceiver());
	try {
		await world.setUp();
		for (let round = 1; round <= rounds; round++) {
			await world.round();
			onRound?.(round, world.figures);
		}
		if (awaitsUnclear) await world.checkUnclear();
		await world.checkBalances();
		return world.figures;
	} finally {
		await world.close();
	}
}

/** What was under way when the service was killed. */
interface UnderWay {
	readonly executes: {readonly user: PrivateKeyAccount; readonly body: ExecuteBody; readonly answers: Answers}[];
	readonly cancels: {readonly place: Exchange; readonly body: object; readonly answers: Answers}[];
}

type Answers = Promise<(Answer | undefined)[]>;

interface Exchange {
	readonly name: 'dexA' | 'dexB';
	readonly user: PrivateKeyAccount;
}

class World {
	readonly figures: KillFigures = {
		violations: [],
		serviceKills: 0,
		killsDuringStart: 0,
		walletKills: 0,
		executes: {answered: 0, cutBefore: 0, cutAfter: 0},
		unclear: 0,
		cancels: {answered: 0, cutBefore: 0, cutAfter: 0},
		deliveries: {taken: 0, repeated: 0, owedAtKills: 0},
		journalRecords: 0,
		deposits: 0,
		startsMs: [],
	};
	readonly #home = mkdtempSync(join(tmpdir(), 'pulsetop-torture-'));
	readonly #serviceDir = join(this.#home, 'service');
	readonly #walletDir = join(this.#home, 'wallet');
	readonly #receiver: HookReceiver;
	readonly #random: () => number;
	readonly #users: PrivateKeyAccount[] = [];
	readonly #exchanges: Exchange[] = [];
	readonly #owed = new Set<string>();
	readonly #unclear: string[] = [];
	#windowMs = FIRST_WINDOW_MS;
	#children: ChildProcess[] = [];
	#serviceChild: ChildProcess | undefined;
	#service: Service = {url: '', apiKeys: [KEY]};

	constructor(seed: number, receiver: HookReceiver) {
		this.#receiver = receiver;
		this.#random = randomBy(seed);
	}

	/** Two accounts with money, one trader on each exchange, and a webhook. */
	async setUp(): Promise<void> {
		await this.#start();
		const [first, second, dexA, dexB] = await Promise.all([
			walletOf(this.#service),
			walletOf(this.#service),
			traderOf(this.#service),
			dexBTraderOf(this.#service),
		]);
		this.#users.push(first.user, second.user);
		this.#exchanges.push({name: 'dexA', user: dexA.user}, {name: 'dexB', user: dexB.user});
		const hook = {name: 'n', chainIds: ['evm:8453'], events: ['transfer'], apiKey: KEY, url: this.#receiver.url};
		const {status} = await ask(this.#service as never, 'POST', '/api/1/webhook', {body: hook});
		if (status !== 200 && status !== 201) throw new Error(`no webhook: ${status}`);
	}

	async round(): Promise<void> {
		const [wallet, send] = await Promise.all([this.#startWallet(), this.#prepare()]);
		const underWay = send();
		wallet.send('go');
		await Promise.all([
			sleep(this.#random() * this.#windowMs).then(() => this.#killService()),
			sleep(this.#random() * 2 * this.#windowMs).then(() => this.#killWallet(wallet)),
		]);
		const answers = await Promise.all([...underWay.executes, ...underWay.cancels].map(one => one.answers));
		const isTooLate = answers.every(pair => pair.some(response => response !== undefined));
		this.#windowMs = Math.min(2000, this.#windowMs * (isTooLate ? 0.7 : 1.2));
		this.#checkStore();
		this.#checkJournal();
		if (this.#random() < 0.2) {
			// The start itself is cut, while it puts in order what the kill left.
			void this.#start().catch(() => {});
			await sleep(this.#random() * 800);
			await this.#killService();
			this.figures.killsDuringStart++;
		}
		const startMs = performance.now();
		await this.#start();
		this.figures.startsMs.push(performance.now() - startMs);
		await Promise.all([
			...underWay.executes.map(one => this.#checkExecute(one)),
			...underWay.cancels.map(one => this.#checkCancel(one)),
			this.#checkDeliveries(),
		]);
	}

	/** Each user has exactly what the transfers in the service's store leave him, on both chains. */
	async checkBalances(): Promise<void> {
		const book = this.#read(
			`SELECT authority, SUM(CASE WHEN depositId IS NULL THEN 0 ELSE CAST(amountRaw AS INTEGER) END) AS paid,
			SUM(CASE WHEN fillTxHash IS NULL THEN 0 ELSE CAST(outRaw AS INTEGER) END) AS got, COUNT(depositId) AS deposits
			FROM bridge_intents WHERE status IS NOT NULL GROUP BY authority`,
		);
		for (const row of book) {
			const [authority, paid, got] = [String(row['authority']), BigInt(row['paid']!), BigInt(row['got']!)];
			this.figures.deposits += Number(row['deposits']);
			const [left, arrived] = await Promise.all([
				this.#balance('evm:8453', authority),
				this.#balance('evm:42161', authority),
			]);
			this.#expect(
				left === FUNDED_RAW - paid,
				`${authority} has ${left} left, and the book says that ${paid} were paid`,
			);
			// The practice wallet is given money on both chains, the users on the first only.
			const isUser = this.#users.some(({address}) => address.toLowerCase() === authority.toLowerCase());
			const given = isUser ? 0n : FUNDED_RAW;
			this.#expect(arrived - given === got, `${authority} got ${arrived - given}, and the book says ${got}`);
		}
	}

	async close(): Promise<void> {
		for (const child of this.#children) await kill9(child);
		await this.#receiver.close();
		// The chains end a moment after their parent, and save themselves.
		await sleep(300);
		await rm(this.#home, {recursive: true, force: true, maxRetries: 10});
	}

	#expect(holds: boolean, otherwise: string): void {
		if (!holds) this.figures.violations.push(otherwise);
	}

	async #start(): Promise<void> {
		const {service} = await forkService(OUR_FILES.service, [this.#serviceDir], child => {
			this.#children.push(child);
			this.#serviceChild = child;
		});
		this.#service = service;
	}

	async #killService(): Promise<void> {
		await kill9(this.#serviceChild!);
		this.#children = this.#children.filter(child => child !== this.#serviceChild);
		this.figures.serviceKills++;
	}

	async #startWallet(): Promise<ChildProcess> {
		const child = fork(OUR_FILES.wallet, [this.#walletDir, this.#service.url, KEY], {
			// When the service is gone it ends with a message, as it should.
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
		});
		this.#children.push(child);
		const [told] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
		this.#expect(told === 'ready', `the wallet did not start on what the kill left: it ended with ${told}`);
		return child;
	}

	async #killWallet(child: ChildProcess): Promise<void> {
		if (await kill9(child)) this.figures.walletKills++;
		this.#children = this.#children.filter(other => other !== child);
	}

	/** Signs transfers and cancels. What is given sends each twice, a moment apart, and does not wait for the answers. */
	async #prepare(): Promise<() => UnderWay> {
		const service = this.#service;
		const [executes, cancels] = await Promise.all([
			Promise.all(
				this.#users.map(async user => {
					const wallet = await walletOf(service, {user, fund: false});
					return {user, body: await wallet.sign((await wallet.quote({amount: '5'})).json.data, LIFETIME_S)};
				}),
			),
			Promise.all(
				this.#exchanges.map(async place => {
					const trader = await traderOf(service, {user: place.user, funded: false});
					return {place, body: await trader.signedExecute(await cancelOf(place, trader))};
				}),
			),
		]);
		const twice = (path: string, body: object): Answers => {
			const post = () => ask(service as never, 'POST', path, {body}).catch(() => undefined);
			return Promise.all([post(), sleep(this.#random() * 20).then(post)]);
		};
		return () => ({
			executes: executes.map(one => ({...one, answers: twice('/api/2/bridge/execute', one.body)})),
			cancels: cancels.map(one => ({...one, answers: twice('/api/2/perp/execute-v2', one.body)})),
		});
	}

	/** A transfer happened once or not at all, the status says which, and what was answered with 200 happened. */
	async #checkExecute({user, body, answers}: UnderWay['executes'][number]): Promise<void> {
		const {intentId} = body;
		const before = await answers;
		const accepted = before.filter(response => response?.status === 200).length;
		this.#expect(accepted <= 1, `${intentId} was accepted ${accepted} times`);
		const status = () => this.#status(intentId);
		const isUnsent = (await status()).message === 'Quoted, not submitted.';
		const counted = this.figures.executes;
		if (accepted > 0) counted.answered++;
		else if (isUnsent) counted.cutBefore++;
		else counted.cutAfter++;
		this.#expect(!(isUnsent && accepted > 0), `${intentId} was accepted, and its claim is lost`);
		const again = await ask(this.#service as never, 'POST', '/api/2/bridge/execute', {body});
		this.#expect(again.status === (isUnsent ? 200 : 409), `${intentId}: ${again.status} to the second execute`);
		const row = await waitFor(async () => {
			const now = await status();
			return ['settled', 'failed', 'refunded'].includes(now.status) && now;
		}).catch(status);
		if (row.status === 'pending' && accepted === 0) {
			this.figures.unclear++;
			this.#unclear.push(intentId);
			return;
		}
		const isLost = row.status === 'failed' && accepted === 0 && !isUnsent;
		this.#expect(
			row.status === 'settled' || isLost,
			`${intentId} of ${user.address} ended as ${row.status}: ${row.message}`,
		);
	}

	/** What only time could tell about has ended by now, one way or the other. */
	async checkUnclear(): Promise<void> {
		for (const intentId of this.#unclear) {
			const hasEnded = async () => ['settled', 'failed'].includes((await this.#status(intentId)).status);
			const isClear = await waitFor(hasEnded, UNCLEAR_MS).catch(() => false);
			this.#expect(isClear, `${intentId} did not end after its deadline`);
		}
	}

	async #status(intentId: string): Promise<{status: string; message: string}> {
		return (await ask(this.#service as never, 'GET', `/api/2/bridge/status/${intentId}`)).json.data;
	}

	/** An order whose cancel was answered is gone; another is still there, and can be cancelled. No cancel happens twice. */
	async #checkCancel({place, body, answers}: UnderWay['cancels'][number]): Promise<void> {
		const before = await answers;
		const accepted = before.filter(response => response?.status === 200).length;
		this.#expect(accepted <= 1, `a cancel on ${place.name} was accepted ${accepted} times`);
		const trader = await traderOf(this.#service, {user: place.user, funded: false});
		const orders = async () => (await trader.rows('unfilled', `&dex=${place.name}`)) as unknown[];
		const counted = this.figures.cancels;
		const isGone = await waitFor(async () => (await orders()).length === 0, accepted > 0 ? 5000 : 300).catch(
			() => false,
		);
		if (accepted > 0) counted.answered++;
		else if (isGone) counted.cutAfter++;
		else counted.cutBefore++;
		this.#expect(isGone || accepted === 0, `a cancel on ${place.name} was answered, and its order is still there`);
		const again = await ask(this.#service as never, 'POST', '/api/2/perp/execute-v2', {body});
		if (isGone) this.#expect(again.json.success !== true, `a cancel on ${place.name} was done twice`);
		if ((await orders()).length > 0) await trader.carryOut('cancel-order', await orderOf(place, trader));
		const left = (await orders()).length;
		this.#expect(left === 0, `${left} orders on ${place.name} cannot be cancelled after the kill`);
		if (place.name === 'dexA') {
			const balance = await trader.balance();
			this.#expect(balance === FUNDED_RAW, `the collateral on dexA came back as ${balance}`);
		}
	}

	/** All that was in the outbox when the service was killed arrives. */
	async #checkDeliveries(): Promise<void> {
		const {taken, tried} = this.#receiver;
		await waitFor(() => [...this.#owed].every(id => taken.has(id)), 15_000).catch(() => {});
		const lost = [...this.#owed].filter(id => !taken.has(id));
		this.#expect(lost.length === 0, `${lost.length} deliveries did not arrive: ${lost.slice(0, 3)}`);
		this.#owed.clear();
		const repeated = [...tried.values()].filter(times => times > 1).length;
		Object.assign(this.figures.deliveries, {taken: taken.size, repeated});
	}

	/** The store is whole, and everything that was tried and not taken is still in its outbox. */
	#checkStore(): void {
		const [whole] = this.#read('PRAGMA integrity_check');
		this.#expect(whole?.['integrity_check'] === 'ok', `the store is damaged: ${JSON.stringify(whole)}`);
		for (const {id} of this.#read('SELECT id FROM webhook_deliveries')) this.#owed.add(String(id));
		this.figures.deliveries.owedAtKills += this.#owed.size;
		for (const id of this.#receiver.tried.keys()) {
			this.#expect(this.#receiver.taken.has(id) || this.#owed.has(id), `the delivery ${id} is lost`);
		}
		const dead = this.#read('SELECT id FROM webhook_dead_letters').length;
		this.#expect(dead === 0, `${dead} deliveries were given up`);
	}

	#checkJournal(): void {
		const directory = join(this.#walletDir, 'trading', 'practice');
		const path = join(directory, 'journal.jsonl');
		if (!existsSync(path)) return;
		try {
			this.figures.journalRecords = openJournal(path).records().length;
		} catch (error) {
			this.#expect(false, `the journal is broken: ${(error as Error).message}`);
		}
		const torn = readdirSync(directory).filter(name => name.includes('.torn-'));
		this.#expect(torn.length === 0, `the journal was torn: ${torn}`);
	}

	#read(sql: string): Record<string, string | number | null>[] {
		const database = new DatabaseSync(join(this.#serviceDir, 'service.db'));
		try {
			return database.prepare(sql).all() as Record<string, string | number | null>[];
		} finally {
			database.close();
		}
	}

	async #balance(chainId: string, holder: string): Promise<bigint> {
		const chains = (await ask(this.#service as never, 'GET', '/dev/chains')).json.data as {
			chainId: string;
			contracts: Record<string, string>;
		}[];
		const to = chains.find(chain => chain.chainId === chainId)!.contracts['usdc'];
		return balanceAt(this.#service, chainId, to!, holder);
	}
}

/** Places an order that waits, and gives the signed cancel of it. */
async function cancelOf(place: Exchange, trader: Trader): Promise<Record<string, unknown>> {
	await trader.carryOut('create-order', place.name === 'dexA' ? WAITING_ORDER : {...WAITING_ORDER, dexes: ['dexB']});
	const built = await trader.payload('cancel-order', await orderOf(place, trader));
	return trader.prepared(built.json.data);
}

async function orderOf(place: Exchange, trader: Trader): Promise<object> {
	const [row] = await trader.rows('unfilled', `&dex=${place.name}`);
	const orderIndex = row.id.split('-').at(-1);
	return place.name === 'dexA'
		? {...DEX_A, orderIndex, orderType: 'order'}
		: {...DEX_B, orderIndex, marketId: 'BTC-USD'};
}
