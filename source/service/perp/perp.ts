import {evmChainNumber} from '../../chains/chains.ts';
import type {
	Envelope,
	PerpAction,
	PerpExecuteBody,
	PerpExecuteResponse,
	PerpPosition,
	UnfilledOrder,
} from '../../contract/perp.ts';
import {perpExecuteText, perpPayloadText} from '../../contract/typed-data.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import type {Database} from '../store/database.ts';
import {deleteOldRows} from '../store/old-rows.ts';
import {createSignatureStore} from '../store/signatures.ts';
import {storeClock} from '../store/store-clock.ts';
import {buildPayload, dexOf} from './build.ts';
import {DEX_A_CHAIN} from './dex-a.ts';
import {createDexB, type DexB} from './dex-b.ts';
import {openEnvelope} from './envelope.ts';
import {executePayload} from './execute.ts';
import {type ListingQuery, openPositions, unfilledOrders} from './listing.ts';
import type {ActionBodies} from './payload-builders.ts';
import {signerOnce} from './perp-auth.ts';
import {createProcesses, type PerpProcess} from './processes.ts';

export interface PerpOptions {
	readonly chains: ChainSet;
	readonly database: Database;
	readonly now?: (() => number) | undefined;
	readonly log?: ((line: string) => void) | undefined;
	/** How long an execute waits for the chain before it answers with a process, in milliseconds; default 20 s. */
	readonly waitMs?: number | undefined;
	/** Whether other processes carry out executions of the same store. */
	readonly isShared?: boolean | undefined;
	/** How long others wait for one that does not renew its lease, in milliseconds; default 10 s. */
	readonly leaseMs?: number | undefined;
}

/** Perpetuals: payloads to sign, their execution, and what a wallet has. */
export interface PerpService {
	readonly dexB: DexB;
	/**
	 * The payload of an action for the signer of the request (spec 4.7, 5).
	 * @throws Refused with the spec's words (spec 7), ChainUnavailable, StoreFailed
	 */
	payload<A extends PerpAction>(action: A, body: ActionBodies[A]): Promise<Envelope>;
	/**
	 * Carries out a payload (spec 4.9) for the signer of the request.
	 * @throws Refused, EnvelopeMismatch, ChainUnavailable, StoreFailed
	 */
	execute(body: PerpExecuteBody): Promise<PerpExecuteResponse>;
	/** The execution of an id; undefined for an unknown id, and a week after its start for one that has ended. */
	process(processId: string): Promise<PerpProcess | undefined>;
	unfilled(query: ListingQuery): Promise<UnfilledOrder[]>;
	open(query: ListingQuery): Promise<PerpPosition[]>;
	close(): Promise<void>;
}

const WAIT_MS = 20_000;

/** How long after its start the execution of an id can be asked for, if it has ended. */
const KEEP_ENDED_MS = 7 * 24 * 3600_000;

/** Opens the perpetuals and resumes executions that an earlier run left. */
export async function createPerp(options: PerpOptions): Promise<PerpService> {
	const {chains, database, now = Date.now, waitMs = WAIT_MS, log = () => {}} = options;
	const signatures = await createSignatureStore(database, options.now);
	const dexB = await createDexB(database, now);
	const processes = await createProcesses({...options, onEnd: process => settleProcess(dexB, process)});
	try {
		await processes.recover();
	} catch (error) {
		// The caller retries, and has nothing that it could close.
		await processes.close();
		throw error;
	}
	const stopForgetting = deleteOldRows({
		database,
		clock: storeClock(database, options.now),
		table: 'perp_processes',
		key: 'processId',
		keepMs: KEEP_ENDED_MS,
		// Their bookings are stored elsewhere.
		isOld: before => `status <> 'pending' AND createdAtMs < ${before} ORDER BY createdAtMs`,
		log: why => log(`ended perp processes were not deleted: ${why}`),
	});
	const dependencies = {chains, dexB, now, processes, database, waitMs};

	return {
		dexB,
		async payload(action, body) {
			await assertServable(chains, body);
			const signer = await signerOnce(body, perpPayloadText(action, body.timestamp), signatures);
			return buildPayload(dependencies, signer, action, body);
		},
		async execute(body) {
			await assertServable(chains, body);
			const signer = await signerOnce(body, perpExecuteText(body.timestamp, body.payloadStr), signatures);
			return executePayload(dependencies, {body, content: openEnvelope(body), signer});
		},
		process: processes.get,
		unfilled: query => unfilledOrders(dependencies, query),
		open: query => openPositions(dependencies, query),
		async close() {
			stopForgetting();
			await processes.close();
		},
	};
}

/**
 * A request that this process cannot serve leaves its signature unused: another replica may serve it. A chain that is only
 * starting is not waited for, since the signature would grow old.
 * @throws ChainUnavailable
 */
async function assertServable(chains: ChainSet, body: ActionBodies[PerpAction] | PerpExecuteBody): Promise<void> {
	const origin = 'originChainId' in body ? evmChainNumber(String(body.originChainId)) : undefined;
	const needed = dexOf(body) === 'dexB' ? origin : DEX_A_CHAIN;
	if (needed !== undefined && chains.state(needed).state === 'unavailable') await chains.ready(needed);
}

/** Credits a mined deposit; puts a withdrawal back that certainly was not sent. */
async function settleProcess(dexB: DexB, {action, status, wallet, amountRaw, txHash}: PerpProcess): Promise<void> {
	if (action === 'deposit' && status === 'settled') await dexB.credit(wallet, amountRaw!, txHash!);
	if (action === 'withdraw' && status === 'failed') await dexB.putBack(wallet, amountRaw!);
}
