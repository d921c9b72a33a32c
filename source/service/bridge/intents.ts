import {randomInt, randomUUID} from 'node:crypto';
import type {Address, Hex} from 'viem';
import {BRIDGE, type BridgeStatus} from '../../contract/bridge.ts';
import type {Database} from '../store/database.ts';
import {
	aloneLeases,
	LEASE_COLUMNS,
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
	/** The runs of the practice chains: later ones of the same number do not know the intent. */
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
	/** Which of the two tokens is one of the market: `origin` is a sale, `destination` a purchase. */
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
	/** How often the intent has changed; null before its first change. */
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

/** New values of an intent. Times of what happens are `book.now()`. */
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

/** What the work on an intent reads and writes. */
export interface IntentRecord {
	get(intentId: string): Promise<Intent | undefined>;
	/**
	 * Changes an intent that has one of these statuses; false when it has another.
	 * @throws RowTaken when the record is one under a lease that was lost
	 */
	advance(intentId: string, from: readonly (BridgeStatus | null)[], patch: IntentPatch): Promise<boolean>;
	/** The time of a change, by the clock of the store. */
	now(): Expression;
}

/** The durable record of all intents. Every change of status is made here, once. */
export interface IntentBook extends IntentRecord {
	/** Who works on which intent. */
	readonly leases: RowLeases;
	add(intent: Intent): Promise<void>;
	/** By intentId, on-chain id, or the hash of the deposit or the fill (contract gaps 4.4). */
	lookUp(id: string): Promise<Intent | undefined>;
	/**
	 * Takes the intent for one execution. Of any number of callers in any number of processes, one gets the claim.
	 * @returns undefined when the intent is taken or was submitted
	 */
	claim(intentId: string): Promise<IntentClaim | undefined>;
	/**
	 * Changes a claimed intent of which nothing was sent.
	 * @returns false when the claim has run out, or the intent has a status or another worker by now
	 */
	whileClaimed(claim: IntentClaim, patch: IntentPatch): Promise<boolean>;
	/** Ends the claim of an execution of which nothing was sent. */
	release(claim: IntentClaim): Promise<void>;
	/** The record as its worker has it: nothing is written after another process has taken the intent. */
	under(lease: RowLease): IntentRecord;
	/** Intents that need work after a restart. */
	open(): Promise<Intent[]>;
	history(filter: HistoryFilter): Promise<Intent[]>;
	/** Forgets quotes that were never used. */
	forgetUnused(beforeMs: number): Promise<void>;
	/** Calls back with an intent after it was changed, by any process. Several changes may come as one. */
	onChange(intentId: string, listener: (intent: Intent) => void): () => void;
	close(): Promise<void>;
}

export interface IntentBookOptions {
	/** Another clock than the store's, for a process that has its store alone. */
	readonly now?: (() => number) | undefined;
	/** Whether other processes work on the same intents. */
	readonly isShared?: boolean | undefined;
	/** How long others wait for a worker that does not renew its lease, in milliseconds; default 10 s. */
	readonly leaseMs?: number | undefined;
	readonly log?: ((line: string) => void) | undefined;
}

const TABLE = 'bridge_intents';

/** Statuses with work left for the service. `filled` waits for the solver's own money. */
const OPEN: readonly BridgeStatus[] = ['pending', 'deposited', 'filling', 'retrying', 'filled'];

/** Intents with work left for the service, or with an execution of which nothing was sent. */
export const UNFINISHED = `status IN (${OPEN.map(status => `'${status}'`).join(', ')}) OR (status IS NULL AND claim IS NOT NULL)`;

/** What an execution of which nothing was sent leaves. */
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
	const leases = isShared ? sharedLeases(database, {...rows, clock, leaseMs, log}) : aloneLeases(database, rows);
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
			const offered = leases.offer(intentId);
			const patch = {...offered.values, claim, claimedUntilMs: later(time, BRIDGE.claimMs)};
			const free = {
				sql: `status IS NULL AND (claimedUntilMs IS NULL OR claimedUntilMs <= ${time.sql})`,
				parameters: time.parameters,
			};
			const take = () => change(intentId, patch, free);
			// A statement of its own could take effect after the database was away, when its caller has had an error.
			const isTaken = await (isShared ? database.transaction(take) : take());
			return isTaken ? {intentId, claim, lease: offered.begin()} : undefined;
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
		async forgetUnused(beforeMs) {
			await table.delete({
				sql: 'status IS NULL AND expiresAtMs < ? AND (claimedUntilMs IS NULL OR claimedUntilMs < ?)',
				parameters: [beforeMs, beforeMs],
			});
		},
		onChange: changes.onChange,
		async close() {
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
	const wallet = filter.wallet?.toLowerCase();
	add('(lower(authority) = ? OR lower(recipient) = ?)', wallet, wallet);
	add('intentId = ?', filter.intentId);
	add('status = ?', filter.status);
	add('originChainId = ?', filter.originChainId);
	add('destinationChainId = ?', filter.destinationChainId);
	add('createdAtMs >= ?', filter.createdAfterMs);
	add('createdAtMs <= ?', filter.createdBeforeMs);
	const comparison = filter.order === 'asc' ? '>' : '<';
	add(`(createdAtMs, intentId) ${comparison} (?, ?)`, filter.after?.createdAtMs, filter.after?.intentId);
	parameters.push(filter.limit);
	return {
		sql: `${parts.join(' AND ')} ORDER BY createdAtMs ${filter.order}, intentId ${filter.order} LIMIT ?`,
		parameters,
	};
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new intent's id: three groups of 7, 7 and 3 characters (contract gaps 4.2), about 88 random bits. */
export function newIntentId(): string {
	const group = (length: number) => Array.from({length}, () => LETTERS[randomInt(LETTERS.length)]).join('');
	return `${group(7)}-${group(7)}-${group(3)}`;
}
