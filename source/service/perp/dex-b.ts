import {randomBytes} from 'node:crypto';
import type {Database} from '../store/database.ts';
import {openTable, type RowOf} from '../store/table.ts';
import {type PerpMarket, perpMarket, priceAt} from './markets.ts';
import {endsAt, feeRaw, opensAt, profitRaw, type Trade} from './trade.ts';

/** dexB's chain id in the API. */
export const DEX_B_CHAIN = 'dexB:304';

/** The least first deposit that makes an account (spec 4.7, 8): five units of the stablecoin. */
export const DEX_B_FIRST_DEPOSIT_RAW = 5_000_000n;

/** A request that the exchange refuses. */
export class DexBRefused extends Error {}

const ACCOUNT = {
	/** Lower case. */
	wallet: 'text',
	accountIndex: 'integer',
	/** Free for orders and withdrawals. */
	balanceRaw: 'bigint',
	/** Null until an API key is provisioned: only then can the account trade. */
	apiKeyIndex: ['integer'],
	apiKey: ['text'],
	authToken: ['text'],
	/** Number of withdrawals: each names the next number, and counts once. */
	withdrawals: 'integer',
	createdAtMs: 'integer',
} as const;

const TRADE = {
	id: 'text',
	wallet: 'text',
	tradeIndex: 'integer',
	marketId: 'text',
	stage: 'text',
	kind: 'text',
	isLong: 'flag',
	collateralRaw: 'bigint',
	sizeRaw: 'bigint',
	price: 'bigint',
	takeProfit: 'bigint',
	stopLoss: 'bigint',
	openFeeRaw: 'bigint',
	closeFeeRaw: 'bigint',
	realizedRaw: 'bigint',
	openedAtMs: 'integer',
	updatedAtMs: 'integer',
} as const;

const DEPOSIT = {txHash: 'text', wallet: 'text', amountRaw: 'bigint', createdAtMs: 'integer'} as const;

export type DexBAccount = RowOf<typeof ACCOUNT>;
export type DexBTrade = Omit<RowOf<typeof TRADE>, 'stage' | 'kind'> & Pick<Trade, 'stage' | 'kind'>;

/** Input of an order. */
export interface DexBOrder extends Pick<Trade, 'kind' | 'isLong' | 'collateralRaw' | 'takeProfit' | 'stopLoss'> {
	readonly market: PerpMarket;
	/** 1000 is a leverage of ten. */
	readonly leverageX100: number;
	/** Where the order opens; for a market order the worst price it takes, zero for any. */
	readonly price: bigint;
}

/** An exchange with accounts and an order book against its own pool, kept in the store: every change is durable. */
export interface DexB {
	account(wallet: string): Promise<DexBAccount | undefined>;
	/** The account, if it may trade. @throws DexBRefused */
	registered(wallet: string): Promise<DexBAccount>;
	/** Counts a deposit, once for a transaction; the first one makes the account. */
	credit(wallet: string, amountRaw: bigint, txHash: string): Promise<void>;
	/** Provisions an API key and an auth token. @throws DexBRefused without an account */
	register(wallet: string, apiKeyIndex: number): Promise<DexBAccount>;
	/**
	 * Takes a withdrawal out of the balance. @throws DexBRefused when the balance is too low, or the number was used
	 */
	withdraw(wallet: string, amountRaw: bigint, number: number): Promise<void>;
	/** Puts an amount back that could not be sent. */
	putBack(wallet: string, amountRaw: bigint): Promise<void>;
	/** Open orders and positions, oldest first, after the market's moves. */
	live(wallet: string): Promise<DexBTrade[]>;
	/** @throws DexBRefused from all of these */
	place(wallet: string, order: DexBOrder): Promise<DexBTrade>;
	cancel(wallet: string, marketId: string, index: number): Promise<DexBTrade>;
	/** @param shareBps the part to close, 10000 being the whole */
	close(wallet: string, index: number, shareBps: bigint): Promise<DexBTrade>;
	edit(wallet: string, index: number, targets: Pick<Trade, 'takeProfit' | 'stopLoss'>): Promise<DexBTrade>;
	/** Moves collateral into a position (positive) or out of it. */
	moveMargin(wallet: string, index: number, changeRaw: bigint): Promise<DexBTrade>;
}

const MAX_LEVERAGE = 100n;

function isOffered(sizeRaw: bigint, collateralRaw: bigint): boolean {
	return sizeRaw >= collateralRaw && sizeRaw <= collateralRaw * MAX_LEVERAGE;
}

/** @throws StoreFailed from every function while the store does not work */
export async function createDexB(database: Database, now: () => number): Promise<DexB> {
	const accounts = openTable(database, 'dex_b_accounts', ACCOUNT);
	const trades = openTable(database, 'dex_b_trades', TRADE);
	const deposits = openTable(database, 'dex_b_deposits', DEPOSIT);

	const account = async (wallet: string) =>
		(await accounts.find({sql: 'wallet = ?', parameters: [wallet.toLowerCase()]}))[0];
	const update = (wallet: string, patch: Partial<DexBAccount>) =>
		accounts.update(patch, {sql: 'wallet = ?', parameters: [wallet.toLowerCase()]});
	const pay = async (wallet: string, amountRaw: bigint) =>
		update(wallet, {balanceRaw: (await account(wallet))!.balanceRaw + amountRaw});
	const take = async (wallet: string, amountRaw: bigint) => {
		if ((await account(wallet))!.balanceRaw < amountRaw) throw new DexBRefused('the balance is too small');
		await pay(wallet, -amountRaw);
	};
	const registered = async (wallet: string): Promise<DexBAccount> => {
		const found = await account(wallet);
		if (found === undefined) throw new DexBRefused('the wallet has no account: a deposit makes one');
		if (found.apiKeyIndex === null) throw new DexBRefused('the account has no API key yet');
		return found;
	};
	const save = async (trade: DexBTrade): Promise<DexBTrade> => {
		const saved = {...trade, updatedAtMs: now()};
		await trades.update(saved, {sql: 'id = ?', parameters: [trade.id]});
		return saved;
	};
	const priceOf = ({marketId}: DexBTrade) => priceAt(perpMarket(marketId)!, now());

	const opened = (trade: DexBTrade, price: bigint): Promise<DexBTrade> => {
		const openFeeRaw = feeRaw(trade);
		const collateralRaw = trade.collateralRaw - openFeeRaw;
		// The leverage stays as requested.
		const sizeRaw = (trade.sizeRaw * collateralRaw) / trade.collateralRaw;
		return save({...trade, stage: 'position', price, openFeeRaw, collateralRaw, sizeRaw, openedAtMs: now()});
	};
	const closed = async (trade: DexBTrade, price: bigint, shareBps: bigint): Promise<DexBTrade> => {
		const shareOf = (raw: bigint) => (raw * shareBps) / 10_000n;
		const part = {...trade, collateralRaw: shareOf(trade.collateralRaw), sizeRaw: shareOf(trade.sizeRaw)};
		const [profit, fee] = [profitRaw(part, price), feeRaw(part)];
		const worth = part.collateralRaw + profit - fee;
		if (worth > 0n) await pay(trade.wallet, worth);
		return save({
			...trade,
			stage: shareBps === 10_000n ? 'closed' : 'position',
			collateralRaw: trade.collateralRaw - part.collateralRaw,
			sizeRaw: trade.sizeRaw - part.sizeRaw,
			realizedRaw: trade.realizedRaw + (worth > 0n ? profit : -part.collateralRaw),
			closeFeeRaw: trade.closeFeeRaw + fee,
		});
	};
	/** Applies the market's moves to an account's trades. */
	const settle = async (wallet: string): Promise<DexBTrade[]> => {
		const sql = "wallet = ? AND stage IN ('order', 'position') ORDER BY tradeIndex";
		const before = (await trades.find({sql, parameters: [wallet.toLowerCase()]})) as DexBTrade[];
		const live: DexBTrade[] = [];
		for (const trade of before) {
			const price = priceOf(trade);
			const moved = trade.stage === 'order' && opensAt(trade, price) ? await opened(trade, price) : trade;
			if (moved.stage === 'position' && endsAt(moved, price)) await closed(moved, price, 10_000n);
			else live.push(moved);
		}
		return live;
	};
	const find = async (wallet: string, index: number, stage: Trade['stage']): Promise<DexBTrade> => {
		await registered(wallet);
		const trade = (await settle(wallet)).find(({tradeIndex}) => tradeIndex === index);
		if (trade?.stage !== stage) throw new DexBRefused(`there is no such ${stage}`);
		return trade;
	};
	const atomic =
		<A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
		(...args: A): Promise<T> =>
			database.transaction(() => act(...args));

	return {
		account,
		registered,
		credit: atomic(async (wallet, amountRaw, txHash) => {
			if ((await deposits.find({sql: 'txHash = ?', parameters: [txHash]})).length > 0) return;
			await deposits.insert({txHash, wallet: wallet.toLowerCase(), amountRaw, createdAtMs: now()});
			if ((await account(wallet)) === undefined) {
				const {n: count = 0} = (await database.get('SELECT count(*) AS n FROM dex_b_accounts')) ?? {};
				await accounts.insert({
					wallet: wallet.toLowerCase(),
					accountIndex: Number(count) + 1,
					balanceRaw: 0n,
					apiKeyIndex: null,
					apiKey: null,
					authToken: null,
					withdrawals: 0,
					createdAtMs: now(),
				});
			}
			await pay(wallet, amountRaw);
		}),
		register: atomic(async (wallet, apiKeyIndex) => {
			if ((await account(wallet)) === undefined)
				throw new DexBRefused('the wallet has no account: a deposit makes one');
			const secret = () => randomBytes(32).toString('hex');
			await update(wallet, {apiKeyIndex, apiKey: secret(), authToken: secret()});
			return (await account(wallet))!;
		}),
		withdraw: atomic(async (wallet, amountRaw, number) => {
			const {withdrawals} = await registered(wallet);
			if (number !== withdrawals) throw new DexBRefused('this withdrawal was made before');
			await take(wallet, amountRaw);
			await update(wallet, {withdrawals: withdrawals + 1});
		}),
		putBack: atomic(async (wallet, amountRaw) => void (await pay(wallet, amountRaw))),
		live: atomic(settle),
		place: atomic(async (wallet, {market, leverageX100, ...order}) => {
			await registered(wallet);
			const {collateralRaw, price: limit} = order;
			if (collateralRaw <= 0n) throw new DexBRefused('the collateral must be more than 0');
			const sizeRaw = (collateralRaw * BigInt(leverageX100)) / 100n;
			if (!isOffered(sizeRaw, collateralRaw)) throw new DexBRefused('the leverage is not offered');
			const price = priceAt(market, now());
			const isWorse = order.isLong ? price > limit : price < limit;
			if (order.kind === 'market' && limit !== 0n && isWorse) throw new DexBRefused('the price has moved');
			await take(wallet, collateralRaw);
			const key = wallet.toLowerCase();
			const tradeIndex =
				Number((await database.get('SELECT count(*) AS n FROM dex_b_trades WHERE wallet = ?', [key]))?.['n'] ?? 0) + 1;
			const trade: DexBTrade = {
				...order,
				sizeRaw,
				id: `${key}-${tradeIndex}`,
				wallet: key,
				tradeIndex,
				marketId: market.marketId,
				stage: 'order',
				openFeeRaw: 0n,
				closeFeeRaw: 0n,
				realizedRaw: 0n,
				openedAtMs: now(),
				updatedAtMs: now(),
			};
			await trades.insert(trade);
			return order.kind === 'market' ? opened(trade, price) : trade;
		}),
		cancel: atomic(async (wallet, marketId, index) => {
			const trade = await find(wallet, index, 'order');
			if (trade.marketId !== marketId) throw new DexBRefused('the order is on another market');
			await pay(wallet, trade.collateralRaw);
			return save({...trade, stage: 'cancelled'});
		}),
		close: atomic(async (wallet, index, shareBps) => {
			const trade = await find(wallet, index, 'position');
			return closed(trade, priceOf(trade), shareBps);
		}),
		edit: atomic(async (wallet, index, targets) => save({...(await find(wallet, index, 'position')), ...targets})),
		moveMargin: atomic(async (wallet, index, changeRaw) => {
			const trade = await find(wallet, index, 'position');
			const collateralRaw = trade.collateralRaw + changeRaw;
			if (collateralRaw <= 0n) throw new DexBRefused('the position has less collateral than that');
			const moved = {...trade, collateralRaw};
			if (!isOffered(trade.sizeRaw, collateralRaw) || endsAt(moved, priceOf(trade))) {
				throw new DexBRefused('the leverage is not offered');
			}
			await take(wallet, changeRaw);
			return save(moved);
		}),
	};
}
