import {RateLimited, ServiceRefused, ServiceUnreachable} from '../../client/http/service-errors.ts';
import type {BridgeStatusRow} from '../../contract/bridge.ts';
import {PulsetopError} from '../../errors.ts';
import type {ExecuteOutcome, StatusReading} from './machine.ts';

/** What became of a POST that threw. Only what certainly was not sent is called so. */
export function outcomeOf(error: unknown): ExecuteOutcome {
	const said = error instanceof PulsetopError ? error.why : 'an internal failure';
	if (error instanceof RateLimited) return {kind: 'refused', status: 429, said};
	if (error instanceof ServiceRefused) return {kind: 'refused', status: error.status, said: error.said};
	if (error instanceof ServiceUnreachable && error.sent === 'no') return {kind: 'not-sent', said};
	return {kind: 'no-answer', said};
}

/** A status row as the machine reads it. */
export function readingOf(row: BridgeStatusRow): Omit<StatusReading, 'nowMs'> {
	const reason = row.failureReason;
	const said = typeof reason === 'string' ? reason : (reason?.reason ?? reason?.code ?? row.message);
	return {
		status: row.status,
		...(row.depositTxHash ? {depositTxHash: row.depositTxHash} : {}),
		...(row.fillTxHash ? {fillTxHash: row.fillTxHash} : {}),
		...(said === undefined ? {} : {said}),
	};
}
