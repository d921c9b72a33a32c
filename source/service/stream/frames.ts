import type {EntryMode} from '../pulse/entry-cache.ts';
import type {RowIdentity} from './live-window.ts';

/** The frames that the service sends (contract gaps 1.3), as text or ready bytes. */

export const PULSE = 'pulse-v2';

/** The ack of a pulse subscription. */
export function subscribedFrame(subscriptionId: string): string {
	return JSON.stringify({event: 'subscribed', type: PULSE, subscriptionId});
}

/** The ack of an unsubscribe. */
export function unsubscribedFrame(subscriptionId: string | undefined, type = PULSE): string {
	return JSON.stringify({event: 'unsubscribed', type, subscriptionId});
}

/** The ack of a pause or an unpause of views. */
export function pausedFrame(action: 'pause' | 'unpause', views: readonly string[], subscriptionId: string): string {
	return JSON.stringify({event: `${action}d`, type: 'pulse-v2-pause', views, subscriptionId});
}

export const PONG = JSON.stringify({event: 'pong'});

/** The answer to a frame that was refused. */
export function errorFrame(
	message: string,
	{type, subscriptionId}: {type?: string; subscriptionId?: string} = {},
): string {
	return JSON.stringify({event: 'error', type, subscriptionId, message});
}

/** Members that only replicas add to a frame of a subscription. Each is left out where it is not known. */
export interface FrameEnd {
	/** Position up to which the reader now has all changes (service/log/position.ts). */
	readonly at?: string | undefined;
}

/** Members of the frames that are not about one row. */
export interface MarketEnd extends FrameEnd {
	/** For how long the market has learnt nothing new, in milliseconds. */
	readonly staleMs?: number | undefined;
}

/** Further members of full states. */
export interface SnapshotEnd extends MarketEnd {
	/** Whether the reader learns of all tokens that entered since the position that it gave. */
	readonly recovered?: boolean | undefined;
	/** Entries that entered since then and are no longer in the window. */
	readonly missed?: readonly ViewEntries[] | undefined;
}

/**
 * The state of a replica's market while no row changes, as an `update` without rows: readers merge nothing from such a frame, while
 * they could take a full state without views for an empty market.
 */
export function marketFrame(subscriptionId: string, {at, staleMs}: MarketEnd): string {
	const stale = staleMs === undefined ? undefined : Math.round(staleMs);
	return JSON.stringify({type: 'update', payload: {}, subscriptionId, at, stale});
}

/** A frame for a removed row, named as its entry spells it: by `tokenKey` in asset mode, by `poolAddress` in pool mode. */
export function removeFrame(
	mode: EntryMode,
	viewName: string,
	identity: RowIdentity,
	subscriptionId: string,
	{at}: FrameEnd = {},
): string {
	const type = mode === 'asset' ? 'remove-token' : 'remove-pool';
	const what = mode === 'asset' ? {tokenKey: identity.spelled} : {poolAddress: identity.pool};
	return JSON.stringify({type, payload: {viewName, ...what}, subscriptionId, at});
}

export interface ViewEntries {
	readonly name: string;
	readonly entries: readonly Buffer[];
}

/** Full entries of whole views: `init` once, `sync` as a replacement afterwards. */
export function snapshotFrame(
	type: 'init' | 'sync',
	views: readonly ViewEntries[],
	subscriptionId: string,
	{at, recovered, missed, staleMs}: SnapshotEnd = {},
): Buffer {
	const ids = JSON.stringify({subscriptionId, at, recovered}).slice(0, -1).replace('{', ',');
	return Buffer.concat([
		Buffer.from(`{"type":"${type}","payload":`),
		...viewParts(views),
		Buffer.from(ids),
		...(missed ? [MISSED, ...viewParts(missed)] : []),
		Buffer.from(staleMs === undefined ? '}' : `,"stale":${Math.round(staleMs)}}`),
	]);
}

/** `{"<view>":{"data":[…]},…}` */
function viewParts(views: readonly ViewEntries[]): Buffer[] {
	const parts: Buffer[] = [VIEWS_START];
	for (const [i, {name, entries}] of views.entries()) {
		parts.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(name)}:{"data":[`));
		for (const [j, entry] of entries.entries()) parts.push(...(j === 0 ? [entry] : [COMMA, entry]));
		parts.push(VIEW_END);
	}
	parts.push(VIEWS_END);
	return parts;
}

const [VIEWS_START, COMMA, VIEW_END, VIEWS_END, MISSED] = ['{', ',', ']}', '}', ',"missed":'].map(part =>
	Buffer.from(part),
) as [Buffer, Buffer, Buffer, Buffer, Buffer];

/**
 * Writes the `new-` and `update-` frames of one view of one subscription, which differ in the entry and the position only.
 * The constant part is kept as text: a lasting Buffer would keep its whole piece of shared memory.
 */
export interface EntryFramer {
	frame(kind: 'new' | 'update', entry: Buffer, end?: FrameEnd): Buffer;
}

/** Makes the writer of one view's frames. */
export function entryFramer(mode: EntryMode, viewName: string, subscriptionId: string): EntryFramer {
	const noun = mode === 'asset' ? 'token' : 'pool';
	const head = (kind: string) =>
		`{"type":"${kind}-${noun}","payload":{"viewName":${JSON.stringify(viewName)},"${noun}":`;
	const heads = {new: head('new'), update: head('update')};
	const headLengths = {new: Buffer.byteLength(heads.new), update: Buffer.byteLength(heads.update)};
	const plainTail = `},"subscriptionId":${JSON.stringify(subscriptionId)}}`;
	const plainTailLength = Buffer.byteLength(plainTail);
	return {
		frame: (kind, entry, {at} = NO_END) => {
			const headLength = headLengths[kind];
			const tail = at === undefined ? plainTail : `${plainTail.slice(0, -1)},"at":"${at}"}`;
			// A position is ASCII.
			const tailLength = plainTailLength + tail.length - plainTail.length;
			const frame = Buffer.allocUnsafe(headLength + entry.length + tailLength);
			frame.write(heads[kind]);
			entry.copy(frame, headLength);
			frame.write(tail, headLength + entry.length);
			return frame;
		},
	};
}

const NO_END: FrameEnd = {};
