import {launchpadEventSchema, swapEventSchema, type WebhookEvent} from '../../contract/webhook.ts';

const SWAP = Object.keys(swapEventSchema().shape);

/** The fields that filters of a webhook can use, by event: the fields of its body. The market has no orders. */
const FIELDS: Readonly<Record<Exclude<WebhookEvent, 'order'>, readonly string[]>> = {
	swap: SWAP,
	'swap-enriched': [
		...SWAP,
		...['symbolToken0', 'nameToken0', 'symbolToken1', 'marketCapUSD', 'liquidityUSD', 'holdersCount'],
	],
	// Members of `data`.
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

/** The fields of any of these events. */
export function fieldsOf(events: readonly string[]): ReadonlySet<string> {
	return new Set(events.filter(isDelivered).flatMap(event => FIELDS[event]));
}
