import type {WebhookDeliveries, WebhookRecord} from '../../contract/webhook.ts';
import type {Explanation} from '../../errors.ts';
import type {Loadable} from '../state.ts';
import type {Clicked} from './board.ts';

export const WEBHOOK_FIELDS = ['name', 'url', 'events', 'chains', 'filter'] as const;
export type WebhookField = (typeof WEBHOOK_FIELDS)[number];
export type WebhookForm = Readonly<Record<WebhookField, string>>;

export const EMPTY_FORM: WebhookForm = {name: '', url: '', events: 'swap', chains: 'solana', filter: ''};

export interface WebhooksState {
	/** `secret`: a webhook was made, and its secret is in sight this once. */
	readonly step: 'list' | 'detail' | 'create' | 'edit' | 'remove' | 'secret';
	readonly list: Loadable<readonly WebhookRecord[]>;
	/** How each is doing, by id. */
	readonly health: ReadonlyMap<string, Loadable<WebhookDeliveries>>;
	readonly cursor?: string;
	readonly clicked?: Clicked;
	readonly scroll: number;
	readonly form: WebhookForm;
	/** The filter that is being edited. */
	readonly filterLine: string;
	/** What is wrong with what was typed, and where in the field if it is about a part of it. */
	readonly formProblem?: {
		readonly field: WebhookField;
		readonly text: string;
		readonly place?: {readonly start: number; readonly end: number};
	};
	readonly busy?: string;
	readonly problem?: Explanation;
	readonly answer: 'cancel' | 'remove';
	readonly secret?: {readonly name: string; readonly secret: string};
}

export const NO_WEBHOOKS: WebhooksState = {
	step: 'list',
	list: {kind: 'idle'},
	health: new Map(),
	scroll: 0,
	form: EMPTY_FORM,
	filterLine: '',
	answer: 'cancel',
};

/** The webhooks as they were last listed. */
export function listedWebhooks({list}: WebhooksState): readonly WebhookRecord[] {
	return list.kind === 'ready' ? list.value : list.kind === 'idle' ? [] : (list.last ?? []);
}

/** A key by its end: enough to tell keys apart, useless to whoever looks over a shoulder. */
export function maskedKey(key: string): string {
	return key.length < 12 ? '****' : `****${key.slice(-4)}`;
}

/** Where a webhook delivers to, without what only its owner should see: user, query and fragment. */
export function maskedUrl(text: string): string {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return 'an address that cannot be read';
	}
	const user = url.username === '' && url.password === '' ? '' : '****@';
	return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === '' ? '' : '?****'}`;
}
