import type {Dex} from '../../contract/perp.ts';

/*
 * The members that a payload may have, by exchange and action. Its signature covers all of it, so a member that is not known here is
 * not signed, whatever it means there (spec 2.5, 4.8; contract gaps 5.2).
 */

/** Names of the order in payloads of exchanges, most common first; outside the spec. All that are present must agree. */
export const ORDER_NAMES = ['orderIndex', 'order_index', 'Index', 'index'] as const;
/** Names of the market of the order. */
export const MARKET_NAMES = ['marketId', 'market_id'] as const;

const TOP = ['action', 'dex', 'chainId', 'marketId', 'transport', 'payload'];
const TRANSACTION = [
	'from',
	'to',
	'callData',
	'value',
	'chainId',
	'nonce',
	'gas',
	'gasPrice',
	'maxFeePerGas',
	'maxPriorityFeePerGas',
];
const PAYLOADS: Readonly<Record<'cancel-order' | 'create-order', Readonly<Record<Dex, readonly string[]>>>> = {
	'cancel-order': {
		dexA: ['type', 'orderType', 'data'],
		// A message to sign has a check of its own, which says so.
		dexB: ['accountIndex', 'apiKeyIndex', 'MessageToSign', ...ORDER_NAMES, ...MARKET_NAMES],
	},
	'create-order': {dexA: ['type', 'orderType', 'tp', 'sl', 'data'], dexB: []},
};

/**
 * The members of an envelope's content that are not known, each with where it stands: `payload.cancelAll`. Known ones are
 * single values, except where an object is named here: the members of any other object are not known either.
 * @param json as JSON.parse gave it: a schema may have dropped unknown members
 */
export function unknownMembers(json: unknown, action: keyof typeof PAYLOADS, dex: Dex): readonly string[] {
	const payload = memberOf(json, 'payload');
	const inPayload = PAYLOADS[action][dex];
	return [
		...strangers(json, TOP, ['payload'], ''),
		...strangers(payload, inPayload, inPayload.includes('data') ? ['data'] : [], 'payload.'),
		...(inPayload.includes('data') ? strangers(memberOf(payload, 'data'), TRANSACTION, [], 'payload.data.') : []),
	];
}

function strangers(
	value: unknown,
	known: readonly string[],
	objects: readonly string[],
	where: string,
): readonly string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, member]) => {
		if (!known.includes(name)) return [where + name];
		if (objects.includes(name) || typeof member !== 'object' || member === null) return [];
		const inner = Object.keys(member).map(other => `${where}${name}.${other}`);
		return inner.length === 0 ? [where + name] : inner;
	});
}

function memberOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Record<string, unknown>)[name]
		: undefined;
}
