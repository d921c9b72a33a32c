import {randomInt, randomUUID} from 'node:crypto';
import type {Address, Hex} from 'viem';
import {BRIDGE, type BridgeStatus} from '../../contract/bridge.ts';
import type {Database} from '../store/database.ts';
import {deleteOldRows} from '../store/old-rows.ts';
import {
	LEASE_COLUMNS,
	localLeases,
	type RowLease,
	type RowLeases,
	RowTaken,
	sharedLeases,
} from '../store/row-leases.ts';
import {later, storeClock} from '../store/store-clock.ts';
import {type Expression, openTable, type RowOf, type ValuesOf} from '../store/table.ts';
import {createIntentChanges} from './intent-changes.ts';

const COLUMNS = {
	intentId: 'text',
	/** keccak256 of the id, which the contracts use. */
	intentHash: 'text',
	createdAtMs: 'integer',
	updatedAtMs: 'integer',
	/** Expiry of the quote. */
	expiresAtMs: 'integer',
	isGasless: 'flag',
	/** The payer on the origin. */
	authority: 'text',
	recipient: 'text',
	originChainId: 'integer',
	destinationChainId: 'integer',
	/** Instances of the practice chains: a later instance with the same number does not know the intent. */
	originInstance: 'text',
	destinationInstance: 'text',
	originToken: 'text',
	/** The zero address is the native coin. */
	destinationToken: 'text',
	originDecimals: 'integer',
	destinationDecimals: 'integer',
	/** Texts from outside for a launch; null in intents of earlier versions. */
	originSymbol: ['text'],
	destinationSymbol: ['text'],
	/** The side whose token is one of the market: `origin` is a sale, `destination` a purchase. */
	launch: ['text'],
	amountRaw: 'bigint',
	estimatedOutRaw: 'bigint',
	minOutRaw: 'bigint',
	bridgeFeeBps: 'integer',
	/** Fees for gas, in raw units of the bridged token. */
	originGasRaw: 'bigint',
	destinationGasRaw: 'bigint',
	/** The gas limit of the sponsored transaction, as charged by the quote. */
	gasUnits: ['bigint'],
	/** The quote as it was answered. */
	quote: 'text',
	/** The first block in which a deposit sent by the user can be. */
	quotedBlock: 'bigint',

	/** Null: quoted only. */
	status: ['text'],
	claim: ['text'],
	claimedUntilMs: ['integer'],
	batchDeadlineS: ['integer'],
	depositTxHash: ['text'],
	/** The run of the origin chain that received the transaction. */
	sentToRun: ['text'],
	failureCode: ['text'],
	failureReason: ['text'],
	depositId: ['text'],
	depositedRaw: ['bigint'],
	/** Number of failed fills. */
	failedFills: 'integer',
	outRaw: ['bigint'],
	fillTxHash: ['text'],
	cancelTxHash: ['text'],
	refundTxHash: ['text'],
	settleTxHash: ['text'],
	depositDetectedAtMs: ['integer'],
	fillSentAtMs: ['integer'],
	fillConfirmedAtMs: ['integer'],
	settledAtMs: ['integer'],

	...LEASE_COLUMNS,
	/** Number of changes of the intent; null before the first. */
	changes: ['integer'],
} as const;

type Row = RowOf<typeof COLUMNS>;

/** An intent with its whole state. */
export type Intent = Omit<
	Row,
	'status' | 'intentHash' | 'launch' | 'authority' | 'recipient' | 'originToken' | 'destinationToken' | TxHash
> & {status: BridgeStatus | null; intentHash: Hex; launch: 'origin' | 'destination' | null} & {
	[Name in 'authority' | 'recipient' | 'originToken' | 'destinationToken']: Address;
} & {[Name in TxHash]: Hex | null};

/** Columns that only the book itself writes. */
type Kept = 'worker' | 'workerUntilMs' | 'changes';

/** New values of an intent. Times of events are `book.now()`. */
export type IntentPatch = {readonly [Name in Exclude<keyof Intent, Kept>]?: Intent[Name] | Expression};

type TxHash = 'depositTxHash' | 'fillTxHash' | 'cancelTxHash' | 'refundTxHash' | 'settleTxHash' | 'depositId';

/** The right to execute an intent, for 15 minutes (spec 4.4), with the lease for the work on it. */
export interface IntentClaim {
	readonly intentId: string;
	readonly claim: string;
	readonly lease: RowLease;
}

/** Selects past intents. */
export interface HistoryFilter {
	readonly wallet?: string | undefined;
	readonly intentId?: string | undefined;
	readonly status?: string | undefined;
	readonly originChainId?: number | undefined;
	readonly destinationChainId?: number | undefined;
	readonly createdAfterMs?: number | undefined;
	readonly createdBeforeMs?: number | undefined;
	/** The last intent of the previous page: its time and id. */
	readonly after?: {readonly createdAtMs: number; readonly intentId: string} | undefined;
	readonly order: 'asc' | 'desc';
	readonly limit: number;
}

/** The reads and writes of a worker. */
export interface IntentRecord {
	get(intentId: string): Promise<Intent | undefined>;
	/**
	 * Changes an intent that has one of these statuses; false when it has another.
	 * @throws RowTaken when the record's lease is lost
	 */
	advance(intentId: string, from: readonly (BridgeStatus | null)[], patch: IntentPatch): Promise<boolean>;
	/** The time of a change, by the clock of the store. */
	now(): Expression;
}

/** The durable record of all intents. Every change of status is made here, once. */
export interface IntentBook extends IntentRecord {
	/** Leases of the workers. */
	readonly leases: RowLeases;
	add(intent: Intent): Promise<void>;
	/** By intentId, on-chain id, or the hash of the deposit or the fill (contract gaps 4.4). */
	lookUp(id: string): Promise<Intent | undefined>;
	/**
	 * Claims the intent for one execution. Of any number of concurrent callers and processes, one gets the claim.
	 * @returns undefined when the intent is claimed or was submitted
	 */
	claim(intentId: string): Promise<IntentClaim | undefined>;
	/**
	 * Changes a claimed intent whose batch was not sent.
	 * @returns false when the claim has expired, or the intent has a status or another worker by now
	 */
	whileClaimed(claim: IntentClaim, patch: IntentPatch): Promise<boolean>;
	/** Ends the claim of an execution whose batch was not sent. */
	release(claim: IntentClaim): Promise<void>;
	/**
	 * Ends the work on an expired quote: no other process takes it over, unless by the clock of the store it has not expired.
	 */
	expire(lease: RowLease): Promise<void>;
	/** The record of a worker: its writes fail after another process has taken the intent over. */
	under(lease: RowLease): IntentRecord;
	/** Intents that need work after a restart. */
	open(): Promise<Intent[]>;
	history(filter: HistoryFilter): Promise<Intent[]>;
	/**
	 * Deletes unused quotes that expired this many milliseconds ago by the clock of the store: in the background, now and until the
	 * book is closed.
	 */
	forgetUnused(keepMs: number): void;
	/** Notifies of changes of an intent by any process. Several changes may be reported as one. */
	onChange(intentId: string, listener: (intent: Intent) => void): () => void;
	close(): Promise<void>;
}

export interface IntentBookOptions {
	/** Replaces the store's clock, for a process with an embedded store. */
	readonly now?: (() => number) | undefined;
	/** Whether other processes work on the same intents. */
	readonly isShared?: boolean | undefined;
	/** Duration of a worker's lease without a renewal, in milliseconds; default 10 s. */
	readonly leaseMs?: number | undefined;
	readonly log?: ((line: string) => void) | undefined;
}

const TABLE = 'bridge_intents';

/** Statuses with work left for the service. `filled` waits for the solver's own money. */
const OPEN: readonly BridgeStatus[] = ['pending', 'deposited', 'filling', 'retrying', 'filled'];

/** Intents with work left for the service. */
export const STARTED = `status IN (${OPEN.map(status => `'${status}'`).join(', ')})`;

/** Intents with work left for the service, or with an execution whose batch was not sent. */
export const UNFINISHED = `${STARTED} OR (status IS NULL AND claim IS NOT NULL)`;

/**
 * Intents that were not started and have had a worker, in replicas: intents with a claim (a claim is made with a lease), and intents
 * whose user may send the deposit. The index `bridge_intents_leased` holds these few, and no unused quote.
 */
export const LEASED = 'status IS NULL AND workerUntilMs IS NOT NULL';

/** Columns of an execution whose batch was not sent. */
const UNCLAIMED = {
	status: null,
	claim: null,
	claimedUntilMs: null,
	depositTxHash: null,
	sentToRun: null,
	batchDeadlineS: null,
	worker: null,
	workerUntilMs: null,
} as const;

/** @throws StoreFailed from every function while the store does not work */
export async function createIntentBook(
	database: Database,
	{now, isShared = false, leaseMs, log = () => {}}: IntentBookOptions = {},
): Promise<IntentBook> {
	const table = openTable(database, TABLE, COLUMNS);
	const clock = storeClock(database, now);
	const rows = {table: TABLE, key: 'intentId'};
	const leases = isShared ? sharedLeases(database, {...rows, clock, leaseMs, log}) : localLeases(database, rows);
	let stopForgetting: (() => void) | undefined;
	const find = async (sql: string, parameters: readonly (string | number)[]) =>
		(await table.find({sql, parameters})) as Intent[];
	const get = async (intentId: string) => (await find('intentId = ?', [intentId]))[0];
	const changes = createIntentChanges({database, table: TABLE, get, isShared, log});
	const change = async (
		intentId: string,
		patch: IntentPatch & Partial<ValuesOf<Pick<typeof COLUMNS, Kept>>>,
		...conditions: Expression[]
	): Promise<boolean> => {
		const all = [{sql: 'intentId = ?', parameters: [intentId]}, ...conditions];
		const condition = {
			sql: all.map(({sql}) => `(${sql})`).join(' AND '),
			parameters: all.flatMap(({parameters = []}) => parameters),
		};
		const counted = {...patch, updatedAtMs: clock(), changes: {sql: 'COALESCE(changes, 0) + 1'}};
		if ((await table.update(counted, condition)) === 0) return false;
		changes.changed(intentId);
		return true;
	};
	const advance = (
		intentId: string,
		from: readonly (BridgeStatus | null)[],
		patch: IntentPatch,
		...conditions: Expression[]
	): Promise<boolean> => {
		const known = from.filter(status => status !== null);
		const tests = [...known.map(() => 'status = ?'), ...(from.includes(null) ? ['status IS NULL'] : [])];
		return change(intentId, patch, {sql: tests.join(' OR '), parameters: known}, ...conditions);
	};

	return {
		leases,
		now: clock,
		add: intent => table.insert(intent),
		get,
		async lookUp(id) {
			const exact = await get(id);
			if (exact !== undefined || !/^0x[\da-f]{64}$/i.test(id)) return exact;
			const hash = id.toLowerCase();
			return (await find('intentHash = ? OR depositTxHash = ? OR fillTxHash = ? LIMIT 1', [hash, hash, hash]))[0];
		},
		async claim(intentId) {
			const [claim, time] = [randomUUID(), clock()];
			const prepared = leases.prepare(intentId);
			const patch = {...prepared.values, claim, claimedUntilMs: later(time, BRIDGE.claimMs)};
			const free = {
				sql: `status IS NULL AND (claimedUntilMs IS NULL OR claimedUntilMs <= ${time.sql})`,
				parameters: time.parameters,
			};
			const take = () => change(intentId, patch, free);
			// A statement outside of a transaction could take effect after its caller got a timeout. Nothing is sent before a later
			// transaction is on the disk, which finds the claim or fails.
			const isTaken = await (isShared ? database.transaction(take, {isDurable: false}) : take());
			return isTaken ? {intentId, claim, lease: prepared.begin()} : undefined;
		},
		whileClaimed({intentId, claim, lease}, patch) {
			const time = clock();
			const holds = {
				sql: `claim = ? AND status IS NULL AND claimedUntilMs > ${time.sql}`,
				parameters: [claim, ...time.parameters],
			};
			return change(intentId, patch, holds, lease.condition);
		},
		async release({intentId, claim, lease}) {
			const own = {sql: "claim = ? AND (status IS NULL OR status = 'pending')", parameters: [claim]};
			try {
				await change(intentId, UNCLAIMED, own, lease.condition);
			} finally {
				lease.done();
			}
		},
		async expire(lease) {
			const time = clock();
			const {sql, parameters = []} = lease.condition;
			// Else the index of leased quotes would keep it.
			if (isShared) {
				await table.update(
					{worker: null, workerUntilMs: null},
					{
						sql: `intentId = ? AND status IS NULL AND claim IS NULL AND expiresAtMs <= ${time.sql} AND ${sql}`,
						parameters: [lease.key, ...time.parameters, ...parameters],
					},
				);
			}
			lease.done();
		},
		advance: (intentId, from, patch) => advance(intentId, from, patch),
		under: lease => ({
			get,
			now: clock,
			async advance(intentId, from, patch) {
				if (await advance(intentId, from, patch, lease.condition)) return true;
				const {sql, parameters = []} = lease.condition;
				const own = await find(`intentId = ? AND ${sql}`, [intentId, ...(parameters as string[])]);
				if (own.length === 0) throw new RowTaken(`the transfer ${intentId}`);
				return false;
			},
		}),
		open: () => find(`${UNFINISHED} ORDER BY createdAtMs`, []),
		history(filter) {
			const {sql, parameters} = historyCondition(filter);
			return find(sql, parameters);
		},
		forgetUnused(keepMs) {
			stopForgetting = deleteOldRows({
				...rows,
				database,
				clock,
				keepMs,
				isOld: before => `status IS NULL AND expiresAtMs < ${before}
					AND (claimedUntilMs IS NULL OR claimedUntilMs < ${before}) ORDER BY expiresAtMs`,
				log: why => log(`unused quotes were not deleted: ${why}`),
			});
		},
		onChange: changes.onChange,
		async close() {
			stopForgetting?.();
			changes.close();
			await leases.close();
		},
	};
}

function historyCondition(filter: HistoryFilter): {sql: string; parameters: (string | number)[]} {
	const parts = ['status IS NOT NULL'];
	const parameters: (string | number)[] = [];
	const add = (sql: string, ...values: (string | number | undefined)[]) => {
		if (values.includes(undefined)) return;
		parts.push(sql);
		parameters.push(...(values as (string | number)[]));
	};
	add('intentId = ?', filter.intentId);
	add('status = ?', filter.status);
	add('originChainId = ?', filter.originChainId);
	add('destinationChainId = ?', filter.destinationChainId);
	add('createdAtMs >= ?', filter.createdAfterMs);
	add('createdAtMs <= ?', filter.createdBeforeMs);
	const comparison = filter.order === 'asc' ? '>' : '<';
	add(`(createdAtMs, intentId) ${comparison} (?, ?)`, filter.after?.createdAtMs, filter.after?.intentId);
	const sorted = `ORDER BY createdAtMs ${filter.order}, intentId ${filter.order} LIMIT ?`;
	const {wallet, limit} = filter;
	if (wallet === undefined) return {sql: `${parts.join(' AND ')} ${sorted}`, parameters: [...parameters, limit]};
	// Each side by its index. As one condition, or without the order, the database may read the transfers of all wallets.
	const sideOf = (column: string) =>
		`SELECT intentId FROM (SELECT intentId FROM ${TABLE} WHERE lower(${column}) = ? AND ${parts.join(' AND ')} ${sorted}) AS ${column}s`;
	const side = [wallet.toLowerCase(), ...parameters, limit];
	return {
		sql: `intentId IN (${sideOf('authority')} UNION ALL ${sideOf('recipient')}) ${sorted}`,
		parameters: [...side, ...side, limit],
	};
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new intent's id: three groups of 7, 7 and 3 characters (contract gaps 4.2), about 88 random bits. */
export function newIntentId(): string {
	const group = (length: number) => Array.from({length}, () => LETTERS[randomInt(LETTERS.length)]).join('');
	return `${group(7)}-${group(7)}-${group(3)}`;
}
