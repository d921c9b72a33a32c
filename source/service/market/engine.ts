import {entryKey} from '../../contract/entry.ts';
import type {TextFieldName} from '../../contract/fields.ts';
import {wireAddress} from './address.ts';
import {Buckets, HORIZON_S, WINDOW_LANES, WINDOW_S} from './buckets.ts';
import {Catalog} from './catalog.ts';
import {CHANGED, ChangeLog} from './change-log.ts';
import type {EngineState} from './engine-state.ts';
import type {
	GapEvent,
	HoldersEvent,
	LaunchEvent,
	LiquidityEvent,
	MarketEvent,
	MigrateEvent,
	ProfileEvent,
	ReservesEvent,
	Security,
	TradeEvent,
	TransferEvent,
} from './events.ts';
import {Expiry} from './expiry.ts';
import {HolderShares} from './holder-shares.ts';
import type {Image} from './image.ts';
import {Ledger} from './ledger.ts';
import {ROW} from './market.ts';
import {Departed, Positions} from './positions.ts';
import {keepOldPrice} from './price-history.ts';
import {readText, readWritten} from './readers.ts';
import {Reputation} from './reputation.ts';
import {Rows} from './rows.ts';
import {SettledKinds, type WalletKinds} from './settled-kinds.ts';
import {ColumnTable, type NumericFieldName, type RowSource} from './table.ts';
import {isBurnAddress, isMintAddress, type Listing, NO_ROWS, type Token, type Venue} from './token.ts';
import {TracedPositions} from './traced-positions.ts';
import {priceAfter} from './trade-price.ts';
import {Wallets} from './wallets.ts';

/**
 * Without a trade for this long a token is dead: it keeps its holders and sums, and forgets wallets that have sold out.
 */
const DEAD_AFTER_S = 3600;
/** Without a trade for this long a token is dropped. */
const DROP_AFTER_S = HORIZON_S;
/** When there are too many tokens, this part of the rows is freed at once. */
const FREED_PART = 1 / 32;
/** Tokens with more wallets than this are thinned out from time to time. */
const CROWD = 4;
const THIN_OUT_EVERY_S = 600;
/** Windows reach half an hour beyond their length. */
const KEPT_S = HORIZON_S + 3600;
/** Initial rows, see Buckets. */
const FIRST_ROWS = 1 << 14;
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Computes every figure of the market from its events (spec 2.1). Synchronous, without a clock of its own: `apply` takes
 * facts in, `advance` moves time on, and after it all columns are current.
 *
 * Memory is bounded: buckets are merged with age, dead tokens shrink, and a token without a trade for 24 h is dropped; of
 * the dead ones those without a trade for longest even earlier, where there is a limit to how many rows are kept.
 */
export class Engine implements RowSource, EngineState {
	readonly catalog = new Catalog();
	readonly rows = new Rows();
	readonly buckets: Buckets;
	readonly positions: Positions;
	readonly departed = new Departed();
	readonly wallets: Wallets;
	readonly reputation: Reputation;
	readonly table: ColumnTable;
	/** Number of applied events. */
	applied = 0;
	/** Applied events without effect: those that name an unknown token or pool, or are impossible. */
	ignored = 0;

	#nowMs: number;
	readonly #maxRows: number;
	/** The positions, when tokens can be forgotten. */
	readonly #traced: TracedPositions | null;
	readonly #ledger: Ledger;
	readonly #shares: HolderShares;
	/** The kinds of wallets in the shares of holders, where figures are exact. */
	readonly #kinds: SettledKinds | null;
	/** When kinds were settled last: whole minutes since 1970. */
	#settledMinute: number;
	readonly #changes = new ChangeLog();
	/** Rows of quote coins by chain and address as pools name them. */
	readonly #quoteRows = new Map<string, Map<string, number | undefined>>();
	#expiry: Expiry;
	readonly #windows = new Float64Array(8 * WINDOW_LANES);
	#windowsOf = -1;
	/** When rows were last freed for new tokens, Unix seconds. */
	#freedAtS = 0;
	/** When the positions of large tokens were last thinned out, by row, Unix seconds. */
	readonly #thinnedOutS = new Map<number, number>();
	readonly #releaseHolder = (slot: number): void => this.wallets.release(this.positions.wallet[slot]!);
	readonly #releaseDeparted = (slot: number): void => this.wallets.release(this.departed.wallet[slot]!);

	/**
	 * @param maxRows how many rows are kept; rows of living tokens are kept beyond that
	 * @param isExact every figure is a function of the events of the tokens that are kept, to its last bit, whatever else was applied,
	 *   in whichever order of the tokens, and dropped or forgotten since, and whenever time moves on within a minute. Costs 32 bytes
	 *   a position and forgets no wallet of a token; bots are known by what they do in one token, and the extremes of quote coins
	 *   are unknown. Amounts in windows are rounded to a millionth of a dollar (and exact up to 8 billion), rows are freed by
	 *   `freeRows` alone, and shares of kinds of holders follow the kind of a wallet at whole minutes
	 */
	constructor(nowMs: number, {maxRows = Number.POSITIVE_INFINITY, isExact = false} = {}) {
		this.#nowMs = nowMs;
		this.#maxRows = maxRows;
		this.#traced = isExact ? new TracedPositions() : null;
		this.positions = this.#traced ?? new Positions();
		this.wallets = new Wallets({exact: isExact});
		this.buckets = new Buckets((row, endS, price) => {
			if (this.rows.bits[row]! & ROW.main) keepOldPrice(this.listing(row).token, endS, price);
		});
		this.#expiry = new Expiry(Math.floor(nowMs / 1000));
		this.#settledMinute = minuteOf(nowMs);
		this.#kinds = isExact ? new SettledKinds(this.wallets, this.#settledMinute * 60) : null;
		this.#ledger = new Ledger(
			this.rows,
			this.buckets,
			this.positions,
			this.departed,
			this.wallets,
			this.#traced,
			isExact,
		);
		this.#shares = new HolderShares(this.rows, this.positions, this.departed, this.#kinds ?? this.wallets, isExact);
		this.reputation = new Reputation(
			row => this.catalog.find(row)?.token.profile.twitter,
			row => this.#touch(row, CHANGED.figures),
		);
		this.table = new ColumnTable(this);
		this.#reserve(FIRST_ROWS);
	}

	get length(): number {
		return this.catalog.length;
	}

	get bits(): Uint8Array {
		return this.rows.bits;
	}

	get versions(): Uint32Array {
		return this.rows.versions;
	}

	/** The time of the figures, Unix ms. */
	nowMs(): number {
		return this.#nowMs;
	}

	/** Applies one event. Columns show its effects after the next `advance`. */
	apply(event: MarketEvent): void {
		this.applied++;
		if (event.type === 'fund') {
			const wallet = this.wallets.id(event.wallet);
			const isFirstSeen = this.wallets.positions[wallet] === 0;
			// The origin of its money is no figure of a token, so that it can't be forgotten with one.
			if (this.#traced && this.wallets.fundedS[wallet] === 0) this.wallets.keep(wallet);
			const isNews = !this.wallets.knowsFunding;
			this.wallets.fund(wallet, event);
			if (isNews) for (let row = 0; row < this.length; row++) this.#touch(row, CHANGED.figures);
			if (isFirstSeen) this.#kinds?.introduced(wallet);
			return;
		}
		const token = this.catalog.token(event.chainId, event.token);
		if (event.type === 'launch') {
			if (token) this.ignored++;
			else this.#launch(event);
		} else if (!token || !this.#applyTo(token, event)) {
			this.ignored++;
		}
	}

	/**
	 * Forgets a token and its effects on its wallets and its deployer, as if the token had never been seen. In an exact engine.
	 * @returns false when the token is not known
	 */
	forget(chainId: string, address: string): boolean {
		if (!this.#traced) throw new TypeError('this engine cannot forget');
		const token = this.catalog.token(chainId, address);
		if (token) this.#dropToken(token);
		return token !== undefined;
	}

	/**
	 * Forgets wallets of which nothing but the funding is known, as an engine that is not exact does with every wallet.
	 * @param beforeMs younger fundings are kept: the wallet has not traded yet
	 * @param drop called with their addresses before the engine changes; when it throws nothing is forgotten
	 */
	forgetFundings(beforeMs: number, drop: (wallets: ReadonlyMap<string, unknown>) => void): void {
		if (!this.#traced) throw new TypeError('this engine cannot forget');
		const idle = this.wallets.idleFunded(Math.floor(beforeMs / 1000));
		if (idle.size === 0) return;
		drop(idle);
		for (const id of idle.values()) this.wallets.release(id);
	}

	/** Gives back the room that earlier tokens and smaller tables left free. Between two events. */
	compact(): void {
		this.positions.compact();
		this.departed.compact();
		this.buckets.compact(row => this.bits[row] !== 0);
	}

	/** See Image. Between two events, with everything settled. */
	pass(image: Image): void {
		this.#nowMs = image.value(this.#nowMs);
		this.#freedAtS = image.value(this.#freedAtS);
		this.applied = image.value(this.applied);
		this.ignored = image.value(this.ignored);
		for (const part of [
			this.catalog,
			this.rows,
			this.buckets,
			this.positions,
			this.departed,
			this.wallets,
			this.reputation,
			this.#shares,
			this.#expiry,
		])
			part.pass(image);
		this.#kinds?.pass(image);
		this.#settledMinute = minuteOf(this.#nowMs);
		this.#changes.reserveRows(this.rows.capacity);
	}

	/** Moves the clock to `nowMs` (never back): windows slide, old tokens are dropped, columns become current. */
	advance(nowMs: number): void {
		this.#nowMs = Math.max(this.#nowMs, nowMs);
		const nowS = this.#nowS();
		if (this.#kinds && minuteOf(this.#nowMs) > this.#settledMinute) this.#settleKinds(this.#kinds);
		this.#expiry.advance(nowS, row => this.#touch(row, CHANGED.figures));
		this.#changes.settle((row, what) => this.#refresh(row, what, nowS));
		if (!this.#kinds && nowS >= this.#freedAtS + 60) this.freeRows();
	}

	/**
	 * Forgets every token and sets the clock, back too: a market that begins again. Rows and versions go on, so that readers see
	 * what they held as changed.
	 */
	beginAgain(nowMs: number): void {
		for (let row = 0; row < this.length; row++) {
			if ((this.bits[row]! & ROW.main) !== 0) this.#dropToken(this.listing(row).token);
		}
		this.#nowMs = nowMs;
		this.#settledMinute = minuteOf(nowMs);
		this.#kinds?.settle(this.#settledMinute * 60);
		this.#freedAtS = 0;
		this.#expiry = new Expiry(this.#nowS());
		this.#expiry.reserveRows(this.rows.capacity);
	}

	/** The kinds of wallets in the shares of holders, where figures are exact: kept for `restoreKinds`. */
	get settledKinds(): Pick<SettledKinds, 'unkept' | 'keep'> | null {
		return this.#kinds;
	}

	/** Makes the shares of holders what they were when this was kept, after the same events in another order. */
	restoreKinds(kept: readonly WalletKinds[]): void {
		this.#touchHeldBy(this.#kinds?.restore(kept));
		this.advance(this.#nowMs);
	}

	/** Rows changed since the last call, each once, freed rows included. */
	takeChanged(): readonly number[] {
		return this.#changes.take();
	}

	listing(row: number): Listing {
		const listing = this.catalog.find(row);
		if (!listing) throw new RangeError(`row ${row} is free`);
		return listing;
	}

	mainRow(row: number): number {
		return this.bits[row]! & ROW.main ? row : this.listing(row).token.row;
	}

	windows(row: number): Float64Array {
		if (this.#windowsOf !== row) {
			this.#readWindows(row, this.#nowS());
			this.#windowsOf = row;
		}
		return this.#windows;
	}

	reader(name: NumericFieldName): (row: number) => number {
		return readWritten(this, name);
	}

	text(name: TextFieldName, row: number): string | null {
		return readText(this, name, row);
	}

	key(row: number): string {
		const token = this.catalog.find(row)?.token;
		return token ? entryKey(token.chainId, token.address) : '';
	}

	rowOf(key: string): number | undefined {
		const bar = key.indexOf('|');
		return this.catalog.token(key.slice(0, bar), key.slice(bar + 1))?.row;
	}

	security(row: number): Security | null {
		return this.catalog.find(row)?.token.profile.security ?? null;
	}

	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null} {
		const {token, pool, venue} = this.catalog.find(row) ?? {};
		return {token0: token?.address ?? '', token1: venue?.quote.address ?? '', pool: pool ?? null};
	}

	isBonded(row: number): boolean {
		return (this.bits[row]! & ROW.pool) !== 0 && (this.rows.curveSale[row] === 0 || this.rows.bondedMs[row]! > 0);
	}

	#nowS(): number {
		return Math.floor(this.#nowMs / 1000);
	}

	#touch(row: number, what: number): void {
		this.#windowsOf = -1;
		this.#changes.touch(row, what);
	}

	#refresh(row: number, what: number, nowS: number): void {
		const listing = this.catalog.find(row);
		if (!listing) return;
		const {token} = listing;
		const isMain = token.row === row;
		const bornMs = this.rows.createdMs[row]!;
		const aliveS = Math.floor((this.rows.tradeMs[row]! || bornMs) / 1000);
		const idleS = token.kind === 'quote' ? 0 : nowS - aliveS;
		if (idleS >= DROP_AFTER_S) {
			if (isMain) this.#dropToken(token);
			else this.#dropRow(row);
			return;
		}
		const isDead = isMain && idleS >= DEAD_AFTER_S;
		if (isDead && !token.isCompact && !this.#traced) this.#compact(token);
		if (!this.#traced && isMain && !isDead && (this.positions.count(row) > CROWD || this.departed.count(row) > 0))
			this.#thinOut(row, nowS);
		const addUpS =
			isMain && token.holdersReported ? this.#shares.settle(row, nowS, (what & CHANGED.holders) !== 0) : NEVER;
		if (addUpS <= nowS) {
			for (const other of token.otherRows) {
				this.rows.copyHolders(row, other);
				this.#touch(other, CHANGED.figures);
			}
		}
		this.#windowsOf = row;
		const slidesS = this.#readWindows(row, nowS);
		const fateS = token.kind === 'quote' ? NEVER : aliveS + (idleS < DEAD_AFTER_S ? DEAD_AFTER_S : DROP_AFTER_S);
		this.#expiry.schedule(row, Math.min(slidesS, fateS, addUpS > nowS ? addUpS : NEVER));
		this.table.refresh(row, (what & CHANGED.texts) !== 0);
		this.#markChanged(row);
	}

	/** Reads the windows of a row; those that reach into a gap are unknown. Gives the second at which they change next. */
	#readWindows(row: number, nowS: number): number {
		let slidesS = this.buckets.read(row, nowS, this.#windows);
		const gapS = this.rows.gapMs[row]! / 1000;
		// Without a gap: NaN.
		if (!(gapS > nowS - HORIZON_S)) return slidesS;
		for (const [window, lengthS] of WINDOW_S.entries()) {
			if (gapS <= nowS - lengthS) continue;
			this.#windows.fill(Number.NaN, window * WINDOW_LANES, (window + 1) * WINDOW_LANES);
			slidesS = Math.min(slidesS, gapS + lengthS);
		}
		return slidesS;
	}

	#markChanged(row: number): void {
		this.rows.versions[row]!++;
		this.#changes.mark(row);
	}

	#launch(event: LaunchEvent): void {
		const {pool, profile, chainId, timeMs} = event;
		const row = this.#newRow();
		const deployer = event.deployer === null ? 0 : this.wallets.id(event.deployer);
		if (deployer !== 0) this.wallets.keep(deployer);
		const poolAddress = pool && wireAddress(chainId, pool.address);
		const venue = pool && this.catalog.venueOf(pool);
		const token: Token = {
			chainId,
			address: wireAddress(chainId, event.token),
			kind: event.kind,
			symbol: event.symbol,
			name: event.name,
			decimals: event.decimals,
			deployer,
			launchBlock: event.block,
			launchVenue: venue,
			curveAddress: event.curveSale === null ? null : poolAddress,
			holdersReported: event.holdersReported,
			largest: null,
			movedByTransfers: event.balances === 'transfers',
			preBondingFactory: null,
			migrations: 0,
			profile,
			row,
			otherRows: NO_ROWS,
			launchBuyers: [],
			oldPrices: null,
			isCompact: false,
		};
		this.catalog.put(row, {token, pool: poolAddress, venue});
		this.catalog.add(token);
		if (event.kind === 'quote') this.#quoteRows.clear();
		this.rows.launch(row, launchBits(event), event);
		if (this.#traced && event.kind === 'quote') this.rows.clearExtremes(row);
		this.buckets.open(row, event.priceUSD ?? Number.NaN);
		this.#quoted(chainId, venue, event.quoteUSD, timeMs);
		if (deployer !== 0) {
			const slot = this.#ledger.position(token, row, deployer, Math.floor(timeMs / 1000));
			if (!token.movedByTransfers) this.#ledger.add(row, slot, restOf(event));
			this.reputation.launched(deployer, row);
		}
		this.reputation.linked(row, undefined, profile.twitter);
		this.#touch(row, CHANGED.holders | CHANGED.texts);
	}

	/** Applies an event of a known token; false when the event is impossible. */
	#applyTo(token: Token, event: Exclude<MarketEvent, {type: 'fund' | 'launch'}>): boolean {
		token.isCompact = false;
		if (this.#traced && this.#hasEnded(token, token.row, event.timeMs)) {
			this.#dropToken(token);
			return false;
		}
		switch (event.type) {
			case 'trade':
				return this.#trade(token, event);
			case 'transfer':
				return this.#transfer(token, event);
			case 'liquidity':
				return this.#liquidity(token, event);
			case 'migrate':
				return this.#migrate(token, event);
			case 'profile':
				return this.#profile(token, event);
			case 'reserves':
				return this.#reserves(token, event);
			case 'holders':
				return this.#holders(token, event);
			case 'gap':
				return this.#gap(token, event);
		}
	}

	#trade(token: Token, event: TradeEvent): boolean {
		const row = event.pool === null ? token.row : this.catalog.poolRow(token, event.pool);
		if (row === undefined || !(event.amountToken > 0) || (event.valueUSD !== null && !(event.valueUSD >= 0)))
			return false;
		if (this.#traced && row !== token.row && this.#hasEnded(token, row, event.timeMs)) {
			this.#dropRow(row);
			return false;
		}
		const timeMs = Math.max(event.timeMs, this.rows.tradeMs[token.row]! || 0);
		this.#noteOpening(row, event);
		this.#ledger.trade(token, row, event, Math.floor(timeMs / 1000));
		this.rows.trade(row, event, timeMs);
		// The main pool alone sets the token's price: anybody can open a further one at any price.
		if (row !== token.row) this.rows.tradeBeside(token.row, event, timeMs);
		const sign = event.side === 'buy' ? 1 : -1;
		if (event.reserves) this.rows.setReserves(row, event.reserves.token, event.reserves.quote);
		else this.rows.addReserves(row, -sign * event.amountToken, sign * event.amountQuote);
		this.#touch(token.row, CHANGED.holders);
		if (row !== token.row) this.#touch(row, CHANGED.figures);
		this.#quoted(token.chainId, this.catalog.find(row)?.venue, event.quoteUSD, timeMs);
		return true;
	}

	/** Where the opening price is unknown, the price after the first trade stands for it. */
	#noteOpening(row: number, event: TradeEvent): void {
		if (this.rows.tradeMs[row]! > 0 || !Number.isNaN(this.buckets.priceBefore(row))) return;
		this.buckets.setOpening(row, priceAfter(event));
	}

	/** A quote coin has no pool of its own: trades against it give its price. */
	#quoted(chainId: string, venue: Venue | null | undefined, quoteUSD: number | null, timeMs: number): void {
		if (this.#traced) return;
		const row = this.#quoteRow(chainId, venue?.quote.address);
		if (row === undefined || quoteUSD === null || !(quoteUSD > 0)) return;
		if (this.rows.noteExtremes(row, quoteUSD, timeMs)) this.#touch(row, CHANGED.figures);
	}

	#quoteRow(chainId: string, address: string | undefined): number | undefined {
		if (address === undefined) return undefined;
		const rows = this.#quoteRows.get(chainId) ?? new Map<string, number | undefined>();
		this.#quoteRows.set(chainId, rows);
		if (!rows.has(address)) {
			const coin = this.catalog.token(chainId, address);
			rows.set(address, coin?.kind === 'quote' ? coin.row : undefined);
		}
		return rows.get(address);
	}

	#transfer(token: Token, event: TransferEvent): boolean {
		if (!(event.amountToken > 0)) return false;
		const {amountToken} = event;
		const second = Math.floor(event.timeMs / 1000);
		let from = 0;
		if (event.from !== null && isMintAddress(event.from)) this.rows.supply[token.row]! += amountToken;
		else if (event.from !== null) {
			from = this.wallets.id(event.from);
			const slot = this.#ledger.position(token, token.row, from, second);
			this.#ledger.add(token.row, slot, -amountToken);
		}
		if (event.to !== null && isBurnAddress(event.to)) this.rows.burnt[token.row]! += amountToken;
		else if (event.to !== null) this.#ledger.give(token, from, this.wallets.id(event.to), amountToken, second);
		this.#touch(token.row, CHANGED.holders);
		return true;
	}

	#liquidity(token: Token, event: LiquidityEvent): boolean {
		const row = event.pool === null ? token.row : this.catalog.poolRow(token, event.pool);
		if (row === undefined) return false;
		if (event.wallet !== null && !token.movedByTransfers) {
			const second = Math.floor(event.timeMs / 1000);
			const slot = this.#ledger.position(token, token.row, this.wallets.id(event.wallet), second);
			this.#ledger.add(token.row, slot, -event.amountToken);
		}
		this.rows.addReserves(row, event.amountToken, event.amountQuote);
		this.#touch(token.row, CHANGED.holders);
		this.#touch(row, CHANGED.figures);
		return true;
	}

	#migrate(token: Token, event: MigrateEvent): boolean {
		const main = token.row;
		const known = this.catalog.poolRow(token, event.pool.address);
		if (known === main || (known !== undefined && !event.main)) return false;
		// A further pool that becomes the main one: the token moves to it as to a new one.
		const reserveToken = event.reserveToken ?? (known === undefined ? null : this.rows.reserveToken[known]!);
		const reserveQuote = event.reserveQuote ?? (known === undefined ? null : this.rows.reserveQuote[known]!);
		if (known !== undefined) this.#dropRow(known);
		const other = this.#newRow();
		token.otherRows = [...token.otherRows, other];
		const arrival: Listing = {
			token,
			pool: wireAddress(event.chainId, event.pool.address),
			venue: this.catalog.venueOf(event.pool),
		};
		if (event.main) {
			// The old pool stays in the table as another row, with its own trades.
			const left = this.listing(main);
			this.buckets.openCopy(other, main);
			this.rows.migrate(main, other, event.timeMs);
			this.rows.setReserves(main, reserveToken ?? Number.NaN, reserveQuote ?? Number.NaN);
			this.catalog.put(other, left);
			this.catalog.put(main, arrival);
			token.preBondingFactory = left.venue?.factory ?? null;
			token.migrations++;
			this.reputation.migrated(token.deployer);
		} else {
			this.buckets.open(other, this.rows.priceUSD[main]!);
			this.rows.openPool(main, other, event.timeMs);
			this.rows.setReserves(other, reserveToken ?? Number.NaN, reserveQuote ?? Number.NaN);
			this.catalog.put(other, arrival);
		}
		this.#touch(main, CHANGED.texts | CHANGED.holders);
		this.#touch(other, CHANGED.texts);
		return true;
	}

	#profile(token: Token, event: ProfileEvent): boolean {
		const before = token.profile.twitter;
		token.profile = {...token.profile, ...event.profile};
		this.reputation.linked(token.row, before, token.profile.twitter);
		for (const row of [token.row, ...token.otherRows]) this.#touch(row, CHANGED.texts);
		return true;
	}

	#reserves(token: Token, event: ReservesEvent): boolean {
		const row = event.pool === null ? token.row : this.catalog.poolRow(token, event.pool);
		if (row === undefined || !(event.reserveToken >= 0) || !(event.reserveQuote >= 0)) return false;
		this.rows.setReserves(row, event.reserveToken, event.reserveQuote);
		this.#touch(row, CHANGED.figures);
		return true;
	}

	#holders(token: Token, {timeMs, largest}: HoldersEvent): boolean {
		if (!largest.every(({wallet, amountToken}) => wallet !== '' && amountToken > 0)) return false;
		token.largest = {timeMs, holders: largest};
		for (const row of [token.row, ...token.otherRows]) this.#touch(row, CHANGED.figures);
		return true;
	}

	#gap(token: Token, event: GapEvent): boolean {
		token.holdersReported = false;
		token.launchBuyers = null;
		for (const row of [token.row, ...token.otherRows]) {
			this.rows.gap(row, event.timeMs);
			this.#touch(row, CHANGED.figures);
		}
		return true;
	}

	#newRow(): number {
		const row = this.catalog.takeRow();
		if (row >= this.rows.capacity) this.#reserve(this.rows.capacity * 2);
		this.rows.clear(row);
		this.#shares.clear(row);
		return row;
	}

	#reserve(rows: number): void {
		this.catalog.reserveRows(rows);
		this.reputation.reserveRows(rows);
		this.rows.reserve(rows);
		this.buckets.reserveRows(rows);
		this.positions.reserveRows(rows);
		this.departed.reserveRows(rows);
		this.#shares.reserveRows(rows);
		this.#changes.reserveRows(rows);
		this.#expiry.reserveRows(rows);
	}

	#compact(token: Token): void {
		token.isCompact = true;
		token.launchBuyers = null;
		this.#thinnedOutS.delete(token.row);
		const keep = (slot: number): boolean => this.positions.balance[slot]! > 0;
		for (const row of [token.row, ...token.otherRows]) {
			this.positions.prune(row, keep, this.#releaseHolder);
			this.departed.clear(row, this.#releaseDeparted);
		}
	}

	/**
	 * Moves wallets that sold out to the departed ones, and forgets those who departed a day ago: no window includes
	 * them any more.
	 */
	#thinOut(row: number, nowS: number): void {
		if (nowS - (this.#thinnedOutS.get(row) ?? 0) < THIN_OUT_EVERY_S) return;
		this.#thinnedOutS.set(row, nowS);
		const {positions, departed} = this;
		const stays = (slot: number): boolean => !positions.hasLeft(slot, nowS);
		positions.prune(row, stays, slot => departed.add(row, positions, slot));
		const counts = (slot: number): boolean =>
			Math.max(departed.lastBuyS[slot]!, departed.lastSellS[slot]!) > nowS - KEPT_S;
		departed.prune(row, counts, this.#releaseDeparted);
	}

	/**
	 * Where there are too many rows, drops the tokens that have been dead for longest.
	 * @returns those that were dropped
	 */
	freeRows(): Token[] {
		if (this.catalog.used <= this.#maxRows) return [];
		const nowS = this.#nowS();
		this.#freedAtS = nowS;
		const target = Math.floor(this.#maxRows * (1 - FREED_PART));
		const {tradeMs, createdMs} = this.rows;
		const idleSinceMs = (row: number): number => tradeMs[row]! || createdMs[row]!;
		const deadSinceMs = (nowS - DEAD_AFTER_S) * 1000;
		const dead: number[] = [];
		for (let row = 0; row < this.length; row++) {
			const isMain = (this.bits[row]! & (ROW.main | ROW.quote)) === ROW.main;
			if (isMain && idleSinceMs(row) <= deadSinceMs) dead.push(row);
		}
		dead.sort((a, b) => idleSinceMs(a) - idleSinceMs(b) || (this.key(a) < this.key(b) ? -1 : 1));
		const dropped: Token[] = [];
		for (const row of dead) {
			if (this.catalog.used <= target) break;
			const {token} = this.listing(row);
			this.#dropToken(token);
			dropped.push(token);
		}
		return dropped;
	}

	/** From now on the shares of holders show what wallets have become. */
	#settleKinds(kinds: SettledKinds): void {
		this.#settledMinute = minuteOf(this.#nowMs);
		this.#touchHeldBy(kinds.settle(this.#settledMinute * 60));
	}

	/** The holders of the tokens of some wallets have changed. @param changed 1 by wallet; undefined for none */
	#touchHeldBy(changed: Uint8Array | undefined): void {
		if (changed === undefined) return;
		const {wallet} = this.positions;
		for (let row = 0; row < this.length; row++) {
			if ((this.bits[row]! & ROW.main) === 0) continue;
			const end = this.positions.end(row);
			for (let slot = this.positions.begin(row); slot < end; slot++) {
				if (changed[wallet[slot]!] !== 1) continue;
				this.#touch(row, CHANGED.holders);
				break;
			}
		}
	}

	/** Whether a row was to be dropped before an event, by its idle time: whether the clock has moved since makes no difference. */
	#hasEnded(token: Token, row: number, timeMs: number): boolean {
		const aliveMs = this.rows.tradeMs[row]! || this.rows.createdMs[row]!;
		return token.kind !== 'quote' && Math.floor(timeMs / 1000) - Math.floor(aliveMs / 1000) >= DROP_AFTER_S;
	}

	#dropToken(token: Token): void {
		for (const row of token.otherRows) this.#dropRow(row);
		const {row, deployer, profile, migrations} = token;
		if (this.#traced) this.reputation.forgotten(row, deployer, profile.twitter, migrations);
		else this.reputation.dropped(row, deployer, profile.twitter);
		if (token.kind === 'quote') this.#quoteRows.clear();
		this.#dropRow(token.row);
		this.catalog.remove(token);
		if (token.deployer !== 0) this.wallets.release(token.deployer);
	}

	#dropRow(row: number): void {
		const {token} = this.listing(row);
		token.otherRows = token.otherRows.filter(other => other !== row);
		if (this.#traced) this.#ledger.takeBack(row, this.#traced);
		this.positions.clear(row, this.#releaseHolder);
		this.departed.clear(row, this.#releaseDeparted);
		this.buckets.release(row);
		this.#thinnedOutS.delete(row);
		this.#expiry.cancel(row);
		this.catalog.giveRow(row);
		this.rows.clear(row);
		this.table.refresh(row, true);
		this.#markChanged(row);
	}
}

/** The part of a launched token's supply that is not in its pool. */
function restOf({supply, reserveToken}: LaunchEvent): number {
	return supply === null || reserveToken === null ? 0 : Math.max(supply - reserveToken, 0);
}

function minuteOf(ms: number): number {
	return Math.floor(ms / 60_000);
}

/** The ROW bits of a launched token. */
function launchBits({kind, pool, holdersReported}: LaunchEvent): number {
	const special = kind === 'quote' ? ROW.quote : kind === 'lp' ? ROW.lpToken : 0;
	return ROW.live | ROW.main | special | (pool ? ROW.pool : 0) | (holdersReported ? ROW.holders : 0);
}
