/*
 * The fields of the form, apart from the code that reads them: reading loads schemas, which the first frame does not wait for.
 */

export const WEBHOOK_FIELDS = ['name', 'url', 'events', 'chains', 'filter'] as const;
export type WebhookField = (typeof WEBHOOK_FIELDS)[number];
export type WebhookForm = Readonly<Record<WebhookField, string>>;

export const EMPTY_FORM: WebhookForm = {name: '', url: '', events: 'swap', chains: 'solana', filter: ''};
