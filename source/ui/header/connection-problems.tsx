import type {ReactNode} from 'react';
import type {Link} from '../../monitor/state.ts';
import {Text, useWidth} from '../live/lines.tsx';

/** Delay from which the header calls a connection slow. */
const SLOW_MS = 1000;
/** Below this part of the request budget every screen shows the requests left. */
const SHORT_BUDGET = 0.2;

/** Problems of the connection; nothing while it is healthy. */
export function ConnectionProblems({link}: {readonly link: Link | undefined}): ReactNode {
	const width = useWidth();
	if (link === undefined || link.phase === 'connecting') return null;
	const {latencyMs, phase, pollEveryMs, rateLimit} = link;
	const isPolling = phase === 'polling';
	const isShort = rateLimit !== undefined && rateLimit.remaining < rateLimit.limit * SHORT_BUDGET;
	const left = rateLimit && `${rateLimit.remaining}/${rateLimit.limit} requests left  `;
	// Unusable data that arrived: frames that can't be read, entries without an address.
	const dropped = link.badFrames + link.droppedEntries;
	return (
		<>
			{isPolling && pollEveryMs !== undefined && width >= 100 && (
				<Text tone="dim">{`every ${Math.round(pollEveryMs / 1000)} s  `}</Text>
			)}
			{isPolling && !isShort && left !== undefined && width >= 120 && <Text tone="dim">{left}</Text>}
			{latencyMs !== undefined && latencyMs >= SLOW_MS && (
				<Text tone="warn">{`slow: ${(latencyMs / 1000).toFixed(1)} s  `}</Text>
			)}
			{isShort && <Text tone="warn">{left}</Text>}
			{dropped > 0 && <Text tone="warn">{`${dropped} dropped  `}</Text>}
		</>
	);
}
