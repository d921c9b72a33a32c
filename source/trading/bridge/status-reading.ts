import type {BridgeStatusRow} from '../../contract/bridge.ts';
import type {StatusReading} from './machine.ts';

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
