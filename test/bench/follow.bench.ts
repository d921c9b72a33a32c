import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findEvmChain} from '../../source/chains/evm-chains.ts';
import {batchEvents} from '../../source/service/follow/evm/batch-events.ts';
import {readBatch} from '../../source/service/follow/evm/batch-reading.ts';
import type {BlockBatch} from '../../source/service/follow/evm/block-stream.ts';
import {FollowedTokens} from '../../source/service/follow/evm/followed-tokens.ts';
import type {Log} from '../../source/service/follow/evm/log.ts';
import type {Address, Hex} from '../../source/service/follow/evm/venue.ts';
import {TRANSFER, VenueReader} from '../../source/service/follow/evm/venue-reader.ts';
import {venuesOf} from '../../source/service/follow/evm/venues.ts';
import {createFollowedMarket, type FollowedMarket} from '../../source/service/follow/followed-market.ts';
import {Journal} from '../../source/service/log/journal.ts';
import type {EventSink} from '../../source/service/market/event-source.ts';
import type {LaunchEvent, MarketEvent} from '../../source/service/market/events.ts';
import {Random} from '../../source/service/market/simulator/random.ts';
import {builtLog, builtTransfer} from '../helpers/built-log.ts';
import {address, batch, CHAIN, GENESIS_MS, launch, trade} from '../service/follow/made-events.ts';

/*
 * A market that follows chains, in one process and on one core: logs of a launchpad into rows, and a restart with a day of a busy
 * chain in the journal. Logs a second are those of a second of CPU time, so that a busy machine has the same figure. Single runs. Answers of nodes are not read here, and prices come from a constant.
 */

const GOAL = 20_000;
const LAUNCHES = 40_000;
const TRADES = 3_000_000;
const DAY_MS = 86_400_000;
const RESTART = '--restart';

function row(what: string, figure: string, goal = ''): void {
	console.log(`${what.padEnd(64)} ${figure.padStart(16)}  ${goal}`);
}

/** A market with a journal in a directory, and its sink. */
function openMarket(dataDir: string, chainId: string, nowMs: () => number): {market: FollowedMarket; sink: EventSink} {
	let sink: EventSink | undefined;
	const source = {
		start: (given: EventSink) => {
			sink = given;
		},
		stop: async () => {},
	};
	const options = {chains: [{chainId, name: 'bench', urls: ['http://node.example']}]};
	const market = createFollowedMarket({options, sources: [() => source], dataDir, nowMs});
	market.start();
	return {market, sink: sink!};
}

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
	try {
		await work(directory);
	} finally {
		rmSync(directory, {recursive: true, force: true});
	}
}

const MANAGER: Address = '0x5c952063c7fc8610ffdb798152d69f0b9550762b';
const ZERO = address(0) as Address;
const UNIT = 10n ** 18n;

/** Blocks of four.meme: a launch in each fifth, purchases and sales of the last 300 tokens, each with the token's transfer. */
function* launchpadBlocks(blocks: number): Generator<Log[]> {
	const random = new Random(9);
	const tokens: Address[] = [];
	for (let block = 1; block <= blocks; block++) {
		const logs: Log[] = [];
		let transaction = 0;
		const put = (log: Log): void => {
			const place = {blockNumber: block, logIndex: logs.length};
			logs.push({
				...log,
				...place,
				transactionHash: `0x${(block * 1000 + transaction).toString(16).padStart(64, '0')}`,
			});
		};
		const moved = (token: Address, from: Address, to: Address, amount: bigint): void =>
			put(builtTransfer({token, from, to, amount}).log);
		if (block % 5 === 1) {
			const token = address(0xfee00000 + block) as Address;
			tokens.push(token);
			moved(token, ZERO, MANAGER, 1_000_000_000n * UNIT);
			put(
				builtLog(
					'event TokenCreate(address creator, address token, uint256 requestId, string name, string symbol, uint256 totalSupply, uint256 launchTime, uint256 launchFee)',
					{
						creator: address(block),
						token,
						requestId: BigInt(block),
						name: `Token ${block}`,
						symbol: `T${block}`,
						totalSupply: 1_000_000_000n * UNIT,
						launchTime: 0n,
						launchFee: 0n,
					},
					{address: MANAGER},
				),
			);
			transaction++;
		}
		for (let n = 0; n < 20; n++) {
			const token = tokens[tokens.length - 1 - Math.floor(random.unit() * Math.min(tokens.length, 300))]!;
			const isBuy = random.unit() < 0.7;
			const account = address(0xabc000 + Math.floor(random.unit() * 3000)) as Address;
			const amount = BigInt(Math.floor(random.unit() * 1e6) + 1) * UNIT;
			const name = isBuy ? 'TokenPurchase' : 'TokenSale';
			if (isBuy) moved(token, MANAGER, account, amount);
			else moved(token, account, MANAGER, amount);
			put(
				builtLog(
					`event ${name}(address token, address account, uint256 price, uint256 amount, uint256 cost, uint256 fee, uint256 offers, uint256 funds)`,
					{
						token,
						account,
						price: 10n ** 10n,
						amount,
						cost: amount / 100_000_000n,
						fee: amount / 10_000_000_000n,
						offers: 700_000_000n * UNIT,
						funds: 2n * UNIT,
					},
					{address: MANAGER},
				),
			);
			transaction++;
		}
		yield logs;
	}
}

/** Reads, decodes, stores and takes in; ten blocks a batch. */
async function takingIn(dataDir: string): Promise<void> {
	const chain = findEvmChain('bnb')!;
	const reader = new VenueReader(venuesOf(chain.number), chain.number);
	const state = new FollowedTokens(chain.blockMs);
	const blocks = [...launchpadBlocks(2500)];
	const logs = blocks.reduce((sum, block) => sum + block.length, 0);
	let clockMs = GENESIS_MS;
	const {market, sink} = openMarket(dataDir, chain.id, () => clockMs);
	for (const name of ['market_cap', 'volume_1h', 'holders_count', 'liquidity', 'created_at'] as const)
		market.table.numbers(name);
	const timeOf = (block: number): number => GENESIS_MS + block * chain.blockMs;
	const start = process.cpuUsage();
	let events = 0;
	for (let at = 0; at < blocks.length; at += 10) {
		const all = blocks.slice(at, at + 10).flat();
		const [fromBlock, toBlock] = [at + 1, Math.min(at + 10, blocks.length)];
		const followed = new Set<string>([...reader.contracts.keys(), ...state.tokens.keys()]);
		const hash: Hex = `0x${toBlock.toString(16).padStart(64, '0')}`;
		const blockBatch: BlockBatch = {
			fromBlock,
			toBlock,
			hash,
			fromMs: timeOf(fromBlock),
			toMs: timeOf(toBlock),
			trail: [],
			logs: all.filter(log => followed.has(log.address)),
			timeOf,
			more: async ({addresses}) => all.filter(log => addresses.includes(log.address) && log.topics[0] === TRANSFER),
		};
		const reading = await readBatch(blockBatch, {chain, reader, state});
		const made = batchEvents(reading.logs, {
			chain,
			reader,
			state,
			facts: () => undefined,
			trial: () => undefined,
			history: () => undefined,
			coin: () => undefined,
			usd: () => 600,
			timeOf,
			maxTokens: 1000,
		});
		clockMs = timeOf(toBlock);
		await sink.append({chainId: chain.id, fromBlock, toBlock, events: made.events, facts: made.facts, cursor: hash});
		events += made.events.length;
	}
	const seconds = secondsOf(process.cpuUsage(start));
	const rate = logs / seconds;
	row('logs of a launchpad into rows and journal', `${rate.toFixed(0)} logs/s`, `goal ${GOAL}`);
	row('  of that', `${logs} logs`, `${events} events, ${state.tokens.size} tokens, ${market.engine.ignored} ignored`);
	if (rate < GOAL) process.exitCode = 1;
	await market.close();
}

/** A day of a busy chain: most tokens have few trades, some have thousands. In the order of the blocks. */
function* busyDay(): Generator<{readonly block: number; readonly events: readonly MarketEvent[]}> {
	const random = new Random(3);
	const blocks = DAY_MS / 2000;
	const tokens: {readonly token: string; readonly weight: number}[] = [];
	let launches = 0;
	let trades = 0;
	for (let block = 1; block <= blocks; block++) {
		const events: MarketEvent[] = [];
		for (; launches < (LAUNCHES * block) / blocks; launches++) {
			const token = address(0x10000000 + launches);
			const opened: LaunchEvent = launch(token, block, {
				balances: 'trades',
				deployer: address(0xde000000 + random.index(20_000)),
			});
			events.push(opened);
			tokens.push({token, weight: random.unit()});
		}
		for (; trades < (TRADES * block) / blocks; trades++) {
			// The young ones are traded most.
			const back = Math.floor(Math.min(tokens.length, 3000) * random.unit() ** 3);
			const {token} = tokens[tokens.length - 1 - back]!;
			const side = random.unit() < 0.6 ? 'buy' : 'sell';
			const wallet = address(0xabc00000 + Math.floor(300_000 * random.unit() ** 2));
			const reserves = {token: 1e6 * random.unit(), quote: 10 * random.unit()};
			events.push(trade(token, block, {side, wallet, valueUSD: 50 * random.unit(), reserves, tx: null}));
		}
		yield {block, events};
	}
}

async function restarting(dataDir: string): Promise<void> {
	const journal = new Journal({dataDir});
	const seconds = cpuSeconds(() => {
		let pending: MarketEvent[] = [];
		let from = 1;
		for (const {block, events} of busyDay()) {
			pending.push(...events);
			if (block % 20 !== 0) continue;
			journal.append(batch(from, block, pending));
			from = block + 1;
			pending = [];
		}
	});
	row(
		'a day of a busy chain, made and put into the journal',
		`${seconds.toFixed(1)} s`,
		`${LAUNCHES} launches, ${TRADES} trades`,
	);
	row('  journal', megabytes(journal.bytes));
	journal.close();
	const {stdout, status} = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, RESTART, dataDir], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	process.stdout.write(stdout);
	if (status !== 0) process.exitCode = 1;
}

/** In a process of its own: opens the journal that is there. */
async function restart(dataDir: string): Promise<void> {
	const nowMs = GENESIS_MS + DAY_MS + 600_000;
	const start = performance.now();
	const {market} = openMarket(dataDir, CHAIN, () => nowMs);
	const firstMs = performance.now() - start;
	row('restart ten minutes later: first rows', `${(firstMs / 1000).toFixed(2)} s`, 'goal 5 s');
	row('  rows there then', String(market.engine.catalog.used));
	market.fill();
	row(
		'restart: all rows',
		`${((performance.now() - start) / 1000).toFixed(1)} s`,
		`${market.engine.catalog.used} rows`,
	);
	globalThis.gc?.();
	row('  memory after it (RSS)', megabytes(process.memoryUsage().rss));
	row('  wallets', String(market.engine.wallets.count));
	await market.close();
	if (firstMs > 5000) process.exitCode = 1;
}

function secondsOf({user, system}: NodeJS.CpuUsage): number {
	return (user + system) / 1e6;
}

function cpuSeconds(work: () => void): number {
	const start = process.cpuUsage();
	work();
	return secondsOf(process.cpuUsage(start));
}

function megabytes(bytes: number): string {
	return `${(bytes / 1e6).toFixed(0)} MB`;
}

const [, , mode, directory] = process.argv;
if (mode === RESTART) await restart(directory!);
else {
	await inDirectory(takingIn);
	await inDirectory(restarting);
}
