import {createMarket} from '../../source/service/market/create-market.ts';
import {Engine} from '../../source/service/market/engine.ts';
import type {MarketEvent, Profile} from '../../source/service/market/events.ts';
import {isUntradable} from '../../source/service/market/outside.ts';
import {solanaAddress} from '../../source/service/market/simulator/addresses.ts';
import {Random} from '../../source/service/market/simulator/random.ts';

/*
 * The market engine and its simulator alone, in one process and on one core: how fast it starts, applies events, sends
 * them as entries, and how much memory a token costs. Times of a single run each, unless it says median.
 */

const START_MS = Date.UTC(2026, 0, 15, 12);
const gc = globalThis.gc as () => void;

function timed<T>(work: () => T): {ms: number; value: T} {
	const startedAt = performance.now();
	const value = work();
	return {ms: performance.now() - startedAt, value};
}

function median(values: number[]): number {
	return values.sort((a, b) => a - b)[values.length >> 1]!;
}

function row(what: string, figure: string, goal = ''): void {
	console.log(`${what.padEnd(64)} ${figure.padStart(16)}  ${goal}`);
}

function starting(): void {
	const creations: number[] = [];
	const fills: number[] = [];
	for (let run = 0; run < 5; run++) {
		const {ms, value: market} = timed(() => createMarket({nowMs: () => START_MS}));
		creations.push(ms);
		fills.push(timed(() => market.fill()).ms);
		if (run > 0) continue;
		row('first rows, cold', `${ms.toFixed(0)} ms`, 'goal 150 ms');
		row('  24 h of history', `${market.engine.applied} events`);
		row('  rows in the table', `${market.table.length}`, 'goal 5,000');
	}
	row('first rows, warm (median of 5)', `${median(creations).toFixed(0)} ms`);
	row('the rest of the history (median of 5)', `${median(fills).toFixed(0)} ms`);
}

/** Takes two minutes of a market 20 times as busy into a second engine that holds the same history. */
function ingesting(): void {
	let clockMs = START_MS;
	const market = createMarket({rate: 20, nowMs: () => clockMs});
	const live: MarketEvent[] = [];
	market.fill();
	market.onEvent(event => live.push(event));
	const source = timed(() => {
		for (; clockMs < START_MS + 120_000; clockMs += 100) market.advance(clockMs);
	});
	const trades = live.filter(event => event.type === 'trade').length;
	row(
		'simulate and take in, a second of 20 x the usual market',
		`${(source.ms / 120).toFixed(1)} ms`,
		`${(trades / 120).toFixed(0)} trades`,
	);

	const twin = createMarket({rate: 20, nowMs: () => START_MS});
	twin.fill();
	for (const name of [
		'market_cap',
		'volume_1h',
		'created_at',
		'bonding_percentage',
		'liquidity',
		'holders_count',
	] as const) {
		twin.table.numbers(name);
	}
	const {ms} = timed(() => {
		let tickMs = START_MS;
		for (const event of live) {
			for (; tickMs < event.timeMs; tickMs += 100) twin.engine.advance(tickMs);
			twin.engine.apply(event);
		}
		twin.engine.advance(tickMs);
	});
	row(
		'take in alone, columns and windows brought up to date 10 x a second',
		`${((trades / ms) * 1000).toFixed(0)} trades/s`,
		'goal 10,000',
	);
	const {ms: applying} = timed(() => {
		for (const event of live) if (event.type === 'trade') twin.engine.apply(event);
	});
	row('take in alone, without bringing up to date', `${((trades / applying) * 1000).toFixed(0)} trades/s`);
}

function sliding(): void {
	let clockMs = START_MS;
	const market = createMarket({nowMs: () => clockMs});
	market.fill();
	for (const name of ['market_cap', 'volume_1h', 'volume_24h', 'price_change_1h'] as const) market.table.numbers(name);
	let changed = 0;
	const {ms} = timed(() => {
		for (let s = 0; s < 60; s++) {
			clockMs += 1000;
			market.engine.advance(clockMs);
			changed += market.takeChanged().length;
		}
	});
	row(
		'windows slide for a minute without an event',
		`${(ms / 60).toFixed(2)} ms/s`,
		`${(changed / 60).toFixed(0)} rows/s`,
	);
}

/** Trades of wallets from outside, and a restart with the tokens that they hold. */
async function holding(): Promise<void> {
	let clockMs = START_MS;
	const market = createMarket({nowMs: () => clockMs});
	market.fill();
	const wallet = `0x${'ab'.repeat(20)}`;
	const keys = [...market.table.bits.keys()].map(at => market.table.key(at)).filter(key => key.startsWith('evm:'));
	const times: number[] = [];
	for (let n = 0; times.length < 1000; n++) {
		clockMs += 10;
		market.advance(clockMs);
		const startedAt = performance.now();
		// Fifty tokens, among them some that the crowd left long ago.
		const hold = await market.outside.hold(keys[(n % 60) * 7]!);
		if (isUntradable(hold)) continue;
		const {reserveUSD, reserveToken} = hold.token;
		const poolTokens = reserveToken * 0.001;
		const usd = (reserveUSD * poolTokens) / (reserveToken - poolTokens);
		hold.settle({side: 'buy', wallet, poolTokens, traderTokens: poolTokens, usd, feeUSD: usd / 100, tx: '0x1'});
		hold.release();
		times.push(performance.now() - startedAt);
	}
	const p99 = times.toSorted((a, b) => a - b)[990]!;
	row(
		'a trade from outside: hold, settle, release (median, p99 of 1,000)',
		`${median(times).toFixed(2)} ms`,
		`${p99.toFixed(2)} ms`,
	);
	const held: unknown[] = JSON.parse(JSON.stringify(market.outside.takeChangedHeld())).slice(0, 50);
	const started = (options: {readonly held?: readonly unknown[]}): number => {
		gc();
		return timed(() => createMarket({nowMs: () => clockMs, ...options})).ms;
	};
	const adoptions = Array.from({length: 9}, () => -started({}) + started({held}));
	row(
		`${held.length} held tokens go on after a restart (median of 9)`,
		`${median(adoptions).toFixed(0)} ms`,
		'goal 100 ms',
	);
}

function telling(): void {
	const market = createMarket({nowMs: () => START_MS});
	market.fill();
	const rows = Array.from({length: 1000}, (_, index) => index + 14 * 9);
	for (const [mode, entry] of [
		['asset', market.assetEntry],
		['pool', market.poolEntry],
	] as const) {
		let bytes = 0;
		const rounds: number[] = [];
		for (let round = 0; round < 9; round++) {
			bytes = 0;
			const {ms} = timed(() => {
				for (const index of rows) bytes += JSON.stringify(entry(index)).length;
			});
			rounds.push(ms);
		}
		row(
			`${mode} entry as JSON (median of 9 x 1,000)`,
			`${((median(rounds) / rows.length) * 1000).toFixed(0)} us`,
			`${(bytes / rows.length).toFixed(0)} bytes`,
		);
	}
}

/** The profile of a token: little, or about all that a launch page asks for. */
const PROFILES: Readonly<Record<string, (token: string) => Profile>> = {
	'a name and a link': token => ({description: null, twitter: `https://x.com/${token.slice(0, 5)}`}),
	'a full profile': token => ({
		description: 'A community coin for everybody who was late the last time.',
		logo: `https://images.example/${token}.webp`,
		uri: `https://ipfs.example/ipfs/${token.slice(0, 24)}`,
		twitter: `https://x.com/${token.slice(0, 5)}`,
		website: `https://${token.slice(0, 5)}.example`,
		telegram: `https://t.me/${token.slice(0, 5)}`,
		tokenType: '2022',
		security: {isMintable: false, isHoneypot: false, noMintAuthority: true, isBlacklisted: false},
		isSpam: false,
		launchFlags: {mayhem: false, cashback: false, agent: false, og: false},
	}),
};

/** Tokens with 30 trades by 20 wallets in 3 minutes that then die: what they cost two hours later. */
function dying(kind: string, isRehearsal = false): void {
	const engine = new Engine(START_MS);
	const random = new Random(5);
	const crowd = Array.from({length: 20_000}, () => solanaAddress(random));
	let clockMs = START_MS;
	const launchDead = (count: number): void => {
		for (let n = 1; n <= count; n++) {
			for (const event of shortLife(random, crowd, clockMs, PROFILES[kind]!)) engine.apply(event);
			clockMs += 1000;
			if (n % 10 === 0) engine.advance(clockMs);
		}
		gc();
	};
	launchDead(20_000);
	const before = bytesInUse(engine);
	launchDead(60_000);
	const after = bytesInUse(engine);
	if (isRehearsal) return;
	row(
		`a dead token with ${kind}: heap and slots in use (60,000)`,
		`${((after.heap + after.columns - before.heap - before.columns) / 60_000).toFixed(0)} bytes`,
		'goal 1,000',
	);
	row('  of that on the heap', `${((after.heap - before.heap) / 60_000).toFixed(0)} bytes`);
}

function bytesInUse({rows, length, positions, departed, buckets}: Engine): {heap: number; columns: number} {
	let columns = length * rows.bytesPerRow();
	for (let row = 0; row < length; row++) {
		columns += (positions.end(row) - positions.begin(row)) * positions.bytesPerSlot();
		columns += (departed.end(row) - departed.begin(row)) * departed.bytesPerSlot();
		columns += buckets.length(row) * buckets.bytesPerSlot();
	}
	return {heap: process.memoryUsage().heapUsed, columns};
}

function* shortLife(
	random: Random,
	crowd: readonly string[],
	timeMs: number,
	profileOf: (token: string) => Profile,
): Generator<MarketEvent> {
	const token = solanaAddress(random);
	const at = {chainId: 'solana:solana', token};
	const quote = {
		address: 'So11111111111111111111111111111111111111112',
		symbol: 'SOL',
		name: 'Wrapped SOL',
		decimals: 9,
	};
	const pool = {address: solanaAddress(random), type: 'pumpfun', factory: 'Factory', exchange: null, quote};
	const symbol = token.slice(0, 5);
	yield {
		type: 'launch',
		timeMs,
		block: 1,
		...at,
		kind: 'token',
		symbol,
		name: `The ${symbol} Token`,
		decimals: 6,
		supply: 1e9,
		deployer: random.pick(crowd),
		pool,
		reserveToken: 1e9,
		reserveQuote: 0,
		quoteUSD: 170,
		priceUSD: 5e-6,
		curveSale: 8e8,
		holdersReported: true,
		profile: profileOf(token),
	};
	const wallets = Array.from({length: 20}, () => random.pick(crowd));
	const trade = {
		type: 'trade',
		...at,
		pool: null,
		amountToken: 1e6,
		amountQuote: 0.03,
		valueUSD: 5,
		feeUSD: 0.05,
		quoteUSD: 170,
		tx: null,
		platform: null,
	} as const;
	for (const [index, wallet] of wallets.entries())
		yield {...trade, timeMs: timeMs + index * 6000, block: 100, wallet, side: 'buy'};
	for (const [index, wallet] of wallets.slice(0, 14).entries())
		yield {...trade, timeMs: timeMs + 120_000 + index * 4000, block: 500, wallet, side: 'sell'};
}

starting();
// In the first of them Node gives back 4 MB of its own (what it reads TypeScript with): that would flatter the tokens.
dying('a name and a link', true);
for (const kind of Object.keys(PROFILES)) dying(kind);
ingesting();
sliding();
telling();
await holding();
