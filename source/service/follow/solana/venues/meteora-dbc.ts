import {DecodeFailed, decode, type Layout} from '../borsh.ts';
import type {CurveTrade, Instruction, PoolMove, SolanaEvent, TokenMade, WholeTransaction} from '../venue.ts';
import {quoteOf} from './coins.ts';

/*
 * Meteora's launchpad, the Dynamic Bonding Curve. It logs no event: it writes them by calling itself, so that they stand in whole
 * transactions alone. They name neither the text of a token, nor its quote coin, nor a trader: these are in the instructions, and
 * decimals and supply in the balances after the transaction.
 */
export const METEORA_DBC = {
	id: 'meteora-dbc',
	name: 'Meteora DBC',
	program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
} as const;
/** Where its tokens move to. */
export const METEORA_DAMM = {
	id: 'meteora-damm-v2',
	name: 'Meteora DAMM v2',
	program: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG',
} as const;

export const INITIALIZE_POOL = [
	['pool', 'pubkey'],
	['config', 'pubkey'],
	['creator', 'pubkey'],
	['base_mint', 'pubkey'],
	['pool_type', 'u8'],
	['activation_point', 'u64'],
] as const satisfies Layout;

export const SWAP_2 = [
	['pool', 'pubkey'],
	['config', 'pubkey'],
	['trade_direction', 'u8'],
	['has_referral', 'bool'],
	['amount_0', 'u64'],
	['amount_1', 'u64'],
	['swap_mode', 'u8'],
	['included_fee_input_amount', 'u64'],
	['excluded_fee_input_amount', 'u64'],
	['amount_left', 'u64'],
	['output_amount', 'u64'],
	// 128 bits without a sign.
	['next_sqrt_price_low', 'u64'],
	['next_sqrt_price_high', 'u64'],
	['trading_fee', 'u64'],
	['protocol_fee', 'u64'],
	['referral_fee', 'u64'],
	['quote_reserve_amount', 'u64'],
	['migration_threshold', 'u64'],
	['current_timestamp', 'u64'],
] as const satisfies Layout;

export const CURVE_COMPLETE = [
	['pool', 'pubkey'],
	['config', 'pubkey'],
	['base_reserve', 'u64'],
	['quote_reserve', 'u64'],
] as const satisfies Layout;

/** The arguments of the instructions that make a token. */
export const INITIALIZE_ARGUMENTS = [
	['name', 'string'],
	['symbol', 'string'],
	['uri', 'string'],
] as const satisfies Layout;

export const DBC_MARK = {
	made: 'e432f655cb428625',
	swapped: 'bd4233a826507599',
	complete: 'e5e756549c864b18',
	/** EvtSwap and EvtSwap3 say the same of a trade as EvtSwap2, which stands beside them. */
	sameSwap: ['1b3c15d58aaabb93', 'bb77f80dafff403f'],
	/** `initialize_virtual_pool_with_spl_token` and `…_with_token2022`. */
	initialize: ['8c55d7b06636684f', 'a976334e916edc9b'],
	swap: ['f8c69e91e17587c8', '414b3f4ceb5b5b88'],
	migrate: '9ca9e66735e45040',
} as const;

/** Events without a meaning for a market: fees, withdrawals, settings. */
const SKIPPED: ReadonlySet<string> = new Set([
	'c87f06370d200896', // EvtPartnerMetadata
	'bc12484cc35b264a', // EvtVirtualPoolMetadata
	'83cfb4aeb449a536', // EvtCreateConfig
	'a34a42bb77c31a90', // EvtCreateConfigV2
	'd804a7a1258a7c80', // EvtCreateConfig3
	'1506997844741cb1', // EvtCreateClaimFeeOperator
	'6f2725376ed8c217', // EvtCloseClaimFeeOperator
	'baf44bfbbc0d1921', // EvtClaimProtocolFee
	'bb854209cda1540d', // EvtClaimProtocolFee2
	'1a5375f05cca70fe', // EvtClaimTradingFee
	'9ae4d7ca859bd68a', // EvtClaimCreatorTradingFee
	'63a7853fd68faf8b', // EvtCreateMeteoraMigrationMetadata
	'676f84a88cfd9672', // EvtCreateDammV2MigrationMetadata
	'c3389809e8482316', // EvtPartnerWithdrawSurplus
	'9849150f4257359d', // EvtCreatorWithdrawSurplus
	'6d6f1cdd86c3e6cb', // EvtProtocolWithdrawSurplus
	'bfbd688f6f9c5ee5', // EvtWithdrawLeftover
	'6be1a5ed5b9ed5dc', // EvtUpdatePoolCreator
	'1acb5455a11764d6', // EvtWithdrawMigrationFee
	'b5697f4308bb7839', // EvtPartnerWithdrawMigrationFee
	'956f952c8840af3e', // EvtClaimPoolCreationFee
	'aedf2c96916259c3', // EvtPartnerClaimPoolCreationFee
]);

/** The launchpad's part of a whole transaction. */
export interface ReadDbc {
	readonly events: readonly SolanaEvent[];
	readonly moves: readonly PoolMove[];
	/** Events that are not known, or that nothing in the transaction explains. */
	readonly unknown: number;
}

/** Reads the events of Meteora's launchpad, each with the instruction that wrote it. */
export function readMeteoraDbc({instructions, balances}: WholeTransaction): ReadDbc {
	const reader = new Reader(balances);
	for (const instruction of instructions) {
		if (instruction.program === METEORA_DBC.program) reader.take(instruction);
	}
	return reader.result();
}

const EVENT_CALL = 'e445a52e51cb9a1d';

class Reader {
	readonly #balances: WholeTransaction['balances'];
	readonly #events: SolanaEvent[] = [];
	readonly #moves: {mint: string; pool: string; to: 'damm-v2'}[] = [];
	/** The last instruction that made or traded in a pool, by the pool. */
	readonly #makers = new Map<string, Instruction>();
	readonly #traders = new Map<string, Instruction>();
	#swaps = 0;
	#sameSwaps = 0;
	#unknown = 0;

	constructor(balances: WholeTransaction['balances']) {
		this.#balances = balances;
	}

	take(instruction: Instruction): void {
		const {accounts, data} = instruction;
		const head = markOf(data);
		if (head === EVENT_CALL) {
			try {
				this.#event(data.subarray(8));
			} catch {
				// Bytes that are no such event: as unknown as an event without a decoder.
				this.#unknown++;
			}
		} else if (isOneOf(DBC_MARK.initialize, head)) this.#makers.set(accounts[5] ?? '', instruction);
		else if (isOneOf(DBC_MARK.swap, head)) this.#traders.set(accounts[2] ?? '', instruction);
		else if (head === DBC_MARK.migrate && accounts[13]) {
			this.#moves.push({mint: accounts[13], pool: accounts[4]!, to: 'damm-v2'});
		}
	}

	result(): ReadDbc {
		// A trade that stands only in the other events would be missing without a sign.
		const missing = this.#sameSwaps > 0 && this.#swaps === 0 ? 1 : 0;
		return {events: this.#events, moves: this.#moves, unknown: this.#unknown + missing};
	}

	#event(bytes: Uint8Array): void {
		const mark = markOf(bytes);
		if (mark === DBC_MARK.made) this.#events.push(this.#made(bytes));
		else if (mark === DBC_MARK.swapped) this.#events.push(this.#swapped(bytes));
		else if (mark === DBC_MARK.complete) this.#complete(bytes);
		else if (isOneOf(DBC_MARK.sameSwap, mark)) this.#sameSwaps++;
		else if (!SKIPPED.has(mark)) this.#unknown++;
	}

	#made(bytes: Uint8Array): TokenMade {
		const what = 'an EvtInitializePool of Meteora';
		const {fields} = this.#decode(what, INITIALIZE_POOL, 'pool_type', bytes);
		const maker = this.#makers.get(fields.pool!);
		const mint = fields.base_mint!;
		const quote = maker?.accounts[4];
		const held = this.#balances.filter(balance => balance.mint === mint);
		if (maker === undefined || maker.accounts[3] !== mint || !quote || held.length === 0) {
			throw new DecodeFailed(what, 'the transaction does not say what was made');
		}
		const text = decode(what, INITIALIZE_ARGUMENTS, 'uri', maker.data, 8).fields;
		return {
			kind: 'token',
			venue: METEORA_DBC,
			mint,
			curve: fields.pool!,
			name: text.name!,
			symbol: text.symbol!,
			uri: text.uri!,
			creator: fields.creator!,
			timeS: null,
			decimals: held[0]!.decimals,
			// No other account can hold any yet.
			supply: held.reduce((sum, {amount}) => sum + amount, 0n),
			sale: null,
			virtualToken: null,
			virtualQuote: null,
			quote: quoteOf(quote),
			quoteDecimals: this.#balances.find(balance => balance.mint === quote)?.decimals,
			isToken2022: fields.pool_type === 1,
			isMayhem: null,
			isCashback: null,
		};
	}

	#swapped(bytes: Uint8Array): CurveTrade {
		const {fields} = this.#decode('an EvtSwap2 of Meteora', SWAP_2, 'current_timestamp', bytes);
		if (fields.trade_direction! > 1) throw new DecodeFailed('an EvtSwap2 of Meteora', 'it has no direction');
		this.#swaps++;
		const isBuy = fields.trade_direction === 1;
		const fee = fields.trading_fee! + fields.protocol_fee! + fields.referral_fee!;
		const isFeeOnInput = fields.included_fee_input_amount !== fields.excluded_fee_input_amount;
		const input = fields.excluded_fee_input_amount!;
		// Out of the reserve, the fee included where it is taken from what leaves.
		const output = fields.output_amount! + (isFeeOnInput ? 0n : fee);
		const [token, quote] = isBuy ? [output, input] : [input, output];
		const isFeeInQuote = isBuy === isFeeOnInput;
		const wallet = this.#traders.get(fields.pool!)?.accounts[9];
		const root = Number((fields.next_sqrt_price_high! << 64n) | fields.next_sqrt_price_low!) / 2 ** 64;
		return {
			kind: 'curve-trade',
			mint: null,
			curve: fields.pool!,
			wallet: wallet ? wallet : null,
			side: isBuy ? 'buy' : 'sell',
			// The amount that the wallet got or gave.
			amountToken: isBuy ? fields.output_amount! : fields.included_fee_input_amount!,
			amountQuote: quote,
			// A fee in tokens counts at the price of the trade.
			fee: isFeeInQuote ? fee : token === 0n ? null : (fee * quote) / token,
			left: null,
			raised: fields.quote_reserve_amount!,
			beyond: null,
			price: root > 0 ? root * root : null,
			quote: null,
			timeS: Number(fields.current_timestamp),
			...(fields.migration_threshold! > 0n && {
				share: Math.min(1, Number(fields.quote_reserve_amount) / Number(fields.migration_threshold)),
			}),
		};
	}

	#complete(bytes: Uint8Array): void {
		const what = 'an EvtCurveComplete of Meteora';
		const {fields} = this.#decode(what, CURVE_COMPLETE, 'quote_reserve', bytes);
		const mint = this.#traders.get(fields.pool!)?.accounts[7];
		if (!mint) throw new DecodeFailed(what, 'the transaction has no trade that completes it');
		this.#events.push({kind: 'full', mint, timeS: null});
	}

	#decode<const L extends Layout>(what: string, layout: L, needed: L[number][0], bytes: Uint8Array) {
		const decoded = decode(what, layout, needed, bytes, 8);
		if (decoded.extra > 0) this.#unknown++;
		return decoded;
	}
}

function markOf(bytes: Uint8Array): string {
	return Buffer.from(bytes.subarray(0, 8)).toString('hex');
}

function isOneOf(marks: readonly string[], mark: string): boolean {
	return marks.includes(mark);
}
