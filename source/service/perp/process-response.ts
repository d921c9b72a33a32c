import type {PerpExecuteResponse} from '../../contract/perp.ts';
import {Refused} from '../http-error.ts';
import type {PerpProcess} from './processes.ts';

/** Result of an order, in the answer of an execute. */
export interface OrderStatus {
	readonly orderId: string;
	readonly status: string;
	readonly type: string;
}

/** The process, unless it has failed. @throws Refused 400 with the text of the revert */
export function ended(process: PerpProcess): PerpProcess {
	if (process.status === 'failed') throw new Refused(400, `the execution failed: ${process.errorMessage}`);
	return process;
}

/** The answer of an execute: the result, or the process that is still running (contract gaps 5.3). */
export function responseOf(process: PerpProcess, orderStatuses?: OrderStatus[]): PerpExecuteResponse {
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
