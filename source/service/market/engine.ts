import {entryKey} from '../../contract/entry.ts';
import type {TextFieldName} from '../../contract/fields.ts';
import {canonicalOn, wireAddress} from './address.ts';
import {Buckets, COUNT, COUNT_LANES, HORIZON_S, USD, USD_LANES, WINDOW_LANES} from './buckets.ts';
import type {
	LaunchEvent,
	LiquidityEvent,
	MarketEvent,
	MigrateEvent,
	PoolFacts,
	ProfileEvent,
	TradeEvent,
	TransferEvent,
} from './events.ts';
import {Expiry} from './expiry.ts';
import {Holdings} from './holdings.ts';
import {ROW} from './market.ts';
import {Positions, ROLE} from './positions.ts';
import {readNumber, readText} from './readers.ts';
import {Reputation} from './reputation.ts';
import {Rows} from './rows.ts';
import {grown} from './segments.ts';
import {ColumnTable, type NumericFieldName, type RowSource} from './table.ts';
import {isBurnAddress, type Listing, type Token} from './token.ts';
import {FAST_TRIP_S, Wallets} from './wallets.ts';

/** A buy within so many blocks after the launch block is a sniper's. */
export const SNIPER_BLOCKS = 3;
/** Without a trade for this long a token is dead: it keeps its holders and sums, and forgets who has sold out. */
const DEAD_AFTER_S = 3600;
/** Room to start with, see Buckets. */
const FIRST_ROWS = 1 << 14;
/** Without a trade for this long a token is dropped. */
const DROP_AFTER_S = HORIZON_S;
const OLD_PRICE_EVERY_S = 7200;
const OLD_PRICE_KEPT_S = 7 * 86_400;

/** What wallets are (fresh, smart, pro) changes without an event of the token: a row's share of them is at most this old. */
const HOLDERS_STALE_S = 60;
/** For every so many wallets in a token its shares (not its number of holders) may be a second old, ten at most. */
const CROWD = 500;
const CROWD_WAIT_S = 10;

const DIRTY = {figures: 1, holders: 2, texts: 4} as const;

/**
 * Computes every figure of the market from its events (spec 2.1). Synchronous, without a clock of its own: `apply` takes
 * facts in, `advance` moves time on, and after it all columns are current.
 *
 * Memory is bounded: buckets are merged with age, dead tokens shrink, and a token without a trade for 24 h is dropped.
 */
export class Engine implements RowSource {
	readonly rows = new Rows();
	readonly buckets: Buckets;
	readonly positions = new Positions();
	readonly wallets = new Wallets();
	readonly reputation: Reputation;
	readonly table: ColumnTable;
	/** Events that named an unknown token or pool and were left out. */
	ignored = 0;
	/** Events taken in. */
	applied = 0;
	length = 0;

	#nowMs: number;
	readonly #chains = new Map<string, Map<string, Token>>();
	readonly #listings: (Listing | undefined)[] = [];
	readonly #freeRows: number[] = [];
	readonly #holdings: Holdings;
	readonly #expiry: Expiry;
	#dirty = new Uint8Array(0);
	/** When each row's holders were last added up, Unix seconds. */
	#holdersS = new Uint32Array(0);
	/** 1 when they have changed since. */
	#owesHolders = new Uint8Array(0);
	#dirtyRows: number[] = [];
	#isChanged = new Uint8Array(0);
	#changed: number[] = [];
	readonly #windows = new Float64Array(8 * WINDOW_LANES);
	#windowsOf = -1;

	constructor(nowMs: number) {
		this.#nowMs = nowMs;
		this.buckets = new Buckets((row, endS, price) => this.#keepOldPrice(row, endS, price));
		this.#expiry = new Expiry(Math.floor(nowMs / 1000));
		this.#holdings = new Holdings(this.rows, this.positions, this.wallets);
		this.reputation = new Reputation(row => this.#touch(row, DIRTY.figures));
		this.table = new ColumnTable(this);
		this.#reserve(FIRST_ROWS);
	}

	get bits(): Uint8Array {
		return this.rows.bits;
	}

	get versions(): Uint32Array {
		return this.rows.versions;
	}

	/** The time that figures are for. */
	nowMs(): number {
		return this.#nowMs;
	}

	/** Takes one event in. Its effects on columns show after the next `advance`. */
	apply(event: MarketEvent): void {
		this.applied++;
		switch (event.type) {
			case 'trade':
				this.#trade(event);
				break;
			case 'launch':
				this.#launch(event);
				break;
			case 'transfer':
				this.#transfer(event);
				break;
			case 'liquidity':
				this.#liquidity(event);
				break;
			case 'migrate':
				this.#migrate(event);
				break;
			case 'fund':
				this.wallets.fund(this.wallets.id(event.wallet), event);
				break;
			case 'profile':
				this.#profile(event);
				break;
		}
	}

	/** Moves the clock to `nowMs` (never back): windows slide, old tokens go, columns become current. */
	advance(nowMs: number): void {
		this.#nowMs = Math.max(this.#nowMs, nowMs);
		const nowS = this.#nowS();
		this.#expiry.advance(nowS, row => this.#touch(row, DIRTY.figures));
		const dirtyRows = this.#dirtyRows;
		// A refresh may touch further rows (those of the same token or deployer); they join the end of the list.
		for (let i = 0; i < dirtyRows.length; i++) this.#refresh(dirtyRows[i]!, nowS);
		dirtyRows.length = 0;
	}

	/** Rows changed since the last call, each once, freed rows included. */
	takeChanged(): readonly number[] {
		const changed = this.#changed;
		this.#changed = [];
		for (const row of changed) this.#isChanged[row] = 0;
		return changed;
	}

	/** The token at an address, or undefined. */
	token(chainId: string, address: string): Token | undefined {
		const tokens = this.#chains.get(chainId);
		return tokens?.get(address) ?? tokens?.get(canonicalOn(chainId, address));
	}

	/** The token at an address on whatever chain has it. */
	tokenAnywhere(address: string): Token | undefined {
		for (const chainId of this.#chains.keys()) {
			const token = this.token(chainId, address);
			if (token) return token;
		}
		return undefined;
	}

	/** What a live row is; throws for a free one, which nobody may ask for. */
	listing(row: number): Listing {
		const listing = this.#listings[row];
		if (!listing) throw new RangeError(`row ${row} is free`);
		return listing;
	}

	/** Window figures of a row as of now: WINDOW_LANES for each of WINDOWS_8. Good until the next call. */
	windows(row: number): Float64Array {
		if (this.#windowsOf !== row) {
			this.buckets.read(row, this.#nowS(), this.#windows);
			this.#windowsOf = row;
		}
		return this.#windows;
	}

	reader(name: NumericFieldName): (row: number) => number {
		return readNumber(this, name);
	}

	text(name: TextFieldName, row: number): string | null {
		return readText(this, name, row);
	}

	key(row: number): string {
		return this.#listings[row]?.token.key ?? '';
	}

	rowOf(key: string): number | undefined {
		const bar = key.indexOf('|');
		return this.token(key.slice(0, bar), key.slice(bar + 1))?.row;
	}

	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null} {
		const {token, pool} = this.#listings[row] ?? {};
		return {token0: token?.address ?? '', token1: pool?.quote.address ?? '', pool: pool?.address ?? null};
	}

	/** True for the address of a pool in the table. */
	isPool(address: string): boolean {
		const own = address.toLowerCase();
		return this.#listings.some(listing => listing?.pool?.address.toLowerCase() === own);
	}

	/** True for a row whose token has left its curve, or never had one. */
	isBonded(row: number): boolean {
		return this.#listings[row]!.pool !== null && (this.rows.curveSale[row] === 0 || this.rows.bondedMs[row]! > 0);
	}

	#nowS(): number {
		return Math.floor(this.#nowMs / 1000);
	}

	#touch(row: number, what: number): void {
		this.#windowsOf = -1;
		if (this.#dirty[row] === 0) this.#dirtyRows.push(row);
		this.#dirty[row]! |= what | DIRTY.figures;
	}

	#note(row: number): void {
		this.rows.versions[row]!++;
		if (this.#isChanged[row] === 1) return;
		this.#isChanged[row] = 1;
		this.#changed.push(row);
	}

	#refresh(row: number, nowS: number): void {
		const dirty = this.#dirty[row]!;
		this.#dirty[row] = 0;
		const listing = this.#listings[row];
		if (!listing) return;
		const {token} = listing;
		const isMain = token.row === row;
		const idleS = nowS - Math.floor((this.rows.tradeMs[row]! || this.rows.createdMs[row]!) / 1000);
		if (idleS >= DROP_AFTER_S && token.kind !== 'quote') {
			if (isMain) this.#dropToken(token);
			else this.#dropRow(row);
			return;
		}
		if (isMain && idleS >= DEAD_AFTER_S && !token.compact) this.#compact(token);
		const addUpS = isMain && token.holdersReported ? this.#addUpHolders(row, nowS, dirty) : Number.POSITIVE_INFINITY;
		if (addUpS <= nowS) {
			for (const other of token.otherRows) {
				this.rows.copyHolders(row, other);
				this.#touch(other, DIRTY.figures);
			}
		}
		this.#windowsOf = row;
		const changesAtS = this.buckets.read(row, nowS, this.#windows);
		const fateS = nowS - idleS + (idleS < DEAD_AFTER_S ? DEAD_AFTER_S : DROP_AFTER_S);
		this.#expiry.schedule(
			row,
			token.kind === 'quote'
				? Number.MAX_SAFE_INTEGER
				: Math.min(changesAtS, fateS, addUpS > nowS ? addUpS : Number.POSITIVE_INFINITY),
		);
		this.table.refresh(row, (dirty & DIRTY.texts) !== 0);
		this.#note(row);
	}

	/**
	 * Adds up a row's holders if that is due.
	 * @returns when it was or will be done: a second that has come means now
	 */
	#addUpHolders(row: number, nowS: number, dirty: number): number {
		if (dirty & DIRTY.holders) this.#owesHolders[row] = 1;
		const ageS = nowS - this.#holdersS[row]!;
		// In a crowd one trade moves little, and adding up takes long.
		const waitS = Math.min(CROWD_WAIT_S, Math.floor(this.positions.count(row) / CROWD));
		if (this.#owesHolders[row] === 0 ? ageS < HOLDERS_STALE_S : ageS < waitS) {
			return this.#owesHolders[row] === 0 ? Number.POSITIVE_INFINITY : this.#holdersS[row]! + waitS;
		}
		this.#owesHolders[row] = 0;
		this.#holdersS[row] = nowS;
		this.#holdings.compute(row, nowS);
		return nowS;
	}

	#launch(event: LaunchEvent): void {
		if (this.token(event.chainId, event.token)) {
			this.ignored++;
			return;
		}
		const {pool, profile} = event;
		const row = this.#newRow();
		const deployer = event.deployer === null ? 0 : this.wallets.id(event.deployer);
		if (deployer !== 0) this.wallets.positions[deployer]!++;
		const token: Token = {
			key: entryKey(event.chainId, event.token),
			chainId: event.chainId,
			address: wireAddress(event.chainId, event.token),
			kind: event.kind,
			symbol: event.symbol,
			name: event.name,
			decimals: event.decimals,
			deployer,
			launchBlock: event.block,
			source: pool?.type ?? null,
			sourceFactory: pool?.factory ?? null,
			curveAddress: event.curveSale === null ? null : wireAddress(event.chainId, pool!.address),
			holdersReported: event.holdersReported,
			preBondingFactory: null,
			profile,
			row,
			otherRows: [],
			launchBuyers: [],
			oldPrices: null,
			compact: false,
		};
		this.#tokensOf(event.chainId).set(canonicalOn(event.chainId, event.token), token);
		this.#listings[row] = {token, pool: pool && this.#ownPool(event.chainId, pool)};
		const rows = this.rows;
		rows.bits[row] = ROW.live | ROW.main | (event.kind === 'quote' ? ROW.quote : event.kind === 'lp' ? ROW.lpToken : 0);
		rows.createdMs[row] = event.timeMs;
		rows.supply[row] = event.supply ?? Number.NaN;
		rows.priceUSD[row] = event.priceUSD;
		rows.athUSD[row] = rows.atlUSD[row] = event.priceUSD;
		rows.athMs[row] = rows.atlMs[row] = event.timeMs;
		if (pool) {
			rows.quoteUSD[row] = event.quoteUSD;
			rows.reserveToken[row] = rows.curveStart[row] = event.reserveToken;
			rows.reserveQuote[row] = event.reserveQuote;
			rows.curveSale[row] = event.curveSale ?? 0;
			this.#liquidityChanged(row);
		}
		this.buckets.open(row, event.priceUSD);
		if (deployer !== 0) {
			const rest = (event.supply ?? event.reserveToken) - event.reserveToken;
			const slot = this.#position(row, deployer, Math.floor(event.timeMs / 1000));
			this.#setBalance(row, slot, Math.max(rest, 0));
			this.reputation.launched(deployer, token);
		}
		this.reputation.linked(token, undefined, profile.twitter ?? undefined);
		this.#touch(row, DIRTY.holders | DIRTY.texts);
	}

	#trade(event: TradeEvent): void {
		const token = this.token(event.chainId, event.token);
		if (!token || !(event.amountToken > 0)) {
			this.ignored++;
			return;
		}
		const main = token.row;
		let row = main;
		if (event.pool !== null && this.#poolRow(token, event.pool) !== main) {
			const other = this.#poolRow(token, event.pool);
			if (other === undefined) {
				this.ignored++;
				return;
			}
			row = other;
		}
		const wallet = this.wallets.id(event.wallet);
		const isBuy = event.side === 'buy';
		const timeMs = Math.max(event.timeMs, this.rows.tradeMs[main]! || 0);
		const second = Math.floor(timeMs / 1000);
		token.compact = false;

		const slot = this.#position(main, wallet, second);
		const wasBot = this.#judge(wallet, slot, isBuy, event, second);
		this.#settle(main, slot, isBuy, event, token);
		this.#count(main, slot, isBuy, event, second, !wasBot);
		if (row !== main) {
			const own = this.#position(row, wallet, second);
			this.#count(row, own, isBuy, event, second, !wasBot);
		}

		const rows = this.rows;
		const price = event.valueUSD / event.amountToken;
		for (const r of row === main ? [main] : [main, row]) {
			rows.tradeMs[r] = timeMs;
			rows.priceUSD[r] = price;
			rows.quoteUSD[r] = event.quoteUSD;
			rows.feesUSD[r]! += event.feeUSD;
			rows.feesQuote[r]! += event.quoteUSD > 0 ? event.feeUSD / event.quoteUSD : 0;
			if (!(price <= rows.athUSD[r]!)) {
				rows.athUSD[r] = price;
				rows.athMs[r] = timeMs;
			}
			if (!(price >= rows.atlUSD[r]!)) {
				rows.atlUSD[r] = price;
				rows.atlMs[r] = timeMs;
			}
		}
		const sign = isBuy ? 1 : -1;
		rows.reserveToken[row]! -= sign * event.amountToken;
		rows.reserveQuote[row]! += sign * event.amountQuote;
		this.#liquidityChanged(row);
		this.#touch(main, DIRTY.holders);
		if (row !== main) this.#touch(row, DIRTY.figures);
	}

	/** Notes what the trade says about the wallet; tells whether it is a bot. */
	#judge(wallet: number, slot: number, isBuy: boolean, event: TradeEvent, second: number): boolean {
		const {wallets, positions} = this;
		if (event.platform !== null) wallets.used(wallet, event.platform);
		wallets.trades[wallet]!++;
		wallets.volumeUSD[wallet]! += event.valueUSD;
		const opposite = isBuy ? positions.lastSellS[slot]! : positions.lastBuyS[slot]!;
		if (opposite !== 0 && second - opposite <= FAST_TRIP_S && wallets.fastTrips[wallet]! < 255) {
			wallets.fastTrips[wallet]!++;
		}
		if (!isBuy && positions.bought[slot]! > 0) {
			const cost = (positions.boughtUSD[slot]! / positions.bought[slot]!) * event.amountToken;
			wallets.profitUSD[wallet]! += event.valueUSD - cost;
			if (wallets.closes[wallet]! < 65_535) {
				wallets.closes[wallet]!++;
				if (event.valueUSD > cost) wallets.wins[wallet]!++;
			}
		}
		return wallets.isBot(wallet);
	}

	/** Moves the tokens and gives the wallet its roles. */
	#settle(row: number, slot: number, isBuy: boolean, event: TradeEvent, token: Token): void {
		const {positions} = this;
		const held = positions.balance[slot]!;
		if (!isBuy) {
			this.#setBalance(row, slot, held - event.amountToken);
			positions.sold[slot]! += event.amountToken;
			positions.soldUSD[slot]! += event.valueUSD;
			return;
		}
		const isFirst = positions.buys[slot] === 0;
		this.#setBalance(row, slot, held + event.amountToken);
		positions.bought[slot]! += event.amountToken;
		positions.boughtUSD[slot]! += event.valueUSD;
		if (positions.buys[slot]! < 65_535) positions.buys[slot]!++;
		const age = event.block - token.launchBlock;
		if (!isFirst || token.launchBuyers === null) return;
		if (age > SNIPER_BLOCKS) {
			token.launchBuyers = null;
			return;
		}
		const wallet = positions.wallet[slot]!;
		if (positions.roles[slot]! & ROLE.dev) return;
		positions.roles[slot]! |= ROLE.sniper;
		tick(this.wallets.snipes, wallet);
		const funder = this.wallets.funder[wallet]!;
		if (age !== 0 || funder === 0) return;
		const accomplices = token.launchBuyers.filter(buyer => buyer.funder === funder);
		token.launchBuyers.push({wallet, funder});
		if (accomplices.length === 0) return;
		// A bundle is no race for the first block: who is in it is a bundler, not a sniper.
		for (const member of [wallet, ...accomplices.map(buyer => buyer.wallet)]) {
			const at = positions.find(row, member);
			if (at < 0 || positions.roles[at]! & ROLE.bundler) continue;
			positions.roles[at] = (positions.roles[at]! & ~ROLE.sniper) | ROLE.bundler;
			tick(this.wallets.bundles, member);
			this.wallets.snipes[member]!--;
		}
	}

	/** Puts the trade into the row's newest bucket and moves the wallet's distinct counts there. */
	#count(row: number, slot: number, isBuy: boolean, event: TradeEvent, second: number, isOrganic: boolean): void {
		const {buckets, positions} = this;
		const index = buckets.newest(row, second);
		const usd = index * USD_LANES;
		const counts = index * COUNT_LANES;
		const lastBuyS = positions.lastBuyS[slot]!;
		const lastSellS = positions.lastSellS[slot]!;
		const sameSideS = isBuy ? lastBuyS : lastSellS;
		const anySideS = Math.max(lastBuyS, lastSellS);
		buckets.close[index] = event.valueUSD / event.amountToken;
		buckets.usd[usd + (isBuy ? USD.buy : USD.sell)]! += event.valueUSD;
		buckets.usd[usd + USD.fees]! += event.feeUSD;
		buckets.counts[counts + (isBuy ? COUNT.buys : COUNT.sells)]!++;
		this.#moveOne(row, index, isBuy ? COUNT.buyers : COUNT.sellers, sameSideS);
		this.#moveOne(row, index, COUNT.traders, anySideS);
		if (isOrganic) {
			// A wallet once a bot stays one, so an organic wallet's earlier trades were all organic too.
			buckets.usd[usd + (isBuy ? USD.organicBuy : USD.organicSell)]! += event.valueUSD;
			buckets.counts[counts + (isBuy ? COUNT.organicBuys : COUNT.organicSells)]!++;
			this.#moveOne(row, index, isBuy ? COUNT.organicBuyers : COUNT.organicSellers, sameSideS);
			this.#moveOne(row, index, COUNT.organicTraders, anySideS);
		}
		if (isBuy) positions.lastBuyS[slot] = second;
		else positions.lastSellS[slot] = second;
	}

	#moveOne(row: number, to: number, lane: number, lastS: number): void {
		const {buckets} = this;
		if (lastS !== 0) {
			const from = buckets.find(row, lastS);
			if (from === to) return;
			if (from >= 0) buckets.counts[from * COUNT_LANES + lane]!--;
		}
		buckets.counts[to * COUNT_LANES + lane]!++;
	}

	#transfer(event: TransferEvent): void {
		const token = this.token(event.chainId, event.token);
		if (!token) {
			this.ignored++;
			return;
		}
		const row = token.row;
		const second = Math.floor(event.timeMs / 1000);
		const from = this.#position(row, this.wallets.id(event.from), second);
		this.#setBalance(row, from, this.positions.balance[from]! - event.amountToken);
		const isDev = (this.positions.roles[from]! & ROLE.dev) !== 0;
		if (isBurnAddress(event.to)) {
			this.rows.burnt[row]! += event.amountToken;
		} else {
			const to = this.#position(row, this.wallets.id(event.to), second);
			this.#setBalance(row, to, this.positions.balance[to]! + event.amountToken);
			if (isDev) this.#makeInsider(to);
		}
		this.#touch(row, DIRTY.holders);
	}

	#liquidity(event: LiquidityEvent): void {
		const token = this.token(event.chainId, event.token);
		const row = token && (event.pool === null ? token.row : this.#poolRow(token, event.pool));
		if (!token || row === undefined) {
			this.ignored++;
			return;
		}
		const slot = this.#position(token.row, this.wallets.id(event.wallet), Math.floor(event.timeMs / 1000));
		this.#setBalance(token.row, slot, this.positions.balance[slot]! - event.amountToken);
		this.rows.reserveToken[row] = Math.max(0, this.rows.reserveToken[row]! + event.amountToken);
		this.rows.reserveQuote[row] = Math.max(0, this.rows.reserveQuote[row]! + event.amountQuote);
		this.#liquidityChanged(row);
		this.#touch(token.row, DIRTY.holders);
		this.#touch(row, DIRTY.figures);
	}

	#migrate(event: MigrateEvent): void {
		const token = this.token(event.chainId, event.token);
		if (!token) {
			this.ignored++;
			return;
		}
		const {rows} = this;
		const main = token.row;
		const pool = this.#ownPool(event.chainId, event.pool);
		const other = this.#newRow();
		token.otherRows.push(other);
		if (event.main) {
			// The old pool stays in the table as a row of its own, with what was traded there.
			this.buckets.openCopy(other, main);
			rows.copy(main, other);
			rows.bits[other] = ROW.live;
			rows.reserveToken[other] = 0;
			rows.reserveQuote[other] = 0;
			this.#listings[other] = {token, pool: this.#listings[main]!.pool};
			token.preBondingFactory = this.#listings[main]!.pool?.factory ?? null;
			this.#listings[main] = {token, pool};
			rows.bondedMs[main] = rows.bondedMs[other] = event.timeMs;
			this.reputation.migrated(token);
		} else {
			this.buckets.open(other, rows.priceUSD[main]!);
			rows.copy(main, other);
			rows.bits[other] = ROW.live;
			rows.feesUSD[other] = 0;
			rows.feesQuote[other] = 0;
			rows.liquidityMax[other] = 0;
			rows.curveSale[other] = 0;
			rows.createdMs[other] = event.timeMs;
			rows.tradeMs[other] = Number.NaN;
			this.#listings[other] = {token, pool};
		}
		const row = event.main ? main : other;
		rows.reserveToken[row] = event.reserveToken;
		rows.reserveQuote[row] = event.reserveQuote;
		this.#liquidityChanged(row);
		this.#touch(main, DIRTY.texts | DIRTY.holders);
		this.#touch(other, DIRTY.texts);
	}

	#profile(event: ProfileEvent): void {
		const token = this.token(event.chainId, event.token);
		if (!token) {
			this.ignored++;
			return;
		}
		const before = token.profile.twitter ?? undefined;
		token.profile = {...token.profile, ...event.profile};
		this.reputation.linked(token, before, token.profile.twitter ?? undefined);
		for (const row of [token.row, ...token.otherRows]) this.#touch(row, DIRTY.texts);
	}

	#position(row: number, wallet: number, second: number): number {
		const before = this.positions.count(row);
		const slot = this.positions.ensure(row, wallet, second);
		if (this.positions.count(row) === before) return slot;
		this.wallets.positions[wallet]!++;
		const {token} = this.#listings[row]!;
		if (token.deployer !== 0) {
			if (token.deployer === wallet) this.positions.roles[slot]! |= ROLE.dev;
			else if (this.wallets.funder[wallet] === token.deployer) this.#makeInsider(slot);
		}
		return slot;
	}

	#makeInsider(slot: number): void {
		if (this.positions.roles[slot]! & ROLE.insider) return;
		this.positions.roles[slot]! |= ROLE.insider;
		tick(this.wallets.insides, this.positions.wallet[slot]!);
	}

	#setBalance(row: number, slot: number, value: number): void {
		const before = this.positions.balance[slot]!;
		// What is left of a sale of everything is rounding, not a holding.
		const after = value <= Math.abs(before) * 1e-12 ? 0 : value;
		this.positions.balance[slot] = after;
		if (before > 0 && after === 0) this.rows.holders[row]!--;
		else if (before === 0 && after > 0) this.rows.holders[row]!++;
	}

	#liquidityChanged(row: number): void {
		const liquidity = this.liquidity(row);
		if (liquidity > this.rows.liquidityMax[row]!) this.rows.liquidityMax[row] = liquidity;
	}

	/** US dollars in a row's pool: both sides of an ordinary pool, the money side of a curve (its tokens have no market yet). */
	liquidity(row: number): number {
		const {rows} = this;
		const money = rows.reserveQuote[row]! * rows.quoteUSD[row]!;
		return rows.curveSale[row]! > 0 && !(rows.bondedMs[row]! > 0) ? money : money * 2;
	}

	#poolRow(token: Token, address: string): number | undefined {
		const own = canonicalOn(token.chainId, address);
		for (const row of [token.row, ...token.otherRows]) {
			const pool = this.#listings[row]!.pool;
			if (pool && canonicalOn(token.chainId, pool.address) === own) return row;
		}
		return undefined;
	}

	#ownPool(chainId: string, pool: PoolFacts): PoolFacts {
		return {...pool, address: wireAddress(chainId, pool.address)};
	}

	#tokensOf(chainId: string): Map<string, Token> {
		const known = this.#chains.get(chainId);
		if (known) return known;
		const tokens = new Map<string, Token>();
		this.#chains.set(chainId, tokens);
		return tokens;
	}

	#newRow(): number {
		const row = this.#freeRows.pop() ?? this.length++;
		if (row >= this.rows.capacity) this.#reserve(Math.ceil(this.rows.capacity * 1.5));
		this.rows.clear(row);
		this.#holdersS[row] = 0;
		this.#owesHolders[row] = 0;
		return row;
	}

	#reserve(rows: number): void {
		this.rows.reserve(rows);
		this.buckets.reserveRows(rows);
		this.positions.reserveRows(rows);
		this.#expiry.reserveRows(rows);
		this.#dirty = grown(this.#dirty, rows);
		this.#isChanged = grown(this.#isChanged, rows);
		this.#holdersS = grown(this.#holdersS, rows);
		this.#owesHolders = grown(this.#owesHolders, rows);
	}

	#compact(token: Token): void {
		token.compact = true;
		token.launchBuyers = null;
		const {positions} = this;
		const keep = (slot: number) => positions.balance[slot]! > 0;
		const forget = (wallet: number) => this.wallets.release(wallet);
		for (const row of [token.row, ...token.otherRows]) positions.prune(row, keep, forget);
	}

	#dropToken(token: Token): void {
		for (const row of [...token.otherRows]) this.#dropRow(row);
		this.reputation.dropped(token);
		this.#dropRow(token.row);
		this.#tokensOf(token.chainId).delete(canonicalOn(token.chainId, token.address));
		if (token.deployer !== 0) this.wallets.release(token.deployer);
	}

	#dropRow(row: number): void {
		const {token} = this.#listings[row]!;
		token.otherRows = token.otherRows.filter(other => other !== row);
		this.positions.clear(row, wallet => this.wallets.release(wallet));
		this.buckets.release(row);
		this.#expiry.cancel(row);
		this.#listings[row] = undefined;
		this.rows.clear(row);
		this.table.refresh(row, true);
		this.#note(row);
		this.#freeRows.push(row);
	}

	#keepOldPrice(row: number, endS: number, price: number): void {
		const token = this.#listings[row]?.token;
		if (!token || token.row !== row) return;
		token.oldPrices ??= [];
		const points = token.oldPrices;
		const lastS = points.at(-2);
		if (lastS !== undefined && endS - lastS < OLD_PRICE_EVERY_S) return;
		points.push(endS, price);
		while (points.length > 0 && endS - points[0]! > OLD_PRICE_KEPT_S) points.splice(0, 2);
	}
}

/** Counts up in a byte that stays full. */
function tick(bytes: Uint8Array, index: number): void {
	if (bytes[index]! < 255) bytes[index]!++;
}
