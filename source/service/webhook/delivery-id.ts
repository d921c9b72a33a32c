import {createHash} from 'node:crypto';
import {entryKey} from '../../contract/entry.ts';
import type {WebhookEvent} from '../../contract/webhook.ts';
import {getOrInsert} from '../../get-or-insert.ts';
import type {DeliveredEvent} from './event-bodies.ts';

/**
 * The id of a delivery, a UUID of version 8. It follows from its arguments, so that an event that comes again has the same id from
 * every process, and receivers can drop it.
 * @param identity names the event: see {@link EventIdentities}, or its place in the log of the replicas
 */
export function deliveryId(webhookId: string, identity: string, event: WebhookEvent): string {
	const hex = createHash('sha256').update(`${webhookId} ${identity} ${event}`).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The identity of a block, which events of the form `block` have. */
export function blockIdentity({chainId, block}: DeliveredEvent): string {
	return `block ${chainId} ${block}`;
}

/** Blocks of all chains whose events are counted: those of different tokens come in slightly different order. */
const BLOCKS = 256;

/**
 * Names events by what they are, not by when this process read them. A simulated market begins again at each start, with the same
 * tokens and transactions in other blocks and with slightly other amounts: there only names count.
 */
export class EventIdentities {
	readonly #isSimulated: boolean;
	/** How often each event of the newest blocks came, by block. */
	readonly #blocks = new Map<string, Map<string, number>>();

	/** @param isSimulated the same token, sender and receiver are the same transfer, where an event has no transaction */
	constructor(isSimulated: boolean) {
		this.#isSimulated = isSimulated;
	}

	/** The identity of the next event. Equal events of one transaction are numbered. */
	next(event: DeliveredEvent): string {
		const name = this.#nameOf(event);
		const counts = getOrInsert(this.#blocks, blockIdentity(event), () => new Map<string, number>());
		if (this.#blocks.size > BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
		const count = counts.get(name) ?? 0;
		counts.set(name, count + 1);
		return `${name} ${count}`;
	}

	#nameOf(event: DeliveredEvent): string {
		const tx = event.type === 'trade' ? event.tx : event.type === 'transfer' ? (event.taxOf ?? null) : null;
		// A token is launched once, and enters a pool once.
		const parts: unknown[] = [event.type, entryKey(event.chainId, event.token), tx];
		// The same simulated transaction may be in another pool, by another wallet.
		if (this.#isSimulated && tx !== null) return JSON.stringify(parts);
		if (event.type === 'migrate') parts.push(event.pool.address);
		if (event.type === 'trade') parts.push(event.pool, event.wallet, event.side);
		if (event.type === 'transfer') parts.push(event.from, event.to);
		if (!this.#isSimulated && (event.type === 'trade' || event.type === 'transfer'))
			parts.push(event.amountToken, tx === null ? event.block : null);
		return JSON.stringify(parts);
	}
}
