import {decode, type Layout} from '../borsh.ts';
import {type DecodedEvent, priceOf, type SolanaVenue} from '../venue.ts';

/*
 * Layouts of PumpSwap's events (its public IDL, revision 8cda1fa, and the events of the chain itself). The reserves in an
 * event are those before it. The virtual part of the quote reserve may be negative.
 */
export const CREATE_POOL_EVENT = [
	['timestamp', 'i64'],
	['index', 'u16'],
	['creator', 'pubkey'],
	['base_mint', 'pubkey'],
	['quote_mint', 'pubkey'],
	['base_mint_decimals', 'u8'],
	['quote_mint_decimals', 'u8'],
	['base_amount_in', 'u64'],
	['quote_amount_in', 'u64'],
	['pool_base_amount', 'u64'],
	['pool_quote_amount', 'u64'],
	['minimum_liquidity', 'u64'],
	['initial_liquidity', 'u64'],
	['lp_token_amount_out', 'u64'],
	['pool_bump', 'u8'],
	['pool', 'pubkey'],
	['lp_mint', 'pubkey'],
	['user_base_token_account', 'pubkey'],
	['user_quote_token_account', 'pubkey'],
	['coin_creator', 'pubkey'],
	['is_mayhem_mode', 'bool'],
	['creator_fee_bps', 'u64'],
	['can_edit_creator_fee', 'bool'],
	['is_holder_reward', 'bool'],
] as const satisfies Layout;

const TRADE_START = [
	['timestamp', 'i64'],
	['base_amount', 'u64'],
	['quote_limit', 'u64'],
	['user_base_token_reserves', 'u64'],
	['user_quote_token_reserves', 'u64'],
	['pool_base_token_reserves', 'u64'],
	['pool_quote_token_reserves', 'u64'],
	['quote_amount', 'u64'],
	['lp_fee_basis_points', 'u64'],
	['lp_fee', 'u64'],
	['protocol_fee_basis_points', 'u64'],
	['protocol_fee', 'u64'],
	// A buy: with the fee of the pool. A sell: without it.
	['quote_amount_of_pool', 'u64'],
	['user_quote_amount', 'u64'],
	['pool', 'pubkey'],
	['user', 'pubkey'],
	['user_base_token_account', 'pubkey'],
	['user_quote_token_account', 'pubkey'],
	['protocol_fee_recipient', 'pubkey'],
	['protocol_fee_recipient_token_account', 'pubkey'],
	['coin_creator', 'pubkey'],
	['coin_creator_fee_basis_points', 'u64'],
	['coin_creator_fee', 'u64'],
] as const satisfies Layout;

const TRADE_END = [
	['cashback_fee_basis_points', 'u64'],
	['cashback', 'u64'],
	['buyback_fee_basis_points', 'u64'],
	['buyback_fee', 'u64'],
	['virtual_quote_reserves', 'i128'],
	['can_boost', 'bool'],
	['base_supply', 'u64'],
	['holder_rewards_bps', 'u64'],
	['holder_rewards', 'u64'],
	['creator_fee_unclaimed', 'u64'],
] as const satisfies Layout;

export const BUY_EVENT = [
	...TRADE_START,
	['track_volume', 'bool'],
	['total_unclaimed_tokens', 'u64'],
	['total_claimed_tokens', 'u64'],
	['current_sol_volume', 'u64'],
	['last_update_timestamp', 'i64'],
	['min_base_amount_out', 'u64'],
	['ix_name', 'string'],
	...TRADE_END,
] as const satisfies Layout;

export const SELL_EVENT = [...TRADE_START, ...TRADE_END] as const satisfies Layout;

const LIQUIDITY_EVENT = [
	['timestamp', 'i64'],
	['lp_token_amount', 'u64'],
	['base_limit', 'u64'],
	['quote_limit', 'u64'],
	['user_base_token_reserves', 'u64'],
	['user_quote_token_reserves', 'u64'],
	['pool_base_token_reserves', 'u64'],
	['pool_quote_token_reserves', 'u64'],
	['base_amount', 'u64'],
	['quote_amount', 'u64'],
	['lp_mint_supply', 'u64'],
	['pool', 'pubkey'],
	['user', 'pubkey'],
	['user_base_token_account', 'pubkey'],
	['user_quote_token_account', 'pubkey'],
	['user_pool_token_account', 'pubkey'],
] as const satisfies Layout;

export const PUMP_SWAP: SolanaVenue = {
	id: 'pumpswap',
	name: 'PumpSwap',
	program: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA',
	events: {
		b1310cd2a076a774: poolMade,
		'67f4521f2cf57777': bytes => trade('buy', bytes),
		'3e2f370aa503dc2a': bytes => trade('sell', bytes),
		'78f83d531f8e6b90': bytes => liquidity(1n, bytes),
		'1609851aa02c47c0': bytes => liquidity(-1n, bytes),
	},
	skipped: new Set([
		'2f23a3f9969d937a', // AdminCtoPool
		'93fa6c78f71d43de', // AdminUpdateTokenIncentives
		'3f451c16305cc2b9', // BoostBuyAndBurn
		'e2d6f62107f293e5', // ClaimCashback
		'4facf631cd5bcee8', // ClaimTokenIncentives
		'929fbdac925838f4', // CloseUserVolumeAccumulator
		'e8f5c2eeeada3a59', // CollectCoinCreatorFee
		'6b34598137e25116', // CreateConfig
		'6bfdc14ce4ca1b68', // Disable
		'6161d7905d92167c', // ExtendAccount
		'ae7c4af90451f611', // InitBoost
		'86240d48e86582d8', // InitUserVolumeAccumulator
		'aadd52c793a5f72e', // MigratePoolCoinCreator
		'2bbcfa12dd4bbb5f', // ReservedFeeRecipients
		'f2e7eb664163bdd3', // SetBondingCurveCoinCreator
		'5980f08d5bca4769', // SetBoostAuthority
		'966bc77b7ccf66e4', // SetMetaplexCoinCreator
		'82a42461e48287a5', // SweepPoolFee
		'c57aa77c74515bff', // SyncUserVolumeAccumulator
		'e198ab57f63f42ea', // UpdateAdmin
		'98c67c7c6af67fbf', // UpdateCreatorFeeConfig
		'5a1741233ef4bcd0', // UpdateFeeConfig
	]),
};

function poolMade(bytes: Uint8Array): DecodedEvent {
	const {fields, extra} = decode('a CreatePoolEvent of PumpSwap', CREATE_POOL_EVENT, 'pool', bytes, 8);
	return {
		event: {
			kind: 'pool',
			pool: fields.pool!,
			base: fields.base_mint!,
			quote: fields.quote_mint!,
			baseDecimals: fields.base_mint_decimals!,
			quoteDecimals: fields.quote_mint_decimals!,
			reserveBase: fields.pool_base_amount!,
			reserveQuote: fields.pool_quote_amount!,
			timeS: Number(fields.timestamp),
		},
		extra,
	};
}

function trade(side: 'buy' | 'sell', bytes: Uint8Array): DecodedEvent {
	const {fields, extra} =
		side === 'buy'
			? decode('a BuyEvent of PumpSwap', BUY_EVENT, 'user', bytes, 8)
			: decode('a SellEvent of PumpSwap', SELL_EVENT, 'user', bytes, 8);
	const sign = side === 'buy' ? 1n : -1n;
	const amountBase = fields.base_amount!;
	const amountQuote = fields.quote_amount_of_pool!;
	const reserveBase = atLeastZero(fields.pool_base_token_reserves! - sign * amountBase);
	const reserveQuote = atLeastZero(fields.pool_quote_token_reserves! + sign * amountQuote);
	return {
		event: {
			kind: 'pool-trade',
			pool: fields.pool!,
			wallet: fields.user!,
			side,
			amountBase,
			amountQuote,
			fee: fields.lp_fee! + fields.protocol_fee! + (fields.coin_creator_fee ?? 0n),
			reserveBase,
			reserveQuote,
			price: priceOf(reserveQuote + (fields.virtual_quote_reserves ?? 0n), reserveBase),
			timeS: Number(fields.timestamp),
		},
		extra,
	};
}

function liquidity(sign: 1n | -1n, bytes: Uint8Array): DecodedEvent {
	const {fields, extra} = decode('a liquidity event of PumpSwap', LIQUIDITY_EVENT, 'user', bytes, 8);
	return {
		event: {
			kind: 'pool-liquidity',
			pool: fields.pool!,
			wallet: fields.user!,
			amountBase: sign * fields.base_amount!,
			amountQuote: sign * fields.quote_amount!,
			timeS: Number(fields.timestamp),
		},
		extra,
	};
}

function atLeastZero(amount: bigint): bigint {
	return amount > 0n ? amount : 0n;
}
