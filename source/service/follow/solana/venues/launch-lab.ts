import {DecodeFailed, decode, type Layout} from '../borsh.ts';
import {type DecodedEvent, priceOf, type SolanaVenue} from '../venue.ts';

/*
 * Layouts of Raydium LaunchLab's events. Its TradeEvent begins with the same eight bytes as that of pump.fun. It names no
 * wallet, no mint and no time: mint and quote coin are read from the account of the pool.
 */
const MADE_START = [
	['pool_state', 'pubkey'],
	['creator', 'pubkey'],
	['config', 'pubkey'],
	['decimals', 'u8'],
	['name', 'string'],
	['symbol', 'string'],
	['uri', 'string'],
	['curve_kind', 'u8'],
	['supply', 'u64'],
] as const satisfies Layout;

/** A curve of constant product, which most tokens have. */
export const POOL_CREATE_EVENT = [
	...MADE_START,
	['total_base_sell', 'u64'],
	['total_quote_fund_raising', 'u64'],
	['migrate_type', 'u8'],
	['total_locked_amount', 'u64'],
	['cliff_period', 'u64'],
	['unlock_period', 'u64'],
	['amm_fee_on', 'u8'],
] as const satisfies Layout;

const TRADE_START = [
	['pool_state', 'pubkey'],
	['total_base_sell', 'u64'],
	['virtual_base', 'u64'],
	['virtual_quote', 'u64'],
	['real_base_before', 'u64'],
	['real_quote_before', 'u64'],
	['real_base_after', 'u64'],
	['real_quote_after', 'u64'],
	['amount_in', 'u64'],
	['amount_out', 'u64'],
	['protocol_fee', 'u64'],
	['platform_fee', 'u64'],
] as const satisfies Layout;

const TRADE_END = [
	['share_fee', 'u64'],
	['trade_direction', 'u8'],
	['pool_status', 'u8'],
	['exact_in', 'bool'],
] as const satisfies Layout;

/** Before creators had a fee; the only field of any event that was put in between. */
const OLD_TRADE_EVENT = [...TRADE_START, ...TRADE_END] as const satisfies Layout;
const LAUNCH_LAB_TRADE_EVENT = [...TRADE_START, ['creator_fee', 'u64'], ...TRADE_END] as const satisfies Layout;
/** Bytes of the shortest event with the fee of the creator, its first eight included. */
const WITH_CREATOR_FEE = 8 + 138;

/** Instructions that move a token to a pool; they write no event. */
export const MIGRATIONS: ReadonlySet<string> = new Set(['MigrateToAmm', 'MigrateToCpswap']);

export const LAUNCH_LAB: SolanaVenue = {
	id: 'raydium-launchlab',
	name: 'Raydium LaunchLab',
	program: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
	events: {
		'97d7e20976a173ae': made,
		bddb7fd34ee661ee: traded,
	},
	skipped: new Set([
		'15c2725778d3e220', // ClaimVested
		'96980bb334d2bf7d', // CreateVesting
	]),
};

function made(bytes: Uint8Array): DecodedEvent {
	const what = 'a PoolCreateEvent of LaunchLab';
	const start = decode(what, MADE_START, 'supply', bytes, 8).fields;
	const isConstant = start.curve_kind === 0;
	const {fields, extra} = decode(what, POOL_CREATE_EVENT, isConstant ? 'total_base_sell' : 'supply', bytes, 8);
	return {
		event: {
			kind: 'token',
			mint: null,
			curve: fields.pool_state!,
			name: fields.name!,
			symbol: fields.symbol!,
			uri: fields.uri!,
			creator: fields.creator!,
			timeS: null,
			decimals: fields.decimals!,
			supply: fields.supply!,
			sale: isConstant ? fields.total_base_sell! : null,
			virtualToken: null,
			virtualQuote: null,
			quote: null,
			isToken2022: null,
			isMayhem: null,
			isCashback: null,
		},
		extra: isConstant ? extra : 0,
	};
}

function traded(bytes: Uint8Array): DecodedEvent {
	const what = 'a TradeEvent of LaunchLab';
	const {fields, extra} =
		bytes.length >= WITH_CREATOR_FEE
			? decode(what, LAUNCH_LAB_TRADE_EVENT, 'pool_status', bytes, 8)
			: {...decode(what, OLD_TRADE_EVENT, 'pool_status', bytes, 8)};
	const isBuy = fields.trade_direction === 0;
	const sign = isBuy ? 1n : -1n;
	const amountToken = sign * (fields.real_base_after! - fields.real_base_before!);
	const amountQuote = sign * (fields.real_quote_after! - fields.real_quote_before!);
	if (fields.trade_direction! > 1 || amountToken < 0n || amountQuote < 0n) {
		throw new DecodeFailed(what, 'its reserves contradict its direction');
	}
	const creatorFee = 'creator_fee' in fields ? (fields.creator_fee ?? 0n) : 0n;
	return {
		event: {
			kind: 'curve-trade',
			mint: null,
			curve: fields.pool_state!,
			wallet: null,
			side: isBuy ? 'buy' : 'sell',
			amountToken,
			amountQuote,
			fee: fields.protocol_fee! + fields.platform_fee! + creatorFee + fields.share_fee!,
			left: fields.total_base_sell! - fields.real_base_after!,
			raised: fields.real_quote_after!,
			beyond: null,
			price: priceOf(fields.virtual_quote! + fields.real_quote_after!, fields.virtual_base! - fields.real_base_after!),
			quote: null,
			timeS: null,
		},
		extra,
	};
}
