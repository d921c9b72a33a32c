import type {WebhookEvent} from '../../contract/webhook.ts';
import {parseWebhookFilters, passesWebhook, type WebhookFilter} from '../../contract/webhook-filter.ts';
import type {MarketEvent} from '../market/events.ts';
import type {Deliverable} from './event-forms.ts';
import type {Webhook} from './webhook-store.ts';

/** Start of a webhook: earlier events are not sent to it. */
export interface WebhookStart {
	/** Earlier events are history, by the clock that events have. */
	readonly sinceMs: number;
	/** Entries of the market log up to this one were written before; left out where there is no log. */
	readonly sinceSeq?: number;
}

/** An event for a webhook. */
export interface Match {
	readonly webhookId: string;
	readonly event: WebhookEvent;
	/** The JSON to post. */
	readonly body: string;
}

interface Live extends WebhookStart {
	readonly webhook: Webhook;
	readonly chainIds: ReadonlySet<string>;
	readonly events: ReadonlySet<string>;
	readonly filter: WebhookFilter;
}

/** The webhook events that each market event can become. */
const FORMS: Readonly<Record<MarketEvent['type'], readonly WebhookEvent[]>> = {
	trade: ['swap', 'swap-enriched', 'block'],
	transfer: ['transfer', 'block'],
	launch: ['launchpad', 'block'],
	migrate: ['launchpad', 'block'],
	liquidity: [],
	fund: [],
	profile: [],
	reserves: [],
	holders: [],
	gap: [],
};

/** Finds the webhooks that an event is for. */
export class EventMatcher {
	readonly #live = new Map<string, Live>();
	/** `<event>|<chainId>` with a subscriber. */
	readonly #subscribed = new Set<string>();

	get isEmpty(): boolean {
		return this.#live.size === 0;
	}

	/** Events before this time are history for every webhook. */
	get sinceMs(): number {
		return Math.min(...[...this.#live.values()].map(({sinceMs}) => sinceMs));
	}

	set(webhook: Webhook, start: WebhookStart): void {
		this.#live.set(webhook.id, {
			...start,
			webhook,
			chainIds: new Set(webhook.chainIds),
			events: new Set(webhook.events),
			filter: parseWebhookFilters(webhook.filters),
		});
		for (const chainId of webhook.chainIds) {
			for (const event of webhook.events) this.#subscribed.add(`${event}|${chainId}`);
		}
	}

	/** Whether any webhook may want an event of the market, in one of its forms. */
	isWanted({type, chainId}: MarketEvent): boolean {
		return FORMS[type].some(form => this.#subscribed.has(`${form}|${chainId}`));
	}

	/**
	 * The webhooks that an event is for. Its form is made only where one of them gets such events.
	 * @param seq the entry of the market log that the event came with
	 */
	match({event, chainId, timeMs, form}: Deliverable, seq = Number.POSITIVE_INFINITY): Match[] {
		if (!this.#subscribed.has(`${event}|${chainId}`)) return [];
		const matches: Match[] = [];
		let text: string | undefined;
		for (const {webhook, chainIds, events, filter, sinceMs, sinceSeq = 0} of this.#live.values()) {
			if (timeMs < sinceMs || seq <= sinceSeq || !events.has(event) || !chainIds.has(chainId)) continue;
			const made = form();
			if (made === undefined) return [];
			const {fields, body} = made;
			if (!passesWebhook(filter, field => (Object.hasOwn(fields, field) ? fields[field] : undefined))) continue;
			text ??= JSON.stringify(body);
			matches.push({webhookId: webhook.id, event, body: text});
		}
		return matches;
	}
}
