import type {Call as Ask} from '../../client/http/call.ts';
import type {Config} from '../../config/config.ts';
import {KeyMissing} from '../../monitor/webhooks/webhook-key.ts';
import {UsageError} from '../line/usage-error.ts';
import {withClient} from '../with-client.ts';

/** What a command on webhooks works with. */
export interface WebhookAccess {
	readonly call: Ask;
	/** Whose webhooks are meant. */
	readonly apiKey: string;
}

/**
 * Opens the configured service for work on the webhooks of its key.
 * @throws UsageError without a configured service: one of our own ends with the command, and its webhooks with it
 */
export async function withWebhooks<T>(config: Config, use: (access: WebhookAccess) => Promise<T>): Promise<T> {
	const {baseUrl, apiKey} = config.service;
	if (baseUrl === undefined)
		throw new UsageError(
			'Webhooks need a service that stays',
			'Name one with --base-url, pulsetop serve for example; pulsetop webhook listen needs none.',
		);
	if (apiKey === undefined) throw new KeyMissing();
	return withClient(config, ({call}) => use({call, apiKey}));
}

/** The one operand of a command. @throws UsageError */
export function onlyOperand(operands: readonly string[], what: string): string {
	const [only, ...others] = operands;
	if (only !== undefined && others.length === 0) return only;
	throw new UsageError(`One ${what} is needed`, `Write it after the command.`);
}
