import type {Webhook} from './webhook-store.ts';

/** The beginning of a webhook: `since` is the position of the market log, null where one process serves alone. */
export type WebhookBeginning = Pick<Webhook, 'createdAtMs' | 'since'>;

/** Finds the events that are for webhooks, and adds them to the queue. */
export interface Enqueuer {
	/** The beginning of a webhook that is made now. @throws StoreFailed */
	beginning(): Promise<WebhookBeginning>;
	/** @throws StoreFailed */
	start(): Promise<void>;
	/** To be called after webhooks were changed here. @throws StoreFailed */
	reload(): Promise<void>;
	stop(): Promise<void>;
}
