import type {WebhookDeliveries, WebhookRecord} from '../../../contract/webhook.ts';
import type {Explanation} from '../../../errors.ts';
import type {Loadable} from '../../../monitor/state.ts';
import {EMPTY_FORM, type WebhookField, type WebhookForm} from '../../../monitor/webhooks/webhook-fields.ts';
import type {Clicked} from '../../screens/list-lines.ts';

export type WebhookHealth = Loadable<WebhookDeliveries>;

export interface WebhooksState {
	/** `secret`: a webhook was made, and its secret is in sight this once. */
	readonly step: 'list' | 'detail' | 'create' | 'edit' | 'remove' | 'secret';
	readonly list: Loadable<readonly WebhookRecord[]>;
	/** How many more the service counts, whose records can't be read. */
	readonly unread: number;
	/** The delivery status of each, by id. */
	readonly health: ReadonlyMap<string, WebhookHealth>;
	readonly cursor?: string;
	readonly clicked?: Clicked;
	readonly scroll: number;
	readonly form: WebhookForm;
	/** The filter that is being edited. */
	readonly filterLine: string;
	/** The problem of the typed text, and its place in the field if it is about a part of the text. */
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
	unread: 0,
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

/** The webhook of the page; in the list, the first one if no other is marked. Undefined when it was deleted elsewhere. */
export function markedWebhook(state: WebhooksState): WebhookRecord | undefined {
	const all = listedWebhooks(state);
	return all.find(({id}) => id === state.cursor) ?? (state.step === 'list' ? all[0] : undefined);
}

/** The delivery status that was read last, while a newer one is requested or failed too. */
export function lastHealth(health: WebhookHealth | undefined): WebhookDeliveries | undefined {
	if (health === undefined || health.kind === 'idle') return undefined;
	return health.kind === 'ready' ? health.value : health.last;
}
