import {entryKey} from '../../contract/entry.ts';
import type {Engine} from './engine.ts';
import type {HeldToken} from './held-token.ts';
import {
	type ChainPool,
	HOLD_MS,
	type Hold,
	HoldEnded,
	isUntradable,
	type OutsideMarket,
	type OutsideToken,
	type OutsideTrade,
	TradeImpossible,
	type Untradable,
} from './outside.ts';
import type {Simulator} from './simulator/simulator.ts';
import type {TokenPools} from './simulator/token-pools.ts';
import type {TokenProcess} from './simulator/token-process.ts';
import type {Token} from './token.ts';

interface OutsideMarketParts {
	/** The source of the tokens; another one when the market begins again, which waits while a token is held. */
	readonly simulator: () => Simulator;
	readonly engine: Engine;
	/** Loads the rest of the history. */
	readonly fill: () => void;
	readonly log: (line: string) => void;
}

/** A token in the feed, and where its events come from. */
interface Known {
	readonly key: string;
	readonly token: Token;
	readonly process: TokenProcess;
}

export interface SimulatedOutsideMarket extends OutsideMarket {
	/** Whether a token is on hold, or waits for its hold. */
	isHolding(): boolean;
	/** The facts of every token that wallets from outside hold. */
	allHeld(): HeldToken[];
}

/** Lets real wallets trade in a simulated market. Stores nothing for tokens without such trades. */
export function createOutsideMarket({simulator, engine, fill, log}: OutsideMarketParts): SimulatedOutsideMarket {
	/** The end of the last hold in the queue of each token. */
	const queues = new Map<string, Promise<void>>();

	const look = (key: string): Known | undefined => {
		// All that can be traded are the EVM chains' tokens: loading the history for another one would be in vain.
		if (!key.startsWith('evm:')) return undefined;
		if (engine.rowOf(key) === undefined && simulator().hasHistory) fill();
		const row = engine.rowOf(key);
		if (row === undefined) return undefined;
		const {token} = engine.listing(row);
		const own = engine.key(row);
		const process = token.kind === 'token' ? simulator().find(own, engine.rows.createdMs[row]!) : undefined;
		return process && {key: own, token, process};
	};
	const lookAt = ({pools: {chain, address}}: TokenProcess) => look(entryKey(chain.id, address));
	const find = (key: string): OutsideToken | Untradable => {
		const known = look(key);
		return known ? describe(known, engine.nowMs()) : {why: 'unknown'};
	};
	const facts = ({key, token, process}: Known): HeldToken => {
		const atMs = engine.nowMs();
		const {chainId, address, symbol, name, holdersReported, profile} = token;
		const isSupplyReported = engine.rows.supply[token.row]! > 0;
		const feed = {key, chainId, address, symbol, name, isSupplyReported, holdersReported, profile};
		return {...feed, ...process.heldFacts(atMs), atMs};
	};

	/** Runs a hold from its turn to its end. */
	const begin = (key: string, end: () => void): Hold | Untradable => {
		const known = look(key);
		const before = known ? describe(known, engine.nowMs()) : ({why: 'unknown'} as const);
		if (!known || isUntradable(before)) {
			end();
			return before as Untradable;
		}
		const {process} = known;
		const {quoteUSD} = before;
		const source = simulator();
		source.park(process);
		process.pools.roundReserves(quoteUSD);
		let isOver = false;
		const release = (): void => {
			if (isOver) return;
			isOver = true;
			clearTimeout(timer);
			source.goOn(process);
			end();
		};
		// A hold is no reason to keep a process running.
		const timer = setTimeout(() => {
			log(`a trade held ${known.key} for ${HOLD_MS} ms and was not heard of again: the token trades on`);
			release();
		}, HOLD_MS).unref();
		const during = (change: () => void): void => {
			if (isOver) throw new HoldEnded(known.key);
			change();
			engine.advance(engine.nowMs());
		};
		return {
			token: describe(known, before.timeMs) as OutsideToken,
			settle: trade =>
				during(() => {
					const why = whyImpossible(trade, process.pools, quoteUSD);
					if (why !== undefined) throw new TradeImpossible(known.key, why);
					process.settle(engine.nowMs(), quoteUSD, trade);
				}),
			reconcile: pool =>
				during(() => {
					const why = whyNoPool(pool, process.pools);
					if (why !== undefined) throw new TradeImpossible(known.key, why);
					process.reconcile(engine.nowMs(), quoteUSD, pool);
				}),
			release,
		};
	};

	return {
		find,
		async hold(key) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const name = key.toLowerCase();
			const before = queues.get(name);
			const own = before ? before.then(() => promise) : promise;
			queues.set(name, own);
			await before;
			const end = (): void => {
				if (queues.get(name) === own) queues.delete(name);
				resolve();
			};
			try {
				return begin(key, end);
			} catch (error) {
				end();
				throw error;
			}
		},
		heldFacts(key) {
			const known = look(key);
			return known && facts(known);
		},
		takeChangedHeld() {
			const changed: HeldToken[] = [];
			for (const process of simulator().held()) {
				const outside = process.pools.outside!;
				const known = outside.isChanged ? lookAt(process) : undefined;
				if (!known) continue;
				outside.isChanged = false;
				changed.push(facts(known));
			}
			return changed;
		},
		isHolding: () => queues.size > 0,
		allHeld: () => [...simulator().held()].flatMap(process => lookAt(process) ?? []).map(facts),
	};
}

/** The token as it is at a time, or why it cannot be traded. */
function describe({key, token, process}: Known, timeMs: number): OutsideToken | Untradable {
	const {chainId, address, name, symbol, decimals, profile} = token;
	const {pools} = process;
	const {reserves, isRugged, supply, deployer, fee, isCurve} = pools;
	if (pools.isMigrating) return {why: 'migrating'};
	if (isRugged && !pools.outside?.isHeld) return {why: 'rugged'};
	const quoteUSD = pools.quoteUSD(timeMs);
	const reserveUSD = Math.round(reserves.quotes * quoteUSD * 1e6) / 1e6;
	if (!(reserves.tokens > 0 && reserveUSD > 0)) return {why: 'price-unknown'};
	const security = profile.security ?? {};
	return {
		key,
		chainId,
		address,
		name: name ?? '',
		symbol: symbol ?? '',
		decimals,
		supply,
		deployer,
		phase: isCurve ? 'curve' : 'pool',
		isRugged,
		isHoneypot: typeof security['isHoneypot'] === 'boolean' ? security['isHoneypot'] : undefined,
		buyTax: taxPart(security['buyTax']),
		sellTax: taxPart(security['sellTax']),
		fee,
		reserveToken: reserves.tokens,
		reserveQuote: reserves.quotes,
		left: isCurve ? reserves.left : Number.POSITIVE_INFINITY,
		quoteUSD,
		reserveUSD,
		timeMs,
	};
}

/** A tax of the feed, a text of percent, as a part from 0 to 1; undefined when it is not reported. */
function taxPart(flag: string | number | boolean | null | undefined): number | undefined {
	if (typeof flag !== 'string' || !/^\d+(\.\d+)?%?$/.test(flag)) return undefined;
	const part = Number.parseFloat(flag) / 100;
	return part <= 1 ? part : undefined;
}

/** Why no trade with these reserves can have these amounts; undefined when one can. */
function whyImpossible(trade: OutsideTrade, {reserves}: TokenPools, quoteUSD: number): string | undefined {
	const {side, poolTokens, traderTokens, usd, feeUSD} = trade;
	for (const [name, amount] of Object.entries({poolTokens, usd})) {
		if (!(amount > 0 && amount < Number.POSITIVE_INFINITY)) return `${name} is ${amount}`;
	}
	for (const [name, amount] of Object.entries({traderTokens, feeUSD})) {
		if (!(amount >= 0 && amount < Number.POSITIVE_INFINITY)) return `${name} is ${amount}`;
	}
	if (side === 'buy' && poolTokens >= reserves.tokens)
		return `${poolTokens} tokens of ${reserves.tokens} were to be bought`;
	if (side === 'sell' && usd >= reserves.quotes * quoteUSD)
		return `${usd} US dollars of ${reserves.quotes * quoteUSD} were to be paid`;
	const tax = side === 'buy' ? poolTokens - traderTokens : traderTokens - poolTokens;
	return tax < -poolTokens * 1e-12 ? 'the tax is negative' : undefined;
}

function whyNoPool({reserveToken, reserveUSD, left}: ChainPool, {isCurve}: TokenPools): string | undefined {
	for (const [name, amount] of Object.entries({reserveToken, reserveUSD})) {
		if (!(amount > 0 && amount < Number.POSITIVE_INFINITY)) return `${name} is ${amount}`;
	}
	return left >= 0 && (!isCurve || left < Number.POSITIVE_INFINITY) ? undefined : `left is ${left}`;
}
