import {entryKey} from '../../contract/entry.ts';
import {isObject, toNumber, type WireObject} from '../wire/wire-value.ts';

/**
 * A parsed frame of the stream (contract gaps 1.3). `id` is the subscription of the frame, where the frame names one; `at` the
 * position in the market log that its subscription has reached with it, where the service has one (docs/replicas.md).
 */
export type Frame = {readonly id: string | undefined; readonly at?: string} & (
	| ({
			readonly kind: 'full';
			readonly source: 'init' | 'sync';
			readonly views: ReadonlyMap<string, ViewData>;
	  } & LogFacts)
	| ({readonly kind: 'merge'; readonly views: ReadonlyMap<string, ViewData>} & Pick<LogFacts, 'staleMs'>)
	| {readonly kind: 'put'; readonly view: string | undefined; readonly wire: unknown}
	| {readonly kind: 'drop'; readonly view: string | undefined; readonly which: Dropped}
	| {readonly kind: 'ack' | 'gone' | 'pong' | 'other'}
	| {readonly kind: 'problem'; readonly body: WireObject; readonly isAboutKey: boolean}
);

/** The members of a replica's full frame besides its views; `staleMs` in merged ones, too. */
export interface LogFacts {
	/** The answer to `resume`: everything since that position is in the frame. */
	readonly recovered?: boolean;
	/** With `recovered`: by view, the tokens that entered since that position and left again, as they are now. */
	readonly missed?: ReadonlyMap<string, ViewData>;
	/** How old the service's market is, ms; absent while it is up to date. */
	readonly staleMs?: number;
}

/** One view's part of a frame or of a REST response; `data` is not validated yet. */
export interface ViewData {
	readonly data: unknown;
	readonly total: number | undefined;
}

/** The subject of a removal: the key, an address on an unknown chain, a pool, or the whole entry. */
export type Dropped =
	| {readonly by: 'key'; readonly key: string}
	| {readonly by: 'address'; readonly address: string}
	| {readonly by: 'pool'; readonly address: string}
	| {readonly by: 'entry'; readonly wire: WireObject};

const ABOUT_KEY = /unauthori[sz]ed|forbidden|(invalid|missing|wrong|bad|unknown|expired)\s+(api\s*)?key|api key/i;
const NO_SUBSCRIPTION = /no subscription found/i;

/** Parses one text frame; undefined when the text is not JSON or not a frame. Never throws. */
export function parseFrame(text: string): Frame | undefined {
	let wire: unknown;
	try {
		wire = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isObject(wire)) return undefined;
	const payload = isObject(wire['payload']) ? wire['payload'] : undefined;
	const id = idOf(wire) ?? (payload && idOf(payload));
	const event = wire['event'];
	if (event === 'pong') return {id, kind: 'pong'};
	if (event === 'subscribed') return {id, kind: 'ack'};
	if (event === 'unsubscribed') return {id, kind: 'gone'};
	const isProblem =
		event === 'error' || wire['type'] === 'error' || (wire['error'] !== undefined && payload === undefined);
	if (isProblem) return problem(wire, id);
	const frame = payload === undefined ? {id, kind: 'other' as const} : dataFrame(wire['type'], payload, id);
	if (frame === undefined) return undefined;
	const at = wire['at'];
	// In a service without a market log these names may mean anything.
	if (typeof at !== 'string' || !POSITION.test(at)) return frame;
	if (frame.kind === 'full') return {...frame, ...logFacts(wire), at};
	return {...frame, ...(frame.kind === 'merge' && staleness(wire)), at};
}

/** `EPOCH.SEQ`. */
const POSITION = /^[\da-z]{1,32}\.\d{1,15}$/;

function logFacts(wire: WireObject): LogFacts {
	const {recovered, missed} = wire;
	return {
		...(typeof recovered === 'boolean' && {recovered}),
		...(recovered === true && isObject(missed) && {missed: viewsOf(missed)}),
		...staleness(wire),
	};
}

function staleness({stale}: WireObject): Pick<LogFacts, 'staleMs'> {
	const staleMs = toNumber(stale);
	return staleMs !== undefined && staleMs >= 0 ? {staleMs} : {};
}

/** The views of a frame's payload or of a REST response's body: `{<name>: {data: [...]}}`, or the list itself. */
export function viewsOf(payload: WireObject): ReadonlyMap<string, ViewData> {
	const views = new Map<string, ViewData>();
	for (const [name, value] of Object.entries(payload)) {
		if (Array.isArray(value)) views.set(name, {data: value, total: undefined});
		else if (isObject(value) && Array.isArray(value['data'])) {
			views.set(name, {data: value['data'], total: toNumber(value['pagination'])});
		}
	}
	return views;
}

function dataFrame(type: unknown, payload: WireObject, id: string | undefined): Frame | undefined {
	const view = typeof payload['viewName'] === 'string' ? payload['viewName'] : undefined;
	switch (type) {
		case 'init':
		case 'sync':
			return {id, kind: 'full', source: type, views: viewsOf(payload)};
		case 'update':
			return {id, kind: 'merge', views: viewsOf(payload)};
		case 'new-token':
		case 'update-token':
		case 'new-pool':
		case 'update-pool': {
			const wire = payload['token'] ?? payload['pool'];
			return isObject(wire) ? {id, kind: 'put', view, wire} : undefined;
		}
		case 'remove-token':
		case 'remove-pool': {
			const which = droppedOf(payload);
			return which && {id, kind: 'drop', view, which};
		}
		default:
			return {id, kind: 'other'};
	}
}

function droppedOf(payload: WireObject): Dropped | undefined {
	const {tokenKey, token, poolAddress, pool} = payload;
	for (const name of [tokenKey, token]) {
		if (typeof name !== 'string' || name === '') continue;
		const bar = name.indexOf('|');
		if (bar < 0) return {by: 'address', address: name};
		return {by: 'key', key: entryKey(name.slice(0, bar), name.slice(bar + 1))};
	}
	for (const address of [poolAddress, pool]) {
		if (typeof address === 'string' && address !== '') return {by: 'pool', address};
	}
	const wire = isObject(token) ? token : pool;
	return isObject(wire) ? {by: 'entry', wire} : undefined;
}

function problem(wire: WireObject, id: string | undefined): Frame {
	const said = [wire['message'], wire['error']].filter(part => typeof part === 'string').join(' ');
	if (NO_SUBSCRIPTION.test(said)) return {id, kind: 'gone'};
	return {id, kind: 'problem', body: wire, isAboutKey: ABOUT_KEY.test(said.slice(0, 500))};
}

function idOf(wire: WireObject): string | undefined {
	const id = wire['subscriptionId'] ?? wire['personalizedId'];
	return typeof id === 'string' ? id : undefined;
}
