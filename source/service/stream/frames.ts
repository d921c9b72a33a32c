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

/** A frame for a removed row: named by `tokenKey` in asset mode, by `poolAddress` in pool mode. */
export function removeFrame(mode: EntryMode, viewName: string, identity: RowIdentity, subscriptionId: string): string {
	const type = mode === 'asset' ? 'remove-token' : 'remove-pool';
	const what = mode === 'asset' ? {tokenKey: identity.key} : {poolAddress: identity.pool};
	return JSON.stringify({type, payload: {viewName, ...what}, subscriptionId});
}

/** Full entries of whole views: `init` once, `sync` as a replacement afterwards. */
export function snapshotFrame(
	type: 'init' | 'sync',
	views: readonly {readonly name: string; readonly entries: readonly Buffer[]}[],
	subscriptionId: string,
): Buffer {
	const parts: Buffer[] = [];
	for (const [i, {name, entries}] of views.entries()) {
		parts.push(Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(name)}:{"data":[`));
		for (const [j, entry] of entries.entries()) parts.push(...(j === 0 ? [entry] : [COMMA, entry]));
		parts.push(VIEW_END);
	}
	return Buffer.concat([
		Buffer.from(`{"type":"${type}","payload":{`),
		...parts,
		Buffer.from(`},"subscriptionId":${JSON.stringify(subscriptionId)}}`),
	]);
}

const COMMA = Buffer.from(',');
const VIEW_END = Buffer.from(']}');

/**
 * Writes the `new-` and `update-` frames of one view of one subscription, which differ in the entry only. The constant
 * part is kept as text: a lasting Buffer would keep its whole piece of shared memory.
 */
export interface EntryFramer {
	frame(kind: 'new' | 'update', entry: Buffer): Buffer;
}

/** Makes the writer of one view's frames. */
export function entryFramer(mode: EntryMode, viewName: string, subscriptionId: string): EntryFramer {
	const noun = mode === 'asset' ? 'token' : 'pool';
	const head = (kind: string) =>
		`{"type":"${kind}-${noun}","payload":{"viewName":${JSON.stringify(viewName)},"${noun}":`;
	const heads = {new: head('new'), update: head('update')};
	const headLengths = {new: Buffer.byteLength(heads.new), update: Buffer.byteLength(heads.update)};
	const tail = `},"subscriptionId":${JSON.stringify(subscriptionId)}}`;
	const tailLength = Buffer.byteLength(tail);
	return {
		frame: (kind, entry) => {
			const headLength = headLengths[kind];
			const frame = Buffer.allocUnsafe(headLength + entry.length + tailLength);
			frame.write(heads[kind]);
			entry.copy(frame, headLength);
			frame.write(tail, headLength + entry.length);
			return frame;
		},
	};
}
