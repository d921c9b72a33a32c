import {connectionAdvice, connectionCode, connectionWords} from '../../connection-words.ts';
import {ProxyFailed} from '../../proxy.ts';
import {InvalidResponse, type Sent, ServiceUnreachable} from './service-errors.ts';

/** Translates an error of the connection into a PulsetopError. */
export function connectionError(error: unknown, sent: Sent): ServiceUnreachable | InvalidResponse {
	if (error instanceof ProxyFailed) {
		const {why, next, advice} = error;
		return new ServiceUnreachable(why, {sent: 'no', next, advice, cause: error});
	}
	const advice = connectionAdvice(error);
	if (connectionCode(error).startsWith('HPE_')) return new InvalidResponse('it is not HTTP', {advice, cause: error});
	return new ServiceUnreachable(connectionWords(error), {sent, advice, cause: error});
}
