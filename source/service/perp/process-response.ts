import type {PerpExecuteResponse} from '../../contract/perp.ts';
import {Refused} from '../http-error.ts';
import {StoreFailed} from '../store/database.ts';
import type {PerpProcess, Processes} from './processes.ts';

/** Result of an order, in the answer of an execute. */
export interface OrderStatus {
	readonly orderId: string;
	readonly status: string;
	readonly type: string;
}

/** The members of a process that an answer has. */
export type Answered = Pick<PerpProcess, 'processId' | 'action' | 'txHash' | 'status'>;

/**
 * Waits a while for the end of a process whose transaction was sent, or may be sent. While the store cannot say how it stands, the
 * answer refers to it: a 503 would say that nothing was done, and its caller might sign the same again.
 * @param known what was stored last
 * @throws Refused 400 with the text of the revert when it has failed
 */
export async function endOf(processes: Processes, known: Omit<Answered, 'status'>, waitMs: number): Promise<Answered> {
	try {
		const process = await processes.awaitEnd(known.processId, waitMs);
		if (process.status === 'failed') throw new Refused(400, `the execution failed: ${process.errorMessage}`);
		return process;
	} catch (error) {
		if (error instanceof StoreFailed) return {...known, status: 'pending'};
		throw error;
	}
}

/** The answer of an execute: the result, or the process that is still running (contract gaps 5.3). */
export function responseOf(process: Answered, orderStatuses?: OrderStatus[]): PerpExecuteResponse {
	const {action: type, txHash, processId} = process;
	const isRunning = process.status === 'pending';
	const detail = {
		txHash,
		type,
		status: isRunning ? 'pending' : 'success',
		...(orderStatuses && !isRunning ? {orderStatuses} : {}),
	};
	return {success: true, data: {success: true, executionDetails: [detail], ...(isRunning ? {processId} : {})}};
}
