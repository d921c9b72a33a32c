import {DecodeFailed, decode, type Layout} from '../borsh.ts';
import {type DecodedEvent, priceOf, type SolanaVenue} from '../venue.ts';
import {quoteOf, TOKEN_2022_PROGRAM} from './coins.ts';

/** Decimals of every coin that pump.fun makes. */
export const PUMP_DECIMALS = 6;

/*
 * Layouts of pump.fun's events (its public IDL, revision 8cda1fa, and the events of the chain itself). Fields were only ever
 * appended: TradeEvent ended in 2024-05 with virtual_token_reserves, in 2025-06 with creator_fee, and so on.
 */
export const CREATE_EVENT = [
	['name', 'string'],
	['symbol', 'string'],
	['uri', 'string'],
	['mint', 'pubkey'],
	['bonding_curve', 'pubkey'],
	['user', 'pubkey'],
	['creator', 'pubkey'],
	['timestamp', 'i64'],
	['virtual_token_reserves', 'u64'],
	['virtual_sol_reserves', 'u64'],
	['real_token_reserves', 'u64'],
	['token_total_supply', 'u64'],
	['token_program', 'pubkey'],
	['is_mayhem_mode', 'bool'],
	['is_cashback_enabled', 'bool'],
	['quote_mint', 'pubkey'],
	['virtual_quote_reserves', 'u64'],
	['creator_fee_bps', 'u64'],
	['is_holder_reward', 'bool'],
] as const satisfies Layout;

export const TRADE_EVENT = [
	['mint', 'pubkey'],
	['sol_amount', 'u64'],
	['token_amount', 'u64'],
	['is_buy', 'bool'],
	['user', 'pubkey'],
	['timestamp', 'i64'],
	['virtual_sol_reserves', 'u64'],
	['virtual_token_reserves', 'u64'],
	['real_sol_reserves', 'u64'],
	['real_token_reserves', 'u64'],
	['fee_recipient', 'pubkey'],
	['fee_basis_points', 'u64'],
	['fee', 'u64'],
	['creator', 'pubkey'],
	['creator_fee_basis_points', 'u64'],
	['creator_fee', 'u64'],
	['track_volume', 'bool'],
	['total_unclaimed_tokens', 'u64'],
	['total_claimed_tokens', 'u64'],
	['current_sol_volume', 'u64'],
	['last_update_timestamp', 'i64'],
	['ix_name', 'string'],
	['mayhem_mode', 'bool'],
	['cashback_fee_basis_points', 'u64'],
	['cashback', 'u64'],
	['buyback_fee_basis_points', 'u64'],
	['buyback_fee', 'u64'],
	['shareholders', {list: ['pubkey', 'u16']}],
	['quote_mint', 'pubkey'],
	['quote_amount', 'u64'],
	['virtual_quote_reserves', 'u64'],
	['real_quote_reserves', 'u64'],
	['holder_rewards_bps', 'u64'],
	['holder_rewards', 'u64'],
	['creator_fee_unclaimed', 'u64'],
] as const satisfies Layout;

export const COMPLETE_EVENT = [
	['user', 'pubkey'],
	['mint', 'pubkey'],
	['bonding_curve', 'pubkey'],
	['timestamp', 'i64'],
	['quote_mint', 'pubkey'],
] as const satisfies Layout;

export const MIGRATION_EVENT = [
	['user', 'pubkey'],
	['mint', 'pubkey'],
	['mint_amount', 'u64'],
	['sol_amount', 'u64'],
	['pool_migration_fee', 'u64'],
	['bonding_curve', 'pubkey'],
	['timestamp', 'i64'],
	['pool', 'pubkey'],
	['quote_mint', 'pubkey'],
] as const satisfies Layout;

/** The part of the buy that ends a curve which is filled from the coming pool's tokens (since October 2026). */
export const POST_COMPLETE_EVENT = [
	['user', 'pubkey'],
	['mint', 'pubkey'],
	['bonding_curve', 'pubkey'],
	['quote_mint', 'pubkey'],
	['timestamp', 'i64'],
	['base_out', 'u64'],
	['quote_in', 'u64'],
	['fee_basis_points', 'u64'],
	['fee', 'u64'],
	['creator_fee_basis_points', 'u64'],
	['creator_fee', 'u64'],
	['buyback_fee', 'u64'],
	['pool_base_before', 'u64'],
	['pool_quote_before', 'u64'],
	['pool_base_after', 'u64'],
	['pool_quote_after', 'u64'],
] as const satisfies Layout;

export const PUMP: SolanaVenue = {
	id: 'pumpfun',
	name: 'Pump.fun',
	program: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
	events: {
		'1b72a94ddeeb6376': created,
		bddb7fd34ee661ee: traded,
		'5f72619cd42e9808': completed,
		bde95db95c94ea94: migrated,
		'6fb06d8b316cd5fb': boughtOn,
	},
	skipped: new Set([
		'a4af574a582d213e', // AddQuoteControlMint
		'6e7ce262aaff1178', // AdminCto
		'f53b46224bb96d5c', // AdminSetIdlAuthority
		'93fa6c78f71d43de', // AdminUpdateTokenIncentives
		'e2d6f62107f293e5', // ClaimCashback
		'4facf631cd5bcee8', // ClaimTokenIncentives
		'929fbdac925838f4', // CloseUserVolumeAccumulator
		'7a027f010ebf0caf', // CollectCreatorFee
		'a537817004b3ca28', // DistributeCreatorFees
		'e3bed7ceb0b4a584', // DistributeFeeToHolders
		'6161d7905d92167c', // ExtendAccount
		'86240d48e86582d8', // InitUserVolumeAccumulator
		'9ba768dcd56cf303', // MigrateBondingCurveCreator
		'a8d884efebb63134', // MinimumDistributableFee
		'2e21568600d5d130', // RemoveQuoteControlMint
		'2bbcfa12dd4bbb5f', // ReservedFeeRecipients
		'ed347b25f5fb48d2', // SetCreator
		'8ecb06207f69bfa2', // SetMetaplexCreator
		'dfc39ff63e308f83', // SetParams
		'4af88d45ca511ef7', // SetQuoteControlAdmin
		'742b4dbd117a482b', // SweepBondingCurveFee
		'c57aa77c74515bff', // SyncUserVolumeAccumulator
		'98c67c7c6af67fbf', // UpdateCreatorFeeConfig
		'b6c3892a23cecff7', // UpdateGlobalAuthority
		'757be4b6a1a8dcd6', // UpdateMayhemVirtualParams
	]),
};

function created(bytes: Uint8Array): DecodedEvent {
	const {fields, extra} = decode('a CreateEvent of pump.fun', CREATE_EVENT, 'user', bytes, 8);
	const sale = fields.real_token_reserves ?? null;
	return {
		event: {
			kind: 'token',
			mint: fields.mint!,
			curve: fields.bonding_curve!,
			name: fields.name!,
			symbol: fields.symbol!,
			uri: fields.uri!,
			creator: fields.creator ?? fields.user!,
			timeS: secondsOf(fields.timestamp),
			decimals: PUMP_DECIMALS,
			supply: fields.token_total_supply ?? 1_000_000_000_000_000n,
			sale,
			virtualToken: fields.virtual_token_reserves ?? null,
			virtualQuote: positive(fields.virtual_quote_reserves) ?? positive(fields.virtual_sol_reserves),
			quote: quoteOf(fields.quote_mint),
			isToken2022: fields.token_program === undefined ? null : fields.token_program === TOKEN_2022_PROGRAM,
			isMayhem: fields.is_mayhem_mode ?? null,
			isCashback: fields.is_cashback_enabled ?? null,
		},
		extra,
	};
}

function traded(bytes: Uint8Array): DecodedEvent {
	const {fields, extra} = decode('a TradeEvent of pump.fun', TRADE_EVENT, 'virtual_token_reserves', bytes, 8);
	const quote = quoteOf(fields.quote_mint);
	// In another coin than SOL the fields that are named after SOL are 0.
	const isSOL = quote === 'native';
	const virtualQuote = isSOL ? fields.virtual_sol_reserves! : (fields.virtual_quote_reserves ?? 0n);
	const raised = isSOL ? fields.real_sol_reserves : fields.real_quote_reserves;
	return {
		event: {
			kind: 'curve-trade',
			mint: fields.mint!,
			curve: null,
			wallet: fields.user!,
			side: fields.is_buy ? 'buy' : 'sell',
			amountToken: fields.token_amount!,
			amountQuote: isSOL ? fields.sol_amount! : (fields.quote_amount ?? 0n),
			fee: fields.fee === undefined ? null : fields.fee + (fields.creator_fee ?? 0n),
			left: fields.real_token_reserves ?? null,
			raised: raised ?? null,
			beyond: null,
			price: priceOf(virtualQuote, fields.virtual_token_reserves!),
			quote,
			timeS: secondsOf(fields.timestamp),
		},
		extra,
	};
}

function completed(bytes: Uint8Array): DecodedEvent {
	const {fields, extra} = decode('a CompleteEvent of pump.fun', COMPLETE_EVENT, 'timestamp', bytes, 8);
	return {event: {kind: 'full', mint: fields.mint!, timeS: Number(fields.timestamp)}, extra};
}

function migrated(bytes: Uint8Array): DecodedEvent {
	const {fields, extra} = decode('a migration event of pump.fun', MIGRATION_EVENT, 'pool', bytes, 8);
	return {
		event: {
			kind: 'migrated',
			mint: fields.mint!,
			pool: fields.pool!,
			amountToken: fields.mint_amount!,
			amountQuote: fields.sol_amount!,
			timeS: Number(fields.timestamp),
		},
		extra,
	};
}

function boughtOn(bytes: Uint8Array): DecodedEvent {
	const what = 'a PostCompleteBuyEvent of pump.fun';
	const {fields, extra} = decode(what, POST_COMPLETE_EVENT, 'pool_quote_after', bytes, 8);
	const fee = fields.fee! + fields.creator_fee!;
	if (fee > fields.quote_in!) throw new DecodeFailed(what, 'its fees are more than was paid');
	return {
		event: {
			kind: 'curve-trade',
			mint: fields.mint!,
			curve: null,
			wallet: fields.user!,
			side: 'buy',
			amountToken: fields.base_out!,
			amountQuote: fields.quote_in! - fee,
			fee,
			left: 0n,
			raised: null,
			beyond: {token: fields.pool_base_after!, quote: fields.pool_quote_after!},
			price: priceOf(fields.pool_quote_after!, fields.pool_base_after!),
			quote: quoteOf(fields.quote_mint),
			timeS: Number(fields.timestamp),
		},
		extra,
	};
}

function secondsOf(timestamp: bigint | undefined): number | null {
	return timestamp === undefined ? null : Number(timestamp);
}

function positive(amount: bigint | undefined): bigint | null {
	return amount !== undefined && amount > 0n ? amount : null;
}
