import {taxText} from '../../../contract/security-flags.ts';
import type {Security} from '../../market/events.ts';
import {DecodeFailed, decode, type Layout} from './borsh.ts';
import {quoteOf} from './venues/coins.ts';

/** The account of a curve of pump.fun, which later fields may follow. */
const BONDING_CURVE = [
	['discriminator', 'u64'],
	['virtual_token_reserves', 'u64'],
	['virtual_quote_reserves', 'u64'],
	['real_token_reserves', 'u64'],
	['real_quote_reserves', 'u64'],
	['token_total_supply', 'u64'],
	['complete', 'bool'],
	['creator', 'pubkey'],
] as const satisfies Layout;
const BONDING_CURVE_MARK = Buffer.from('17b7f83760d8ac60', 'hex').readBigUInt64LE();

const PUMP_SWAP_POOL = [
	['discriminator', 'u64'],
	['pool_bump', 'u8'],
	['index', 'u16'],
	['creator', 'pubkey'],
	['base_mint', 'pubkey'],
	['quote_mint', 'pubkey'],
	['lp_mint', 'pubkey'],
	['pool_base_token_account', 'pubkey'],
	['pool_quote_token_account', 'pubkey'],
] as const satisfies Layout;
const PUMP_SWAP_POOL_MARK = Buffer.from('f19a6d0411b16dbc', 'hex').readBigUInt64LE();

const LAUNCH_LAB_POOL = [
	['discriminator', 'u64'],
	['epoch', 'u64'],
	['auth_bump', 'u8'],
	['status', 'u8'],
	['base_decimals', 'u8'],
	['quote_decimals', 'u8'],
	['migrate_type', 'u8'],
	['supply', 'u64'],
	['total_base_sell', 'u64'],
	['virtual_base', 'u64'],
	['virtual_quote', 'u64'],
	['real_base', 'u64'],
	['real_quote', 'u64'],
	['total_quote_fund_raising', 'u64'],
	['quote_protocol_fee', 'u64'],
	['platform_fee', 'u64'],
	['migrate_fee', 'u64'],
	['total_locked_amount', 'u64'],
	['cliff_period', 'u64'],
	['unlock_period', 'u64'],
	['start_time', 'u64'],
	['allocated_share_amount', 'u64'],
	['global_config', 'pubkey'],
	['platform_config', 'pubkey'],
	['base_mint', 'pubkey'],
	['quote_mint', 'pubkey'],
] as const satisfies Layout;
const LAUNCH_LAB_POOL_MARK = Buffer.from('f7ede3f5d7c3de46', 'hex').readBigUInt64LE();

const TOKEN_ACCOUNT = [
	['mint', 'pubkey'],
	['owner', 'pubkey'],
	['amount', 'u64'],
] as const satisfies Layout;

export interface CurveState {
	/** Raw tokens that it still sells. */
	readonly left: bigint;
	readonly raised: bigint;
	readonly isFull: boolean;
}

/** Reads the account of a pump.fun curve. @throws DecodeFailed */
export function readCurve(bytes: Uint8Array): CurveState {
	const what = 'an account of a pump.fun curve';
	const {fields} = decode(what, BONDING_CURVE, 'creator', bytes);
	checkMark(what, fields.discriminator!, BONDING_CURVE_MARK);
	return {left: fields.real_token_reserves!, raised: fields.real_quote_reserves!, isFull: fields.complete!};
}

export interface SwapPoolState {
	readonly base: string;
	readonly quote: string;
	readonly baseVault: string;
	readonly quoteVault: string;
}

/** Coins and vaults of a PumpSwap pool. @throws DecodeFailed */
export function readSwapPool(bytes: Uint8Array): SwapPoolState {
	const what = 'an account of a PumpSwap pool';
	const {fields} = decode(what, PUMP_SWAP_POOL, 'pool_quote_token_account', bytes);
	checkMark(what, fields.discriminator!, PUMP_SWAP_POOL_MARK);
	return {
		base: fields.base_mint!,
		quote: fields.quote_mint!,
		baseVault: fields.pool_base_token_account!,
		quoteVault: fields.pool_quote_token_account!,
	};
}

export interface LaunchLabState {
	readonly mint: string;
	readonly quote: string | 'native';
	readonly quoteDecimals: number;
	/** In whole raw amounts, before the first trade: what a price is made of. */
	readonly virtualToken: bigint;
	readonly virtualQuote: bigint;
	readonly left: bigint;
	readonly raised: bigint;
	/** Sold out, or moved to a pool already. */
	readonly isFull: boolean;
}

/** Reads the account of a LaunchLab pool. @throws DecodeFailed */
export function readLaunchLab(bytes: Uint8Array): LaunchLabState {
	const what = 'an account of a LaunchLab pool';
	const {fields} = decode(what, LAUNCH_LAB_POOL, 'quote_mint', bytes);
	checkMark(what, fields.discriminator!, LAUNCH_LAB_POOL_MARK);
	return {
		mint: fields.base_mint!,
		quote: quoteOf(fields.quote_mint),
		quoteDecimals: fields.quote_decimals!,
		virtualToken: fields.virtual_base!,
		virtualQuote: fields.virtual_quote!,
		left: fields.total_base_sell! - fields.real_base!,
		raised: fields.real_quote!,
		isFull: fields.status !== 0,
	};
}

export interface TokenAccount {
	readonly mint: string;
	readonly owner: string;
	readonly amount: bigint;
}

/** Mint, owner and amount of an account of the token programs. @throws DecodeFailed */
export function readTokenAccount(bytes: Uint8Array): TokenAccount {
	const {fields} = decode('an account with tokens', TOKEN_ACCOUNT, 'amount', bytes);
	return {mint: fields.mint!, owner: fields.owner!, amount: fields.amount!};
}

/** Bytes of a mint without extensions, and of the longest account of the old program: extensions stand behind. */
const MINT_SIZE = 82;
const EXTENSIONS_AT = 166;

/** Numbers of extensions of Token-2022 that let a third party act on balances. */
const EXTENSION = {transferFee: 1, defaultState: 6, permanentDelegate: 12, transferHook: 14, pausable: 26} as const;

/** Reads the authorities over a token from the account of its mint. @throws DecodeFailed */
export function readMint(bytes: Uint8Array): {
	readonly supply: bigint;
	readonly decimals: number;
	readonly security: Security;
} {
	if (bytes.length < MINT_SIZE)
		throw new DecodeFailed('a mint', `it has ${bytes.length} bytes instead of ${MINT_SIZE}`);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const canMint = optionAt(view, 0);
	const canFreeze = optionAt(view, 46);
	if (bytes[45] !== 1) throw new DecodeFailed('a mint', 'it is not initialised');
	const extensions = extensionsOf(bytes, view);
	// A hook is a program that is asked before every transfer, and may refuse.
	const isPausable =
		canFreeze ||
		isFrozenAtFirst(extensions.get(EXTENSION.defaultState)) ||
		extensions.has(EXTENSION.pausable) ||
		hasKey(extensions.get(EXTENSION.transferHook), 32);
	const fee = extensions.get(EXTENSION.transferFee);
	const tax = transferFee(fee);
	return {
		supply: view.getBigUint64(36, true),
		decimals: bytes[44]!,
		security: {
			noMintAuthority: !canMint,
			isMintable: canMint,
			transferPausable: isPausable,
			balanceMutable: hasKey(extensions.get(EXTENSION.permanentDelegate), 0),
			renounced: !canMint && !canFreeze,
			modifyableTax: hasKey(fee, 0),
			...(tax === undefined ? {} : {buyTax: tax, sellTax: tax}),
		},
	};
}

function optionAt(view: DataView, at: number): boolean {
	const option = view.getUint32(at, true);
	if (option > 1) throw new DecodeFailed('a mint', 'it neither has nor lacks an authority');
	return option === 1;
}

function extensionsOf(bytes: Uint8Array, view: DataView): Map<number, Uint8Array> {
	const found = new Map<number, Uint8Array>();
	for (let at = EXTENSIONS_AT; at + 4 <= bytes.length; ) {
		const kind = view.getUint16(at, true);
		const size = view.getUint16(at + 2, true);
		if (kind === 0) break;
		if (at + 4 + size > bytes.length) throw new DecodeFailed('a mint', 'an extension reaches over its end');
		found.set(kind, bytes.subarray(at + 4, at + 4 + size));
		at += 4 + size;
	}
	return found;
}

function isFrozenAtFirst(state: Uint8Array | undefined): boolean {
	return state?.[0] === 2;
}

/** Whether an extension holds a key at a place: all zeros mean no key. */
function hasKey(extension: Uint8Array | undefined, at: number): boolean {
	return extension?.subarray(at, at + 32).some(byte => byte !== 0) ?? false;
}

/** The higher of the two fees that the extension holds, now and from an epoch on, in per cent. Undefined: bytes of another form. */
function transferFee(extension: Uint8Array | undefined): string | undefined {
	if (extension === undefined) return '0';
	if (extension.length < 108) return undefined;
	const view = new DataView(extension.buffer, extension.byteOffset, extension.byteLength);
	// Two authorities (64 bytes), the withheld amount (8), then two fees: epoch, most, basis points.
	return taxText(Math.max(view.getUint16(88, true), view.getUint16(106, true)) / 100);
}

function checkMark(what: string, mark: bigint, wanted: bigint): void {
	if (mark !== wanted) throw new DecodeFailed(what, 'its first eight bytes are those of something else');
}
