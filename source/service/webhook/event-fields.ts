import {launchpadEventSchema, swapEventSchema, type WebhookEvent} from '../../contract/webhook.ts';

const SWAP = Object.keys(swapEventSchema().shape);

/** What the filters of a webhook can be about, by event: the fields of its body. Nothing in a market is an order. */
const FIELDS: Readonly<Record<Exclude<WebhookEvent, 'order'>, readonly string[]>> = {
	swap: SWAP,
	'swap-enriched': [
		...SWAP,
		...['symbolToken0', 'nameToken0', 'symbolToken1', 'marketCapUSD', 'liquidityUSD', 'holdersCount'],
	],
	// Those of `data`.
	transfer: [
		...['blockNumber', 'blockHash', 'chainId', 'transactionHash', 'transactionIndex', 'transactionFrom', 'logIndex'],
		...['timestamp', 'date', 'tokenAddress', 'tokenSymbol', 'from', 'to', 'rawAmount', 'amount'],
	],
	launchpad: Object.keys(launchpadEventSchema().shape),
	block: ['type', 'chainId', 'blockHeight', 'blockHash', 'timestamp', 'date'],
};

/** Whether the service ever delivers an event. */
export function isDelivered(event: string): event is keyof typeof FIELDS {
	return Object.hasOwn(FIELDS, event);
}

/** The fields that at least one of these events has. */
export function fieldsOf(events: readonly string[]): ReadonlySet<string> {
	return new Set(events.filter(isDelivered).flatMap(event => FIELDS[event]));
}
