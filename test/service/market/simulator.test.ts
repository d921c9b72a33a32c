import {beforeAll, expect, test} from 'vitest';
import {entrySchema} from '../../../source/contract/entry-schema.ts';
import {walletLabelsSchema} from '../../../source/contract/labels.ts';
import {WINDOWS_8} from '../../../source/contract/windows.ts';
import {CHAINS, LAUNCHPADS} from '../../../source/service/market/chains.ts';
import {createMarket, type LiveMarket} from '../../../source/service/market/create-market.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {DETAIL_HOLDERS, ROW} from '../../../source/service/market/market.ts';
import {isUntradable} from '../../../source/service/market/outside.ts';
import {Simulator} from '../../../source/service/market/simulator/simulator.ts';
import type {NumericFieldName} from '../../../source/service/market/table.ts';

const START_MS = Date.UTC(2026, 4, 5, 6, 7, 8);

let clockMs = START_MS;
let market: LiveMarket;
let rows: number[];
const liveEvents: MarketEvent[] = [];

/** A market with all of its history and a minute of life. */
beforeAll(() => {
	market = createMarket({seed: 42, nowMs: () => clockMs});
	market.fill();
	market.onEvent(event => liveEvents.push(event));
	for (; clockMs < START_MS + 60_000; clockMs += 100) market.advance(clockMs);
	rows = [...market.table.bits.keys()].filter(row => market.table.bits[row]! & ROW.live);
});

const figures = (name: NumericFieldName): Float64Array => market.table.numbers(name);
const tokens = (): number[] => tokensOf(market);

function tokensOf({table}: LiveMarket): number[] {
	const wanted = ROW.live | ROW.main;
	return [...table.bits.keys()].filter(row => (table.bits[row]! & (wanted | ROW.quote | ROW.lpToken)) === wanted);
}

test('each trade has the price that the reserves of its pool give after it', () => {
	const pools = new Map<string, {tokens: number; quotes: number}>();
	let trades = 0;
	const twin = createMarket({seed: 5, nowMs: () => START_MS});
	twin.onEvent(event => {
		if (event.type === 'launch' && event.pool) {
			const {reserveToken, reserveQuote, chainId, pool} = event;
			const curve = LAUNCHPADS.find(pad => pad.chainId === chainId && pad.type === pool.type)?.curve;
			const [tokens, quotes] = curve ? [curve.virtualToken, curve.virtualQuote] : [reserveToken!, reserveQuote!];
			pools.set(event.token, {tokens, quotes});
		}
		if (event.type === 'migrate') {
			const key = event.main ? event.token : event.pool.address;
			pools.set(key, {tokens: event.reserveToken!, quotes: event.reserveQuote!});
		}
		if (event.type !== 'trade' && event.type !== 'liquidity') return;
		const pool = pools.get(event.pool ?? event.token);
		if (!pool) return;
		const sign = event.type === 'liquidity' ? 1 : event.side === 'buy' ? -1 : 1;
		pool.tokens += sign * event.amountToken;
		pool.quotes += (event.type === 'liquidity' ? 1 : -sign) * event.amountQuote;
		if (event.type === 'liquidity') return;
		trades++;
		expect(event.spotQuote! / (pool.quotes / pool.tokens)).toBeCloseTo(1, 6);
	});
	for (let nowMs = START_MS; nowMs <= START_MS + 60_000; nowMs += 500) twin.advance(nowMs);
	expect(trades).toBeGreaterThan(200);
});

test('the price of a token is that of its pool’s reserves, also where it has a further pool', () => {
	let seen = 0;
	for (const row of tokens()) {
		const found = market.outside.find(market.table.key(row));
		if (isUntradable(found) || figures('latest_trade_date')[row]! <= figures('bonded_at')[row]!) continue;
		seen++;
		const price = found.reserveQuote / found.reserveToken;
		expect(figures('price_token')[row]! / price, `price of ${found.symbol}`).toBeCloseTo(1, 9);
	}
	expect(seen).toBeGreaterThan(100);
});

test('the same seed and start give the same market, with any ticks and at any time of loading the history', () => {
	const play = (
		seed: number,
		tickMs: number,
		fillAtMs: number,
	): {trades: number; checksum: number; volumes: number[]} => {
		let nowMs = START_MS;
		let trades = 0;
		let checksum = 0;
		const twin = createMarket({seed, nowMs: () => nowMs});
		twin.onEvent(event => {
			if (event.type !== 'trade') return;
			trades++;
			// A sum does not depend on the order in which tokens come.
			checksum += (event.timeMs % 86_400_000) * event.wallet!.charCodeAt(9) + Math.floor(event.valueUSD! * 100);
		});
		for (; nowMs <= START_MS + 6000; nowMs += tickMs) {
			if (nowMs >= START_MS + fillAtMs) twin.fill();
			twin.advance(nowMs);
		}
		const volumes = tokensOf(twin).map(row => Math.round(twin.table.numbers('volume_1h')[row]!));
		return {trades, checksum, volumes: volumes.sort((x, y) => x - y)};
	};
	const once = play(7, 100, 0);
	expect(once.trades).toBeGreaterThan(500);
	expect(once.volumes.length).toBeGreaterThan(5000);
	expect(play(7, 1500, 3000)).toEqual(once);
	expect(play(8, 100, Number.POSITIVE_INFINITY).checksum).not.toBe(play(7, 100, Number.POSITIVE_INFINITY).checksum);
});

test('the first rows of every column are there before the rest of the history', () => {
	const early = createMarket({seed: 42, nowMs: () => START_MS});
	expect(early.isFilled).toBe(false);
	const [bonded, created, volume] = (['bonded', 'created_at', 'volume_1h'] as const).map(name =>
		early.table.numbers(name),
	);
	const live = [...early.table.bits.keys()].filter(
		row => (early.table.bits[row]! & (ROW.live | ROW.main)) === (ROW.live | ROW.main),
	);
	expect(live.filter(row => bonded![row] === 0 && START_MS - created![row]! < 600_000).length).toBeGreaterThanOrEqual(
		40,
	);
	expect(live.filter(row => bonded![row] === 0 && volume![row]! >= 10).length).toBeGreaterThanOrEqual(40);
	expect(live.filter(row => bonded![row] === 1).length).toBeGreaterThanOrEqual(5);
});

test('five thousand live tokens on several chains, all of whose figures lie within 24 hours', () => {
	expect(tokens().length).toBeGreaterThanOrEqual(5000);
	expect(new Set(tokens().map(row => market.table.texts('chain_id')[row])).size).toBeGreaterThanOrEqual(5);
	const created = figures('created_at');
	const traded = figures('latest_trade_date');
	for (const row of tokens()) {
		expect(created[row]).toBeGreaterThan(market.nowMs() - 86_400_000);
		expect(traded[row]! >= created[row]! || Number.isNaN(traded[row]!)).toBe(true);
	}
});

test('most tokens die within minutes and a few per cent graduate', () => {
	const [created, traded, bonded, source] = [
		figures('created_at'),
		figures('latest_trade_date'),
		figures('bonded_at'),
		market.table.texts('bonding_curve_address'),
	];
	const launched = tokens().filter(row => source[row] !== null && market.nowMs() - created[row]! > 3_600_000);
	const short = launched.filter(row => !(traded[row]! - created[row]! > 600_000));
	const graduated = launched.filter(row => bonded[row]! > 0);
	expect(short.length / launched.length).toBeGreaterThan(0.6);
	expect(graduated.length / launched.length).toBeGreaterThan(0.01);
	expect(graduated.length / launched.length).toBeLessThan(0.08);
});

test('tokens that the crowd left hours ago are found for a trade, with the reserves of the feed', () => {
	const {table, outside, engine} = market;
	const reserve = figures('approximate_reserve_token');
	const isOld = (row: number): boolean => figures('latest_trade_date')[row]! < START_MS - 3_600_000;
	const old = tokens().filter(row => table.key(row).startsWith('evm:') && isOld(row));
	let pools = 0;
	let seconds = 0;
	for (const row of old.filter((row, n) => n % 20 === 0 || engine.listing(row).token.otherRows.length > 1)) {
		const token = outside.find(table.key(row));
		if (isUntradable(token)) {
			expect(token.why).toBe('rugged');
			continue;
		}
		if (token.phase === 'curve') continue;
		// Those of a pool that a holder opened beside it are not in it.
		if (engine.listing(row).token.otherRows.length > 1) seconds++;
		pools++;
		expect(token.reserveToken / reserve[row]!).toBeCloseTo(1, 9);
	}
	expect(pools).toBeGreaterThan(5);
	expect(seconds).toBeGreaterThan(0);
});

test('about two hundred trades a second at rate 1', () => {
	const trades = liveEvents.filter(({type}) => type === 'trade').length;
	expect(trades / 60).toBeGreaterThan(110);
	expect(trades / 60).toBeLessThan(330);
});

test.each([1, 0.5, 0.2, 0.1])('at rate %d the ten minutes before the start are as busy as those after it', rate => {
	let before = 0;
	let after = 0;
	const emit = ({type, timeMs}: MarketEvent): void => {
		if (type !== 'trade') return;
		if (timeMs >= START_MS) after++;
		else if (timeMs > START_MS - 600_000) before++;
	};
	const simulator = new Simulator({seed: 7, rate, startMs: START_MS, emit});
	while (simulator.hasHistory) simulator.emitNext(START_MS);
	simulator.run(START_MS + 600_000);
	expect(before).toBeGreaterThan(after * 0.7);
	expect(before).toBeLessThan(after * 1.4);
});

test('sums agree in every row of a live market', () => {
	const read = Object.fromEntries(
		[
			'volume',
			'volume_buy',
			'volume_sell',
			'trades',
			'buys',
			'sells',
			'buyers',
			'sellers',
			'traders',
			'organic_trades',
		].map(family => [family, WINDOWS_8.map(w => figures(`${family}_${w}` as NumericFieldName))]),
	);
	const wrong: string[] = [];
	for (const row of rows) {
		for (const [w, name] of WINDOWS_8.entries()) {
			const f = (family: string): number => read[family]![w]![row]!;
			const volume = f('volume');
			if (Math.abs(volume - f('volume_buy') - f('volume_sell')) > 1e-6 * volume) wrong.push(`${row} volume ${name}`);
			if (f('trades') !== f('buys') + f('sells')) wrong.push(`${row} trades ${name}`);
			if (f('traders') < Math.max(f('buyers'), f('sellers')) || f('traders') > f('buyers') + f('sellers'))
				wrong.push(`${row} traders ${name}`);
			if (f('organic_trades') > f('trades')) wrong.push(`${row} organic ${name}`);
			if (w > 0 && read['trades']![w - 1]![row]! > f('trades')) wrong.push(`${row} trades grow ${name}`);
		}
	}
	expect(wrong).toEqual([]);
});

test('no wallet holds more than there is: pool and holders together have the supply', () => {
	const {engine} = market;
	const wrong: string[] = [];
	for (const row of tokens()) {
		const {token} = engine.listing(row);
		const supply = engine.rows.supply[row]!;
		if (Number.isNaN(supply)) continue;
		let held = 0;
		let holders = 0;
		for (let slot = engine.positions.begin(row); slot < engine.positions.end(row); slot++) {
			if (engine.positions.wallet[slot] === 0 || engine.positions.balance[slot] === 0) continue;
			held += engine.positions.balance[slot]!;
			holders++;
		}
		// What the curve did not sell when it closed stays in the new pool.
		const pooled = [row, ...token.otherRows].reduce((sum, pool) => sum + engine.rows.reserveToken[pool]!, 0);
		const sum = held + pooled + engine.rows.burnt[row]!;
		if (Math.abs(sum / supply - 1) > 1e-6) wrong.push(`${token.symbol} ${sum} of ${supply}`);
		if (holders !== engine.rows.holders[row])
			wrong.push(`${token.symbol} ${holders} holders, not ${engine.rows.holders[row]}`);
	}
	expect(wrong).toEqual([]);
});

test('every entry of both modes keeps the contract, holders included', () => {
	const modes = {asset: entrySchema('asset'), pool: entrySchema('pool')} as const;
	const problems = new Set<string>();
	for (const row of rows.filter((_, index) => index % 4 === 0)) {
		const isPooled = market.table.addresses(row).pool !== null;
		for (const mode of isPooled ? (['asset', 'pool'] as const) : (['asset'] as const)) {
			const entry = mode === 'asset' ? market.assetEntry(row, 3) : market.poolEntry(row, 3);
			const {error} = modes[mode].safeParse(entry);
			for (const {path, message} of error?.issues ?? []) problems.add(`${mode} ${path.join('.')}: ${message}`);
			for (const name of Object.keys(entry)) if (!(name in modes[mode].shape)) problems.add(`${mode} has ${name}`);
		}
	}
	expect([...problems]).toEqual([]);
});

test('an entry survives JSON unchanged, with any hostile names', () => {
	const names = market.table.texts('name');
	const hostile = rows.filter(row => /[\u0000-\u001f\u0080-\u009f\u202a-\u202e\u200b]/.test(names[row] ?? ''));
	expect(hostile.length).toBeGreaterThan(20);
	for (const row of hostile) {
		const entry = market.assetEntry(row);
		expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
		expect(String(entry['name']).isWellFormed()).toBe(true);
	}
});

test('names are of every kind: foreign, look-alike, emoji, empty, missing and very long', () => {
	const names = rows.map(row => market.table.texts('name')[row]);
	const has = (wanted: RegExp): boolean => names.some(name => name !== null && wanted.test(name!));
	expect(
		[
			/\p{Script=Han}/u,
			/\p{Script=Arabic}/u,
			/\p{Script=Cyrillic}/u,
			/\u200d/,
			/\p{Emoji_Presentation}/u,
			/^$/,
			/^.{200,}$/,
		].map(has),
	).toEqual(Array(7).fill(true));
	expect(names).toContain(null);
	const pepes = rows.filter(row => market.table.texts('symbol')[row] === 'PEPE');
	expect(new Set(pepes.map(row => market.table.key(row))).size).toBeGreaterThan(3);
});

test('addresses have the form of their chain', () => {
	const problems: string[] = [];
	for (const row of tokens()) {
		const chainId = market.table.texts('chain_id')[row]!;
		const address = market.table.texts('address')[row]!;
		const isRight = chainId.startsWith('evm:') ? /^0x[0-9a-fA-F]{40}$/.test(address) : base58Bytes(address) === 32;
		if (!isRight) problems.push(address);
	}
	expect(problems).toEqual([]);
});

test('quote coins and LP wrappers are there, marked, and a graduated token has left its old pool behind', () => {
	const bits = market.table.bits;
	const quotes = rows.filter(row => bits[row]! & ROW.quote);
	const wrappers = rows.filter(row => bits[row]! & ROW.lpToken);
	expect(quotes.length).toBeGreaterThanOrEqual(CHAINS.length);
	expect(wrappers.every(row => market.table.addresses(row).pool === null)).toBe(true);
	expect(wrappers.length).toBeGreaterThan(0);
	const duplicates = rows.filter(row => !(bits[row]! & ROW.main));
	const mains = duplicates.map(row => market.table.rowOf(market.table.key(row))!);
	expect(duplicates.length).toBeGreaterThan(50);
	expect(
		duplicates.every((row, i) => market.table.addresses(row).pool !== market.table.addresses(mains[i]!).pool),
	).toBe(true);
});

test('some deployers take the money out of their pool, some holders open a further one', () => {
	const [liquidity, most, bonded] = [figures('liquidity'), figures('liquidity_max'), figures('bonded_at')];
	const rugged = tokens().filter(
		row => Number.isNaN(bonded[row]!) && most[row]! > 500 && liquidity[row]! < most[row]! * 0.06,
	);
	expect(rugged.length).toBeGreaterThan(10);
	const further = rows.filter(row => !(market.table.bits[row]! & ROW.main) && liquidity[row]! > 0);
	expect(further.length).toBeGreaterThan(5);
	for (const row of further) expect(market.poolEntry(row)['bonded']).toBe(true);
});

test('some figures are not reported, and every kind of extra is met', () => {
	const some = (name: NumericFieldName, wanted: (value: number) => boolean): boolean =>
		tokens().some(row => wanted(figures(name)[row]!));
	expect(
		some('market_cap', Number.isNaN) && some('holders_count', Number.isNaN) && some('security_score', Number.isNaN),
	).toBe(true);
	for (const name of [
		'screener_listed',
		'is_spam',
		'is_agent_mode',
		'twitter_reuses_count',
		'twitter_rename_count',
		'live_reply_count',
		'snipers_count',
		'bundlers_count',
		'insiders_count',
		'pro_traders_count',
		'fresh_traders_count',
		'smart_traders_count',
	] as const) {
		expect(
			some(name, value => value > 0),
			name,
		).toBe(true);
	}
	expect(new Set(rows.map(row => market.table.texts('live_status')[row]))).toEqual(new Set([null, 'live', 'live_end']));
});

test('bots are in the volume and out of the organic volume', () => {
	const [all, organic] = [figures('trades_1h'), figures('organic_trades_1h')];
	const busy = tokens().filter(row => all[row]! > 300);
	expect(busy.length).toBeGreaterThan(5);
	for (const row of busy) expect(organic[row]! / all[row]!).toBeLessThan(0.99);
});

test('the deployer and the holders of a token have label records that keep the contract', () => {
	const row = tokens().find(candidate => figures('snipers_count')[candidate]! > 0)!;
	const entry = market.assetEntry(row, DETAIL_HOLDERS);
	const holders = entry['holders_list'] as {address: string; tags: string[]; balance: number}[];
	const addresses = holders.map(({address}) => address);
	const records = market.walletLabels(addresses, entry['address'] as string);
	expect(records.map(record => walletLabelsSchema().parse(record).walletAddress)).toEqual(addresses);
	expect(records.map(record => record['labels'])).toEqual(holders.map(({tags}) => tags));
	expect(holders.map(({balance}) => balance)).toEqual(holders.map(({balance}) => balance).sort((a, b) => b - a));
	expect(market.walletLabels([entry['deployer'] as string], entry['address'] as string)[0]!['labels']).toContain('dev');
});

test('a token is found by address, by symbol and by part of its name, on one chain or on all', () => {
	const row = tokens().find(candidate => market.table.texts('symbol')[candidate] === 'PEPE')!;
	const address = market.table.texts('address')[row]!;
	expect(market.find(address)).toEqual([row]);
	expect(market.find(address.toLowerCase(), market.table.texts('chain_id')[row]!)).toEqual([row]);
	expect(market.find(address, 'evm:999')).toEqual([]);
	const caps = market
		.find('pepe')
		.filter(found => market.table.texts('symbol')[found]?.toLowerCase() === 'pepe')
		.map(found => figures('market_cap')[found]! || 0);
	expect(caps.length).toBeGreaterThan(1);
	expect(caps).toEqual([...caps].sort((a, b) => b - a));
	expect(market.find('')).toEqual([]);
	expect(market.find('no token is called that')).toEqual([]);
});

test('a price history runs from the opening to the last trade, and a shorter one is its end', () => {
	const row = tokens().find(
		candidate =>
			figures('trades_1h')[candidate]! > 300 && market.nowMs() - figures('created_at')[candidate]! > 3_600_000,
	)!;
	const key = market.table.key(row);
	const all = market.priceHistory(key, 0)!;
	expect(all[0]!.timeMs).toBe(figures('created_at')[row]);
	expect(all.at(-1)).toEqual({timeMs: figures('latest_trade_date')[row], price: figures('latest_price')[row]});
	expect(all.every(({timeMs}, i) => i === 0 || timeMs > all[i - 1]!.timeMs)).toBe(true);
	const sinceMs = market.nowMs() - 600_000;
	const late = market.priceHistory(key, sinceMs)!;
	expect(late[0]!.timeMs).toBe(sinceMs);
	expect(late.slice(1)).toEqual(all.filter(({timeMs}) => timeMs > sinceMs));
	expect(market.priceHistory('solana:solana|nobody', 0)).toBeUndefined();
});

/** How many bytes a base58 text decodes to. */
function base58Bytes(text: string): number {
	const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
	let value = 0n;
	for (const letter of text) value = value * 58n + BigInt(alphabet.indexOf(letter));
	return Math.ceil(value.toString(16).length / 2);
}
