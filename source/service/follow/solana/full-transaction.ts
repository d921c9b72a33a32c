import {NodeAnswerWrong} from '../../../rpc/node-errors.ts';
import type {SolanaNode} from '../../../rpc/solana/node.ts';
import {decodeBase58} from './base58.ts';
import type {ProgramEvent} from './invoke-stack.ts';
import type {Instruction, PoolMove, WholeTransaction} from './venue.ts';
import {LAUNCH_LAB} from './venues/launch-lab.ts';
import {type ReadDbc, readMeteoraDbc} from './venues/meteora-dbc.ts';

/** First bytes of the instruction with which a program calls itself to write an event. */
const EVENT_CALL = 'e445a52e51cb9a1d';
/** LaunchLab's instructions that open a pool, and where mint and pool stand among their accounts. */
const MIGRATE: Readonly<Record<string, {readonly mint: number; readonly pool: number; readonly to: 'cpmm' | 'amm'}>> = {
	'885cc8671cda908c': {mint: 1, pool: 5, to: 'cpmm'},
	cf52c091fecf91df: {mint: 1, pool: 13, to: 'amm'},
};

/** The parts of a transaction that its logs do not say. */
export interface FullTransaction {
	/** Events that programs wrote by calling themselves: the same as in the logs, and never cut. */
	readonly events: readonly ProgramEvent[];
	/** Pools that LaunchLab moved tokens to. */
	readonly moves: readonly PoolMove[];
	/** Events and moves of Meteora's launchpad, which are in no log. */
	readonly meteora: ReadDbc;
}

/**
 * Reads a whole transaction from a node.
 * @returns undefined while the node does not have it
 * @throws NodeRefused, NodeUnanswered, NodeAnswerWrong
 */
export async function readTransaction(node: SolanaNode, signature: string): Promise<FullTransaction | undefined> {
	// Version 1 exists since October 2026: without it a node refuses such transactions.
	const options = {encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1};
	const result = await node.call('getTransaction', [signature, options]);
	if (result === null) return undefined;
	const whole = {instructions: instructionsOf(result), balances: balancesOf(result)};
	const {instructions} = whole;
	const events: ProgramEvent[] = [];
	const moves: {mint: string; pool: string; to: 'cpmm' | 'amm'}[] = [];
	for (const {program, accounts, data} of instructions) {
		const head = Buffer.from(data.subarray(0, 8)).toString('hex');
		if (head === EVENT_CALL) events.push({program, data: Buffer.from(data.subarray(8)).toString('base64')});
		const move = program === LAUNCH_LAB.program && Object.hasOwn(MIGRATE, head) ? MIGRATE[head] : undefined;
		const mint = move && accounts[move.mint];
		const pool = move && accounts[move.pool];
		if (move && mint !== undefined && pool !== undefined) moves.push({mint, pool, to: move.to});
	}
	return {events, moves, meteora: readMeteoraDbc(whole)};
}

interface WireInstruction {
	readonly programIdIndex?: unknown;
	readonly accounts?: unknown;
	readonly data?: unknown;
}

interface WireTransaction {
	readonly transaction?: {readonly message?: {readonly accountKeys?: unknown; readonly instructions?: unknown}};
	readonly meta?: {
		readonly err?: unknown;
		readonly innerInstructions?: unknown;
		readonly postTokenBalances?: unknown;
		readonly loadedAddresses?: {readonly writable?: unknown; readonly readonly?: unknown};
	} | null;
}

/** All instructions in the order in which they ran. */
function instructionsOf(result: unknown): readonly Instruction[] {
	const {transaction, meta} = result as WireTransaction;
	const loaded = meta?.loadedAddresses;
	const keys = [transaction?.message?.accountKeys, loaded?.writable ?? [], loaded?.readonly ?? []].flatMap(textList);
	const outer = list(transaction?.message?.instructions);
	const inner = new Map(
		list(meta?.innerInstructions ?? []).map(group => {
			const {index, instructions} = group as {index?: unknown; instructions?: unknown};
			return [index, list(instructions)] as const;
		}),
	);
	return outer.flatMap((instruction, index) =>
		[instruction, ...(inner.get(index) ?? [])].map(wire => readInstruction(wire as WireInstruction, keys)),
	);
}

/** Balances that are whole; a node may have none. */
function balancesOf(result: unknown): WholeTransaction['balances'] {
	const {meta} = result as WireTransaction;
	return list(meta?.postTokenBalances ?? []).flatMap(each => {
		const {mint, uiTokenAmount} = (each ?? {}) as {mint?: unknown; uiTokenAmount?: Record<string, unknown>};
		const {amount, decimals} = uiTokenAmount ?? {};
		const isWhole =
			typeof mint === 'string' &&
			typeof amount === 'string' &&
			/^\d{1,20}$/.test(amount) &&
			Number.isInteger(decimals) &&
			(decimals as number) >= 0 &&
			(decimals as number) <= 255;
		return isWhole ? [{mint, amount: BigInt(amount), decimals: decimals as number}] : [];
	});
}

function readInstruction({programIdIndex, accounts, data}: WireInstruction, keys: readonly string[]): Instruction {
	const program = keys[programIdIndex as number];
	const bytes = typeof data === 'string' ? decodeBase58(data) : undefined;
	if (program === undefined || bytes === undefined) throw wrong('an instruction cannot be read');
	return {program, accounts: list(accounts).map(index => keys[index as number] ?? ''), data: bytes};
}

function list(value: unknown): readonly unknown[] {
	if (!Array.isArray(value)) throw wrong('a list is missing');
	return value;
}

function textList(value: unknown): readonly string[] {
	const texts = list(value);
	if (!texts.every(text => typeof text === 'string'))
		throw wrong('its accounts are not in the form that was asked for');
	return texts;
}

function wrong(why: string): NodeAnswerWrong {
	return new NodeAnswerWrong('getTransaction', why);
}
