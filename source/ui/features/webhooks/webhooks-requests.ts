import {explain} from '../../../errors.ts';
import {createPolling} from '../../../monitor/polling.ts';
import {isRefused} from '../../../monitor/refusals.ts';
import {unreadWebhooks} from '../../../monitor/webhooks/unread-webhooks.ts';
import type {FilterTree} from '../../../monitor/webhooks/webhook-filter-line.ts';
import type {readForm} from '../../../monitor/webhooks/webhook-form.ts';
import {KeyMissing} from '../../../monitor/webhooks/webhook-key.ts';
import {clientOf, type ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {lastHealth, listedWebhooks, type WebhookHealth, type WebhooksState} from './webhooks-state.ts';

/** The wait between two reads of the delivery status: one request a webhook in sight. */
const HEALTH_EVERY_MS = 5000;
const MAX_WAIT_MS = 60_000;

/** The requests of the screen, with the API key. While a change runs, the screen is busy and no other change begins. */
export interface WebhooksRequests {
	/** Reads the list, and then the delivery status of the visible lines, again and again. */
	open(): void;
	refresh(): void;
	/** Reads the delivery status now. */
	readHealth(): void;
	close(): void;
	/** @param onDone with the id of the new webhook and its secret */
	create(
		form: ReturnType<typeof readForm>,
		onDone: (made: {readonly id: string; readonly secret: string}) => void,
	): void;
	/** Only the filters of a webhook can change (contract gaps 8). */
	setFilters(id: string, filters: FilterTree | null, onDone: () => void): void;
	remove(id: string, onDone: () => void): void;
	/** @param onDone with the number of dead letters that are delivered again */
	redeliver(id: string, onDone: (count: number) => void): void;
}

/** @param inSight ids of the webhooks whose delivery status is shown */
export function createWebhooksRequests(
	slice: Slice<WebhooksState>,
	context: ScreenContext,
	inSight: () => readonly string[],
): WebhooksRequests {
	const {nowMs} = context;
	const polling = createPolling({poll, everyMs: () => HEALTH_EVERY_MS, longestMs: MAX_WAIT_MS});

	/** @throws ServiceNotThere, KeyMissing */
	function access() {
		const {call} = clientOf(context);
		const apiKey = context.apiKey();
		if (apiKey === undefined) throw new KeyMissing();
		return {call, apiKey};
	}

	async function load(): Promise<void> {
		const signal = polling.signal();
		const last = listedWebhooks(slice.get());
		slice.change(({problem: _, ...state}) => ({...state, list: {kind: 'loading', last}}));
		try {
			const {call, apiKey} = access();
			const read = await call('webhookList', {query: {apiKey}}, signal ? {signal} : {});
			if (signal?.aborted) return;
			const list = {kind: 'ready', value: read.data, atMs: nowMs()} as const;
			slice.change(state => ({...state, list, unread: unreadWebhooks(read)}));
			polling.next(0);
		} catch (error) {
			if (!signal?.aborted) slice.change(state => ({...state, list: {kind: 'failed', problem: explain(error), last}}));
		}
	}

	/** Reads one webhook after another. */
	async function poll(signal: AbortSignal): Promise<boolean> {
		let isFine = true;
		for (const id of inSight()) {
			try {
				const {call, apiKey} = access();
				const {data} = await call('webhookDeliveries', {params: {id}, query: {apiKey, limit: 100}}, {signal});
				setHealth(id, () => ({kind: 'ready', value: data, atMs: nowMs()}));
			} catch (error) {
				if (signal.aborted) return true;
				// Only the embedded service has this route.
				isFine &&= isRefused(error, 404);
				setHealth(id, before => {
					const last = lastHealth(before);
					return {kind: 'failed', problem: explain(error), ...(last && {last})};
				});
			}
		}
		return isFine;
	}

	function setHealth(id: string, next: (before: WebhookHealth | undefined) => WebhookHealth): void {
		slice.change(state => ({...state, health: new Map(state.health).set(id, next(state.health.get(id)))}));
	}

	async function busy(text: string, work: () => Promise<void>): Promise<void> {
		if (slice.get().busy !== undefined) return;
		slice.change(({problem: _, ...state}) => ({...state, busy: text}));
		try {
			await work();
		} catch (error) {
			slice.change(state => ({...state, problem: explain(error)}));
		} finally {
			slice.change(({busy: _, ...state}) => state);
		}
	}

	return {
		open() {
			polling.open();
			void load();
		},
		refresh() {
			polling.reset();
			void load();
		},
		readHealth: () => polling.next(0),
		close: polling.close,
		create: (form, onDone) =>
			void busy('Asking the service for a new webhook', async () => {
				const {call, apiKey} = access();
				const {id, webhookSecret: secret} = await call('webhookCreate', {body: {...form, apiKey}});
				onDone({id, secret});
				await load();
			}),
		setFilters: (streamId, filters, onDone) =>
			void busy('Asking the service to change the filter', async () => {
				const {call, apiKey} = access();
				await call('webhookUpdate', {body: {streamId, apiKey, mode: 'replace', filters}});
				onDone();
				await load();
			}),
		remove: (id, onDone) =>
			void busy('Deleting the webhook', async () => {
				const {call, apiKey} = access();
				await call('webhookDelete', {params: {id}, query: {apiKey}});
				onDone();
				await load();
			}),
		redeliver: (id, onDone) =>
			void busy('Putting dead letters back into the queue', async () => {
				const {call, apiKey} = access();
				const {count} = await call('webhookRedeliver', {params: {id}, body: {apiKey}});
				onDone(count);
				polling.next(0);
			}),
	};
}
