import type {WebhookDeliveries, WebhookRecord} from '../../../contract/webhook.ts';
import type {Explanation} from '../../../errors.ts';
import type {Clicked} from '../../../monitor/boards/board.ts';
import type {Loadable} from '../../../monitor/state.ts';
import type {WebhookField, WebhookForm} from '../../../monitor/webhooks/webhook-form.ts';

/** A new webhook. It stands here, not beside the form's reader, whose schemas the first frame does not need. */
export const EMPTY_FORM: WebhookForm = {name: '', url: '', events: 'swap', chains: 'solana', filter: ''};

export type WebhookHealth = Loadable<WebhookDeliveries>;

export interface WebhooksState {
	/** `secret`: a webhook was made, and its secret is in sight this once. */
	readonly step: 'list' | 'detail' | 'create' | 'edit' | 'remove' | 'secret';
	readonly list: Loadable<readonly WebhookRecord[]>;
	/** The delivery status of each, by id. */
	readonly health: ReadonlyMap<string, WebhookHealth>;
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

/** The delivery status that was read last, while a newer one is requested or failed too. */
export function lastHealth(health: WebhookHealth | undefined): WebhookDeliveries | undefined {
	if (health === undefined || health.kind === 'idle') return undefined;
	return health.kind === 'ready' ? health.value : health.last;
}
