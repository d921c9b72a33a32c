import type {ViewRequest} from '../../client/feed/feed-events.ts';
import {viewOfTokens} from '../../client/lookups/token.ts';
import {addressOfKey} from '../../contract/entry.ts';
import type {Pins} from './pins.ts';

/** The most tokens that a view can include (spec 4.1). */
const MAX_INCLUDED = 500;
/** The most rows of a view (spec 8). */
const MAX_ROWS = 100;

/** A view of the pinned tokens and of no others; the newest 500 pins. */
export function viewOfPins(pins: Pins): ViewRequest {
	return viewOfTokenList([...pins.keys()].map(addressOfKey));
}

/** A view of tokens by their addresses, on every chain, and of no others; the last 500 of them. */
export function viewOfTokenList(addresses: readonly string[]): ViewRequest {
	return {...viewOfTokens([...new Set(addresses)].slice(-MAX_INCLUDED)), excludeLPTokens: false};
}

/** A view of the newest 100 tokens of a deployer, on every chain. */
export function viewOfDeployer(deployer: string): ViewRequest {
	return {
		filters: {deployer: {equals: deployer}},
		sortBy: 'created_at',
		sortOrder: 'desc',
		limit: MAX_ROWS,
		excludeLPTokens: false,
	};
}
