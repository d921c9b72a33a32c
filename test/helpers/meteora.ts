import type {Instruction, WholeTransaction} from '../../source/service/follow/solana/venue.ts';
import {SOL} from '../../source/service/follow/solana/venues/coins.ts';
import {
	CURVE_COMPLETE,
	DBC_MARK,
	INITIALIZE_ARGUMENTS,
	INITIALIZE_POOL,
	METEORA_DBC,
	SWAP_2,
} from '../../source/service/follow/solana/venues/meteora-dbc.ts';
import {encodeEvent} from './borsh-writer.ts';

/*
 * Transactions of Meteora's launchpad. Built here after the program's public source, not recorded on the chain.
 */
const EVENT_CALL = 'e445a52e51cb9a1d';
const {program} = METEORA_DBC;

/** Addresses of a token on Meteora's launchpad. */
export interface MeteoraToken {
	readonly mint: string;
	readonly pool: string;
	readonly creator: string;
	readonly quote?: string;
}

const SUPPLY = 1_000_000_000_000_000n;

export function meteoraLaunch({mint, pool, creator, quote = SOL.address}: MeteoraToken): WholeTransaction {
	const words = {name: 'Frog coin', symbol: 'FROG', uri: 'https://example.org/FROG'};
	return {
		instructions: [
			{
				program,
				accounts: ['', '', creator, mint, quote, pool],
				data: encodeEvent(DBC_MARK.initialize[0], INITIALIZE_ARGUMENTS, words),
			},
			written(encodeEvent(DBC_MARK.made, INITIALIZE_POOL, {pool, creator, base_mint: mint, pool_type: 1})),
		],
		balances: [
			{mint, amount: SUPPLY, decimals: 6},
			{mint: quote, amount: 0n, decimals: 9},
		],
	};
}

interface MeteoraTrade {
	readonly wallet: string;
	readonly side: 'buy' | 'sell';
	/** What the wallet gave, the fee included where it is taken of it, and got. */
	readonly input: bigint;
	readonly output: bigint;
	readonly fee: bigint;
	readonly isFeeOnInput?: boolean;
	readonly reserve: bigint;
	readonly threshold: bigint;
	readonly timeS: bigint;
}

export function meteoraTrade({mint, pool, quote = SOL.address}: MeteoraToken, trade: MeteoraTrade): WholeTransaction {
	const {wallet, side, input, output, fee, isFeeOnInput = false, reserve, threshold, timeS} = trade;
	const swap = encodeEvent(DBC_MARK.swapped, SWAP_2, {
		pool,
		trade_direction: side === 'buy' ? 1 : 0,
		included_fee_input_amount: input,
		excluded_fee_input_amount: isFeeOnInput ? input - fee : input,
		output_amount: output,
		// A price of 1 / 4 raw quote coins for a raw token.
		next_sqrt_price_low: 2n ** 63n,
		trading_fee: fee - fee / 5n,
		protocol_fee: fee / 5n,
		quote_reserve_amount: reserve,
		migration_threshold: threshold,
		current_timestamp: timeS,
	});
	const complete = encodeEvent(DBC_MARK.complete, CURVE_COMPLETE, {pool, quote_reserve: reserve});
	return {
		instructions: [
			{
				program,
				accounts: ['', '', pool, '', '', '', '', mint, quote, wallet],
				data: Buffer.from(DBC_MARK.swap[1], 'hex'),
			},
			written(Buffer.from(DBC_MARK.sameSwap[0], 'hex')),
			written(swap),
			...(reserve >= threshold ? [written(complete)] : []),
		],
		balances: [],
	};
}

export function meteoraMigration({mint, pool}: MeteoraToken, to: string): WholeTransaction {
	const accounts = [pool, '', '', '', to, '', '', '', '', '', '', '', '', mint];
	return {instructions: [{program, accounts, data: Buffer.from(DBC_MARK.migrate, 'hex')}], balances: []};
}

/** An event, as the program's call to itself has it. */
export function written(event: Buffer): Instruction {
	return {program, accounts: [], data: Buffer.concat([Buffer.from(EVENT_CALL, 'hex'), event])};
}
