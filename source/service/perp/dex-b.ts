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
	account(wallet: string): DexBAccount | undefined;
	/** The account, if it may trade. @throws DexBRefused */
	registered(wallet: string): DexBAccount;
	/** Counts a deposit, once for a transaction; the first one makes the account. */
	credit(wallet: string, amountRaw: bigint, txHash: string): void;
	/** Provisions an API key and an auth token. @throws DexBRefused without an account */
	register(wallet: string, apiKeyIndex: number): DexBAccount;
	/**
	 * Takes a withdrawal out of the balance. @throws DexBRefused when the balance is too low, or the number was used
	 */
	withdraw(wallet: string, amountRaw: bigint, number: number): void;
	/** Puts an amount back that could not be sent. */
	putBack(wallet: string, amountRaw: bigint): void;
	/** Open orders and positions, oldest first, after the market's moves. */
	live(wallet: string): DexBTrade[];
	/** @throws DexBRefused from all of these */
	place(wallet: string, order: DexBOrder): DexBTrade;
	cancel(wallet: string, marketId: string, index: number): DexBTrade;
	/** @param shareBps the part to close, 10000 being the whole */
	close(wallet: string, index: number, shareBps: bigint): DexBTrade;
	edit(wallet: string, index: number, targets: Pick<Trade, 'takeProfit' | 'stopLoss'>): DexBTrade;
	/** Moves collateral into a position (positive) or out of it. */
	moveMargin(wallet: string, index: number, changeRaw: bigint): DexBTrade;
}

const MAX_LEVERAGE = 100n;

function isOffered(sizeRaw: bigint, collateralRaw: bigint): boolean {
	return sizeRaw >= collateralRaw && sizeRaw <= collateralRaw * MAX_LEVERAGE;
}

/** @throws StoreFailed from every function while the store does not work */
export function createDexB(database: Database, now: () => number): DexB {
	const accounts = openTable(database, 'dex_b_accounts', 'wallet', ACCOUNT);
	const trades = openTable(database, 'dex_b_trades', 'id', TRADE);
	const deposits = openTable(database, 'dex_b_deposits', 'txHash', DEPOSIT);
	database.run('CREATE INDEX IF NOT EXISTS dex_b_trades_wallet ON dex_b_trades (wallet, stage)');

	const account = (wallet: string) => accounts.find({sql: 'wallet = ?', parameters: [wallet.toLowerCase()]})[0];
	const update = (wallet: string, patch: Partial<DexBAccount>) =>
		accounts.update(patch, {sql: 'wallet = ?', parameters: [wallet.toLowerCase()]});
	const pay = (wallet: string, amountRaw: bigint) =>
		update(wallet, {balanceRaw: account(wallet)!.balanceRaw + amountRaw});
	const take = (wallet: string, amountRaw: bigint) => {
		if (account(wallet)!.balanceRaw < amountRaw) throw new DexBRefused('the balance is too small');
		pay(wallet, -amountRaw);
	};
	const registered = (wallet: string): DexBAccount => {
		const found = account(wallet);
		if (found === undefined) throw new DexBRefused('the wallet has no account: a deposit makes one');
		if (found.apiKeyIndex === null) throw new DexBRefused('the account has no API key yet');
		return found;
	};
	const save = (trade: DexBTrade): DexBTrade => {
		const saved = {...trade, updatedAtMs: now()};
		trades.update(saved, {sql: 'id = ?', parameters: [trade.id]});
		return saved;
	};
	const priceOf = ({marketId}: DexBTrade) => priceAt(perpMarket(marketId)!, now());

	const opened = (trade: DexBTrade, price: bigint): DexBTrade => {
		const openFeeRaw = feeRaw(trade);
		const collateralRaw = trade.collateralRaw - openFeeRaw;
		// The leverage stays as requested.
		const sizeRaw = (trade.sizeRaw * collateralRaw) / trade.collateralRaw;
		return save({...trade, stage: 'position', price, openFeeRaw, collateralRaw, sizeRaw, openedAtMs: now()});
	};
	const closed = (trade: DexBTrade, price: bigint, shareBps: bigint): DexBTrade => {
		const shareOf = (raw: bigint) => (raw * shareBps) / 10_000n;
		const part = {...trade, collateralRaw: shareOf(trade.collateralRaw), sizeRaw: shareOf(trade.sizeRaw)};
		const [profit, fee] = [profitRaw(part, price), feeRaw(part)];
		const worth = part.collateralRaw + profit - fee;
		if (worth > 0n) pay(trade.wallet, worth);
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
	const settle = (wallet: string): DexBTrade[] => {
		const sql = "wallet = ? AND stage IN ('order', 'position') ORDER BY tradeIndex";
		const before = trades.find({sql, parameters: [wallet.toLowerCase()]}) as DexBTrade[];
		return before.flatMap(trade => {
			const price = priceOf(trade);
			const now_ = trade.stage === 'order' && opensAt(trade, price) ? opened(trade, price) : trade;
			if (now_.stage === 'position' && endsAt(now_, price)) closed(now_, price, 10_000n);
			else return [now_];
			return [];
		});
	};
	const find = (wallet: string, index: number, stage: Trade['stage']): DexBTrade => {
		registered(wallet);
		const trade = settle(wallet).find(({tradeIndex}) => tradeIndex === index);
		if (trade?.stage !== stage) throw new DexBRefused(`there is no such ${stage}`);
		return trade;
	};
	const atomic =
		<A extends unknown[], T>(act: (...args: A) => T) =>
		(...args: A): T =>
			database.transaction(() => act(...args));

	return {
		account,
		registered,
		credit: atomic((wallet, amountRaw, txHash) => {
			if (deposits.find({sql: 'txHash = ?', parameters: [txHash]}).length > 0) return;
			deposits.insert({txHash, wallet: wallet.toLowerCase(), amountRaw, createdAtMs: now()});
			if (account(wallet) === undefined) {
				const count = Number(database.get('SELECT count(*) AS n FROM dex_b_accounts')?.['n'] ?? 0);
				accounts.insert({
					wallet: wallet.toLowerCase(),
					accountIndex: count + 1,
					balanceRaw: 0n,
					apiKeyIndex: null,
					apiKey: null,
					authToken: null,
					withdrawals: 0,
					createdAtMs: now(),
				});
			}
			pay(wallet, amountRaw);
		}),
		register: atomic((wallet, apiKeyIndex) => {
			if (account(wallet) === undefined) throw new DexBRefused('the wallet has no account: a deposit makes one');
			const secret = () => randomBytes(32).toString('hex');
			update(wallet, {apiKeyIndex, apiKey: secret(), authToken: secret()});
			return account(wallet)!;
		}),
		withdraw: atomic((wallet, amountRaw, number) => {
			const {withdrawals} = registered(wallet);
			if (number !== withdrawals) throw new DexBRefused('this withdrawal was made before');
			take(wallet, amountRaw);
			update(wallet, {withdrawals: withdrawals + 1});
		}),
		putBack: atomic((wallet, amountRaw) => void pay(wallet, amountRaw)),
		live: atomic(settle),
		place: atomic((wallet, {market, leverageX100, ...order}) => {
			registered(wallet);
			const {collateralRaw, price: limit} = order;
			if (collateralRaw <= 0n) throw new DexBRefused('the collateral must be more than 0');
			const sizeRaw = (collateralRaw * BigInt(leverageX100)) / 100n;
			if (!isOffered(sizeRaw, collateralRaw)) throw new DexBRefused('the leverage is not offered');
			const price = priceAt(market, now());
			const isWorse = order.isLong ? price > limit : price < limit;
			if (order.kind === 'market' && limit !== 0n && isWorse) throw new DexBRefused('the price has moved');
			take(wallet, collateralRaw);
			const key = wallet.toLowerCase();
			const tradeIndex =
				Number(database.get('SELECT count(*) AS n FROM dex_b_trades WHERE wallet = ?', [key])?.['n'] ?? 0) + 1;
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
			trades.insert(trade);
			return order.kind === 'market' ? opened(trade, price) : trade;
		}),
		cancel: atomic((wallet, marketId, index) => {
			const trade = find(wallet, index, 'order');
			if (trade.marketId !== marketId) throw new DexBRefused('the order is on another market');
			pay(wallet, trade.collateralRaw);
			return save({...trade, stage: 'cancelled'});
		}),
		close: atomic((wallet, index, shareBps) => {
			const trade = find(wallet, index, 'position');
			return closed(trade, priceOf(trade), shareBps);
		}),
		edit: atomic((wallet, index, targets) => save({...find(wallet, index, 'position'), ...targets})),
		moveMargin: atomic((wallet, index, changeRaw) => {
			const trade = find(wallet, index, 'position');
			const collateralRaw = trade.collateralRaw + changeRaw;
			if (collateralRaw <= 0n) throw new DexBRefused('the position has less collateral than that');
			const moved = {...trade, collateralRaw};
			if (!isOffered(trade.sizeRaw, collateralRaw) || endsAt(moved, priceOf(trade))) {
				throw new DexBRefused('the leverage is not offered');
			}
			take(wallet, changeRaw);
			return save(moved);
		}),
	};
}
