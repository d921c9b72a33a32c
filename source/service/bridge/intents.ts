import {randomInt, randomUUID} from 'node:crypto';
import {EventEmitter} from 'node:events';
import type {Address, Hex} from 'viem';
import {BRIDGE, type BridgeStatus} from '../../contract/bridge.ts';
import type {Database} from '../store/database.ts';
import {openTable, type RowOf} from '../store/table.ts';

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
} as const;

type Row = RowOf<typeof COLUMNS>;

/** An intent with its whole state. */
export type Intent = Omit<
	Row,
	'status' | 'intentHash' | 'launch' | 'authority' | 'recipient' | 'originToken' | 'destinationToken' | TxHash
> & {status: BridgeStatus | null; intentHash: Hex; launch: 'origin' | 'destination' | null} & {
	[Name in 'authority' | 'recipient' | 'originToken' | 'destinationToken']: Address;
} & {[Name in TxHash]: Hex | null};

type TxHash = 'depositTxHash' | 'fillTxHash' | 'cancelTxHash' | 'refundTxHash' | 'settleTxHash' | 'depositId';

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

/** The durable record of all intents. Every change of status is made here, once. */
export interface IntentBook {
	add(intent: Intent): Promise<void>;
	get(intentId: string): Promise<Intent | undefined>;
	/** By intentId, on-chain id, or the hash of the deposit or the fill (contract gaps 4.4). */
	lookUp(id: string): Promise<Intent | undefined>;
	/**
	 * Takes the intent for one execution, for 15 minutes (spec 4.4). Of any number of callers, one gets the claim.
	 * @returns the claim, or undefined when the intent is taken or was submitted
	 */
	claim(intentId: string, nowMs: number): Promise<string | undefined>;
	/** Changes a claimed intent; false when the claim no longer holds it. */
	whileClaimed(intentId: string, claim: string, patch: Partial<Intent>): Promise<boolean>;
	/** Changes an intent that has one of these statuses; false when it has another. */
	advance(intentId: string, from: readonly (BridgeStatus | null)[], patch: Partial<Intent>): Promise<boolean>;
	/** Intents that need work after a restart. */
	open(): Promise<Intent[]>;
	/** Signed quotes whose user may be about to deposit. */
	expected(nowMs: number): Promise<Intent[]>;
	history(filter: HistoryFilter): Promise<Intent[]>;
	/** Forgets quotes that were never used. */
	forgetUnused(beforeMs: number): Promise<void>;
	onChange(intentId: string, listener: (intent: Intent) => void): () => void;
	/** Calls back with every change of any intent; returns the function that stops the calls. */
	onAnyChange(listener: (intent: Intent) => void): () => void;
}

/** Statuses with work left for the service. `filled` waits for the solver's own money. */
const OPEN: readonly BridgeStatus[] = ['pending', 'deposited', 'filling', 'retrying', 'filled'];

/** @throws StoreFailed from every function while the store does not work */
export async function createIntentBook(database: Database, now: () => number): Promise<IntentBook> {
	const table = await openTable(database, 'bridge_intents', 'intentId', COLUMNS);
	for (const column of ['intentHash', 'depositTxHash', 'fillTxHash', 'status', 'createdAtMs']) {
		await database.run(`CREATE INDEX IF NOT EXISTS bridge_intents_${column} ON bridge_intents (${column})`);
	}
	const changes = new EventEmitter<Record<string, [Intent]>>().setMaxListeners(0);
	const find = async (sql: string, parameters: readonly (string | number)[]) =>
		(await table.find({sql, parameters})) as Intent[];
	const get = async (intentId: string) => (await find('intentId = ?', [intentId]))[0];
	const change = async (
		intentId: string,
		patch: Partial<Intent>,
		sql: string,
		parameters: readonly (string | number)[],
	) => {
		const condition = {sql: `intentId = ? AND ${sql}`, parameters: [intentId, ...parameters]};
		if ((await table.update({...patch, updatedAtMs: now()}, condition)) === 0) return false;
		const intent = (await get(intentId))!;
		changes.emit(intentId, intent);
		changes.emit('*', intent);
		return true;
	};

	return {
		add: intent => table.insert(intent),
		get,
		async lookUp(id) {
			const exact = await get(id);
			if (exact !== undefined || !/^0x[\da-f]{64}$/i.test(id)) return exact;
			const hash = id.toLowerCase();
			return (await find('intentHash = ? OR depositTxHash = ? OR fillTxHash = ? LIMIT 1', [hash, hash, hash]))[0];
		},
		async claim(intentId, nowMs) {
			const claim = randomUUID();
			const patch = {claim, claimedUntilMs: nowMs + BRIDGE.claimMs};
			const free = 'status IS NULL AND (claimedUntilMs IS NULL OR claimedUntilMs <= ?)';
			return (await change(intentId, patch, free, [nowMs])) ? claim : undefined;
		},
		whileClaimed: (intentId, claim, patch) => change(intentId, patch, 'claim = ?', [claim]),
		advance(intentId, from, patch) {
			const known = from.filter(status => status !== null);
			const places = known.map(() => '?').join(', ');
			const none = from.includes(null) ? ' OR status IS NULL' : '';
			return change(intentId, patch, `(status IN (${places})${none})`, known);
		},
		open() {
			const places = OPEN.map(() => '?').join(', ');
			return find(`status IN (${places}) OR (status IS NULL AND claim IS NOT NULL) ORDER BY createdAtMs`, OPEN);
		},
		expected: nowMs => find('status IS NULL AND isGasless = 0 AND expiresAtMs > ?', [nowMs]),
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
		onChange(intentId, listener) {
			changes.on(intentId, listener);
			return () => void changes.off(intentId, listener);
		},
		onAnyChange(listener) {
			changes.on('*', listener);
			return () => void changes.off('*', listener);
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
