import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import type {BridgeFlow} from '../../source/trading/bridge/flow.ts';
import {intentsIn} from '../../source/trading/bridge/journal-fold.ts';
import {type BridgeState, isInFlight} from '../../source/trading/bridge/machine.ts';
import {openTrading, openTradingFiles, type Trading, type TradingFiles} from '../../source/trading/open-trading.ts';
import {feedPrices} from '../../source/trading/positions/feed-prices.ts';
import {openPositions} from '../../source/trading/positions/open-positions.ts';
import {settledTrades} from '../../source/trading/positions/settled.ts';
import {fundPracticeWallet, listPracticeChains} from '../../source/trading/practice-funds.ts';
import type {Service} from '../service/bridge/wire-wallet.ts';
import {waitFor} from '../service/chain/practice.ts';
import {balanceAt, forkService, KEY, kill9, randomBy} from './processes.ts';
import {AWAY, HOME, resumeOpen, tradeOnce} from './trade-once.ts';
import {tradableLaunches} from './traded-launches.ts';
import type {Errand} from './trading-wallet.ts';
import {POINTS, type Point} from './wallet-points.ts';

/** What came of the rounds. Nothing may stand in `violations`. */
export interface WalletFigures {
	readonly violations: string[];
	/** Of wallets: at their own points, and at random. */
	readonly kills: Record<Point | 'random', number>;
	/** Wallets that did not come to their point: nothing could be traded, or the service was gone. */
	unreached: number;
	serviceKills: number;
	/** Trades that were claimed in the journal, by how they ended. */
	readonly ended: Record<string, number>;
	/** Tokens of a wallet whose balance was compared. */
	positions: number;
	/** Launches that were bought again when everything had ended. */
	boughtAgain: number;
	journalRecords: number;
}

export interface WalletOptions {
	readonly rounds: number;
	readonly seed: number;
	readonly wallets?: number;
	/** Share of the rounds in which the service is killed too. */
	readonly serviceKills?: number;
	/**
	 * How far the clock is set ahead to read the end of what was never sent, ms; default 0: its deadline is waited for,
	 * three minutes.
	 */
	readonly aheadMs?: number;
	readonly onRound?: (round: number, figures: WalletFigures) => void;
}

const DOLLAR = 1_000_000n;
/** With less a wallet is given more. */
const MIN_RAW = 200n * DOLLAR;
/** A kill at random falls this long after a wallet is ready, at the latest. */
const WINDOW_MS = 1500;
/** Longer than any trade takes to its end while its service runs. */
const PATIENCE_MS = 30_000;
const UNSENT_MS = 240_000;
const FILES = {
	service: new URL('./trade-service.ts', import.meta.url),
	wallet: new URL('./trading-wallet.ts', import.meta.url),
};

/**
 * Kills wallets at their own points and at random ones while they buy and sell launches, and the service now and then. Each
 * new process of a wallet reads what the one before left. When everything has ended, the positions are the balances of the
 * chains.
 */
export async function walletRounds(options: WalletOptions): Promise<WalletFigures> {
	const world = new WalletWorld(options);
	try {
		await world.setUp();
		for (let round = 1; round <= options.rounds; round++) {
			await world.round();
			options.onRound?.(round, world.figures);
		}
		await world.finish();
		return world.figures;
	} finally {
		await world.close();
	}
}

class WalletWorld {
	readonly figures: WalletFigures = {
		violations: [],
		kills: Object.fromEntries([...POINTS, 'random'].map(point => [point, 0])) as WalletFigures['kills'],
		unreached: 0,
		serviceKills: 0,
		ended: {},
		positions: 0,
		boughtAgain: 0,
		journalRecords: 0,
	};
	readonly #home = mkdtempSync(join(tmpdir(), 'pulsetop-wallets-'));
	readonly #walletDir = join(this.#home, 'wallet');
	readonly #launches = tradableLaunches(AWAY);
	readonly #options: WalletOptions;
	readonly #random: () => number;
	/** Addresses by name, and what each was given. */
	readonly #wallets = new Map<string, {readonly address: string; givenRaw: bigint}>();
	readonly #children = new Set<ChildProcess>();
	#nextPoint = 0;
	#serviceChild: ChildProcess | undefined;
	#service: Service = {url: '', apiKeys: [KEY]};
	#usdc = '';

	constructor(options: WalletOptions) {
		this.#options = options;
		this.#random = randomBy(options.seed);
		this.#nextPoint = Math.floor(this.#random() * POINTS.length);
	}

	/** Wallets with dollars, over one journal, and with limits that the trials do not reach. */
	async setUp(): Promise<void> {
		await this.#start();
		const {keystore, caps} = this.#files();
		const chains = await listPracticeChains({baseUrl: this.#service.url, apiKey: KEY});
		this.#usdc = chains.find(({chainId}) => chainId === HOME)!.contracts['usdc']!;
		const much = {perTransaction: '1000000', perDay: '1000000'};
		const ledgers = [
			['usd', 'buys'],
			['usd', 'sells'],
			[HOME, this.#usdc],
		] as const;
		for (const [chainId, token] of ledgers) await caps.setLimit(chainId, token, much, async () => {});
		for (let n = 1; n <= (this.#options.wallets ?? 3); n++) {
			const name = `wallet-${n}`;
			await keystore.create(name);
			this.#wallets.set(name, {address: keystore.list().find(row => row.name === name)!.address!, givenRaw: 0n});
		}
		await this.#fund();
	}

	async round(): Promise<void> {
		await this.#fund();
		const withService = this.#random() < (this.#options.serviceKills ?? 0);
		const going = [...this.#wallets.keys()].map(wallet => this.#sendOut(wallet, withService));
		if (withService) {
			await sleep(this.#random() * 2 * WINDOW_MS);
			await this.#restart();
		}
		await Promise.all(going);
		this.#checkJournal();
	}

	/** Reads every end as a start of the program does, and compares. */
	async finish(): Promise<void> {
		const {trading, close} = this.#open();
		trading.choose('wallet-1');
		await this.#readEnds(trading);
		const open = await trading.openIntents();
		const left = open.map(({intentId, state}) => `${intentId} (${state.phase}: ${state.said})`);
		this.#expect(left.length === 0, `not ended: ${left}`);
		this.#checkSignatures(trading);
		await this.#checkAmounts('after the kills');
		await this.#buyAgain();
		await this.#checkAmounts('after all was bought again');
		for (const {state} of intentsIn(trading.journal.records()))
			this.figures.ended[state.phase] = (this.figures.ended[state.phase] ?? 0) + 1;
		await close();
	}

	async close(): Promise<void> {
		for (const child of [...this.#children, this.#serviceChild]) if (child) await kill9(child);
		// The chains end a moment after their parent, and save themselves.
		await sleep(300);
		await rm(this.#home, {recursive: true, force: true, maxRetries: 10});
	}

	#expect(holds: boolean, otherwise: string): void {
		if (!holds) this.figures.violations.push(otherwise);
	}

	#files(): TradingFiles {
		return openTradingFiles({dataDir: this.#walletDir, mode: 'practice', scryptCost: 1024});
	}

	/** The program's own parts over the files of the wallets, in this process. */
	#open(aheadMs = 0): {trading: Trading; client: Client; close: () => Promise<void>} {
		const {url: baseUrl} = this.#service;
		const client = createClient({baseUrl, streamUrl: null, apiKey: KEY});
		const {call, clock} = client;
		const ahead = {nowMs: () => clock.nowMs() + aheadMs, skewMs: 0, uncertaintyMs: clock.uncertaintyMs};
		const trading = openTrading({
			dataDir: this.#walletDir,
			mode: 'practice',
			client: {call, clock: aheadMs === 0 ? clock : ahead},
			practice: {baseUrl, apiKey: KEY},
			scryptCost: 1024,
		});
		return {trading, client, close: () => client.close()};
	}

	/** The service keeps its port, so that wallets live through its end. */
	async #start(): Promise<void> {
		const port = new URL(this.#service.url || 'http://localhost:0').port;
		const {service} = await forkService(FILES.service, [join(this.#home, 'service'), port || '0'], child => {
			this.#serviceChild = child;
		});
		this.#service = service;
	}

	async #restart(): Promise<void> {
		if (await kill9(this.#serviceChild!)) this.figures.serviceKills++;
		await this.#start();
	}

	async #fund(): Promise<void> {
		const dollarsOf = (address: string) => balanceAt(this.#service, HOME, this.#usdc, address);
		const give = async (wallet: {readonly address: string; givenRaw: bigint}) => {
			const {address} = wallet;
			if ((await dollarsOf(address)) >= MIN_RAW) return;
			const service = {baseUrl: this.#service.url, apiKey: KEY};
			await fundPracticeWallet({...service, chainId: HOME, address, token: this.#usdc});
			wallet.givenRaw += GIVEN_RAW;
			await waitFor(async () => (await dollarsOf(address)) >= MIN_RAW);
		};
		await Promise.all([...this.#wallets.values()].map(give));
	}

	/** Starts a wallet, and waits until it is dead. @param withService whether the service is killed meanwhile */
	async #sendOut(wallet: string, withService: boolean): Promise<void> {
		const number = this.#nextPoint++ % (POINTS.length + 1);
		const point = POINTS[number];
		const launches = this.#launches.toSorted(() => this.#random() - 0.5).slice(0, 6);
		const seed = Math.floor(this.#random() * 1e9);
		const errand: Errand = {wallet, usdc: this.#usdc, launches, seed, ...(point && {point})};
		const killMs = this.#random() * WINDOW_MS;
		const child = fork(FILES.wallet, [this.#walletDir, this.#service.url, JSON.stringify(errand)], {
			stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		});
		this.#children.add(child);
		let said = '';
		child.stderr!.on('data', chunk => {
			said += chunk;
		});
		const gone = once(child, 'exit');
		await Promise.race([once(child, 'message'), gone]);
		await Promise.race([gone, sleep(point === undefined ? killMs : PATIENCE_MS, undefined, {ref: false})]);
		const isOurs = await kill9(child);
		this.#children.delete(child);
		// What a kill of the service cut may have its end only after its deadline.
		const isStuck = isOurs && point !== undefined && !withService;
		this.#expect(!isStuck, `${wallet} came to no end, and not to ${point}`);
		if (isOurs) this.figures.kills.random++;
		else if (child.signalCode === 'SIGKILL') this.figures.kills[point ?? 'random']++;
		else {
			this.figures.unreached++;
			this.#expect(child.exitCode === 0, `${wallet} ended with ${child.exitCode}: ${said}`);
		}
	}

	/** What was sent ends by itself; what was not, when its deadline has passed. */
	async #readEnds(trading: Trading): Promise<void> {
		const {aheadMs = 0} = this.#options;
		const flows = await resumeOpen(trading);
		if (aheadMs === 0) {
			await patiently(Promise.all(flows.map(flow => flow.watch())), UNSENT_MS);
			return;
		}
		await readUntil(flows, ({said}) => said === UNSENT);
		const later = this.#open(aheadMs);
		later.trading.choose('wallet-1');
		await readUntil(await resumeOpen(later.trading));
		await later.close();
	}

	#checkJournal(): void {
		const directory = join(this.#walletDir, 'trading', 'practice');
		try {
			this.figures.journalRecords = this.#files().journal.records().length;
		} catch (error) {
			this.#expect(false, `the journal is broken: ${(error as Error).message}`);
		}
		const torn = readdirSync(directory).filter(name => name.includes('.torn-'));
		this.#expect(torn.length === 0, `the journal was torn: ${torn}`);
	}

	/** Every batch that was signed was claimed before, and every intent was signed once at most. */
	#checkSignatures({journal}: Trading): void {
		const records = journal.records();
		const claims = records.filter(({kind}) => kind === 'bridge.intended');
		const signed = records.filter(({kind, data}) => kind === 'wallet.signed' && data['what'] === 'batch');
		for (const id of repeated(claims.map(record => record.id))) this.#expect(false, `${id} was claimed twice`);
		const digests = signed.map(({data}) => String(data['digest']));
		for (const digest of repeated(digests)) this.#expect(false, `${digest} was signed twice`);
		const claimed = new Set(claims.map(({data}) => data['digest']));
		for (const digest of digests) this.#expect(claimed.has(digest), `${digest} was signed without a claim`);
	}

	/** Positions, dollars and limits, each against the chains. */
	async #checkAmounts(when: string): Promise<void> {
		const {trading, client, close} = this.#open();
		const {journal, chains} = trading;
		const practice = () => listPracticeChains({baseUrl: this.#service.url, apiKey: KEY});
		const {positions, underWay} = await openPositions(
			{journal, chains, practice, nowMs: Date.now},
			feedPrices(client, Date.now),
		);
		const expect = (holds: boolean, otherwise: string) => this.#expect(holds, `${when}: ${otherwise}`);
		expect(underWay.length === 0, `under way: ${underWay.map(({intentId}) => intentId)}`);
		for (const {holding, boughtRaw, foreignRaw, movedRaw} of positions) {
			const {id, trackedRaw, goneRaw} = holding;
			const says = `${id} tracks ${trackedRaw}: bought ${boughtRaw}, foreign ${foreignRaw}, moved ${movedRaw}, gone ${goneRaw}`;
			expect(boughtRaw === trackedRaw && foreignRaw === 0n && movedRaw === 0n && goneRaw === 0n, says);
		}
		const trades = settledTrades(journal.records());
		await Promise.all(
			[...this.#wallets.values()].map(async ({address, givenRaw}) => {
				const wallet = address.toLowerCase();
				for (const launch of this.#launches) {
					const held = await balanceAt(this.#service, AWAY, launch, address);
					const position = positions.find(({holding}) => holding.wallet === wallet && holding.token === launch);
					if (position) this.figures.positions++;
					const bought = position?.boughtRaw ?? 0n;
					expect(held === bought, `${wallet} has ${held} of ${launch}, and the position says ${bought}`);
				}
				const own = trades.filter(trade => trade.wallet === wallet);
				const sum = (list: typeof own) => list.reduce((all, {usdMicro}) => all + usdMicro, 0n);
				const paid = sum(own.filter(({side}) => side === 'buy'));
				const came = sum(own.filter(({side, end}) => side === 'sell' && end === 'traded'));
				const dollars = await balanceAt(this.#service, HOME, this.#usdc, address);
				const expected = givenRaw - paid + came;
				expect(dollars === expected, `${wallet} has ${dollars} micro-USD, and the journal says ${expected}`);
			}),
		);
		this.#checkLimits(trading, expect);
		await close();
	}

	/** The limits count every trade of which something left, and nothing else. */
	#checkLimits({journal}: Trading, expect: (holds: boolean, otherwise: string) => void): void {
		const counting = new Map<string, Readonly<Record<string, unknown>>>();
		for (const {kind, id, data} of journal.records()) {
			if (kind === 'limit.counted') counting.set(id, data);
			if (kind === 'limit.released') counting.delete(id);
		}
		const counted = (isCounted: (data: Readonly<Record<string, unknown>>) => boolean, amount: string) =>
			new Map([...counting].filter(([, data]) => isCounted(data)).map(([id, data]) => [id, data[amount]]));
		const left = intentsIn(journal.records()).filter(({state}) => /^(filled|settled|refunded)$/.test(state.phase));
		const buys = counted(({side}) => side === 'buy', 'usdMicro');
		const sells = counted(({side}) => side === 'sell', 'usdMicro');
		const isDollar = ({chainId, token}: Readonly<Record<string, unknown>>) =>
			`${chainId}|${token}`.toLowerCase() === `${HOME}|${this.#usdc}`.toLowerCase();
		const units = counted(isDollar, 'amountRaw');
		for (const {intentId, intended} of left) {
			const {trade, amountRaw} = intended;
			const ledger = trade!.side === 'buy' ? buys : sells;
			expect(ledger.has(intentId), `${intentId} is not counted among the ${trade!.side}s`);
			if (trade!.side === 'sell') continue;
			// The dollars have the decimals that the limits count in.
			for (const row of [buys.get(intentId), units.get(intentId)])
				expect(row === amountRaw, `${intentId} is counted as ${row}, and ${amountRaw} left`);
		}
		const moved = new Set(left.map(({intentId}) => intentId));
		for (const id of counting.keys()) expect(moved.has(id), `${id} moved nothing, and is counted`);
	}

	/** Every launch that a wallet traded, or tried to, can be bought by it again. */
	async #buyAgain(): Promise<void> {
		const tried = new Map<string, string>();
		for (const {intended} of intentsIn(this.#files().journal.records()))
			tried.set(intended.trade!.token, intended.authority.toLowerCase());
		await Promise.all(
			[...this.#wallets].map(async ([name, {address}]) => {
				const {trading, client, close} = this.#open();
				await trading.choose(name).unlock();
				for (const [launch, wallet] of tried) {
					if (wallet !== address.toLowerCase()) continue;
					const flow = await tradeOnce(trading, client, {side: 'buy', launch, amount: '8', usdc: this.#usdc});
					// The crowd may have left a launch that nobody can buy.
					if (flow === undefined) continue;
					await patiently(flow.watch(), PATIENCE_MS);
					this.#expect(!isInFlight(flow.view.state), `${launch} was bought again, and has no end`);
					this.figures.boughtAgain++;
				}
				await close();
			}),
		);
	}
}

/** What the faucet gives. */
const GIVEN_RAW = 1000n * DOLLAR;

/** What the service says of an intent that it was never asked to execute. */
const UNSENT = 'Quoted, not submitted.';

/** Reads transfers until each has ended, or is read far enough; what is missing then is found by the checks. */
async function readUntil(flows: readonly BridgeFlow[], isEnough: (state: BridgeState) => boolean = () => false) {
	const isRead = async (flow: BridgeFlow) => {
		const state = await flow.read().catch(() => flow.view.state);
		return !isInFlight(state) || isEnough(state);
	};
	await waitFor(async () => (await Promise.all(flows.map(isRead))).every(Boolean), PATIENCE_MS).catch(() => {});
}

/** Waits for work, but not for ever: what is missing then is found by the checks. */
async function patiently(work: Promise<unknown>, ms: number): Promise<void> {
	await Promise.race([work, sleep(ms, undefined, {ref: false})]);
}

function repeated(values: readonly string[]): readonly string[] {
	return values.filter((value, at) => values.indexOf(value) !== at);
}
