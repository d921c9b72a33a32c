import {clean} from '../text.ts';
import type {ChainReader} from './chain-reader.ts';
import type {CallResult, SimulationRequest} from './simulation.ts';

/**
 * Makes calls in a block of their own (`eth_simulateV1`). Coins that move are logged as if they were tokens.
 * @throws ChainUnread; TypeError for an answer in another form
 */
export async function runAsBlock(
	chains: ChainReader,
	chainId: string,
	{from, calls, delegate}: SimulationRequest,
): Promise<readonly CallResult[]> {
	const code = delegate === undefined ? {} : {stateOverrides: {[from]: {code: `0xef0100${delegate.slice(2)}`}}};
	const blocks = await chains.request(chainId, 'eth_simulateV1', [
		{
			blockStateCalls: [{...code, calls: calls.map(({to, data}) => ({from, to, data, value: '0x0'}))}],
			validation: false,
			traceTransfers: true,
		},
		'latest',
	]);
	const [block] = blocks as [{calls: readonly Record<string, unknown>[]}];
	if (block.calls.length !== calls.length) throw new TypeError('another number of calls');
	return block.calls.map(({status, error, logs, returnData}) => ({
		isSuccess: status === '0x1',
		why: reasonIn(error),
		logs: Array.isArray(logs) ? logs : [],
		returned: String(returnData ?? '0x'),
	}));
}

function reasonIn(error: unknown): string {
	const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
	return clean(message, {maxCells: 120}) || 'it did not say why';
}
