import {type Address, isAddress, isAddressEqual} from 'viem';
import type {Quote} from '../../contract/bridge.ts';
import type {Chain} from '../chain/chain-set.ts';
import type {Intent} from './intents.ts';

/** The two ends of an intent, each with the bridge contract that the intent was quoted for. */
export interface Ends {
	readonly origin: Chain;
	readonly destination: Chain;
}

/**
 * The chains of an intent with its own bridge. An address follows from the code, so a chain that an earlier version of
 * the service began has the earlier bridge too, with its deposits. An intent stays with its own contract at
 * both ends till its end. A contract accepts one fill and one end of each deposit that it knows; with two contracts an intent
 * could be paid twice.
 * @returns undefined when the bridge of the intent does not stand on both chains: then the intent cannot be judged
 */
export async function endsOf(intent: Intent, {origin, destination}: Ends): Promise<Ends | undefined> {
	const bridge = bridgeOf(intent);
	if (bridge === undefined || isAddressEqual(bridge, origin.addresses.bridge)) return {origin, destination};
	const codes = await Promise.all([origin, destination].map(({client}) => client.getCode({address: bridge})));
	if (codes.includes(undefined)) return undefined;
	return {origin: withBridge(origin, bridge), destination: withBridge(destination, bridge)};
}

/** The origin of an intent with its own bridge, as `endsOf` gives it. */
export function originOf(intent: Intent, origin: Chain): Chain {
	return withBridge(origin, bridgeOf(intent) ?? origin.addresses.bridge);
}

function withBridge(chain: Chain, bridge: Address): Chain {
	return {...chain, addresses: {...chain.addresses, bridge}};
}

/** The bridge that a quote named; undefined when the quote does not say it. */
function bridgeOf({quote}: Intent): Address | undefined {
	const {verifyingContract} = (JSON.parse(quote) as Quote).typedData?.domain ?? {};
	return isAddress(String(verifyingContract), {strict: false}) ? (verifyingContract as Address) : undefined;
}
