import type {MonitorState} from '../monitor/state.ts';
import {age} from './format.ts';

/**
 * ` in the 3h followed`: the end of a count of launches, since a market of followed chains knows of no earlier ones. '' for other
 * markets.
 */
export function inTimeFollowed(
	{service: {follow}, nowMs, skewMs}: Pick<MonitorState, 'service' | 'nowMs' | 'skewMs'>,
	chainId: string,
): string {
	if (!follow) return '';
	const since = follow.coverage?.find(chain => chain.chainId === chainId)?.since;
	return since ? ` in the ${age(nowMs + skewMs - Date.parse(since))} followed` : ' while followed';
}
