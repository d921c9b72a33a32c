import type {Call as Request} from '../../client/http/call.ts';
import type {Config} from '../../config/config.ts';
import {KeyMissing} from '../../monitor/webhooks/webhook-key.ts';
import {UsageError} from '../line/usage-error.ts';
import {withoutFollowing} from '../service/followed.ts';
import {withClient} from '../service/with-client.ts';

/** Access to the webhooks of an API key. */
export interface WebhookAccess {
	readonly call: Request;
	/** The owner of the webhooks. */
	readonly apiKey: string;
}

/**
 * Opens the configured service for work on the webhooks of its API key.
 * @throws UsageError without a configured service, because an embedded one ends with the command; KeyMissing
 */
export async function withWebhooks<T>(config: Config, use: (access: WebhookAccess) => Promise<T>): Promise<T> {
	const {baseUrl, apiKey} = config.service;
	if (baseUrl === undefined)
		throw new UsageError(
			'Webhooks need a service that stays',
			'Name one with --base-url, pulsetop serve for example; pulsetop webhook listen works without one.',
		);
	if (apiKey === undefined) throw new KeyMissing();
	return withClient(withoutFollowing(config), ({call}) => use({call, apiKey}));
}

/** The only operand of a command. @param what its noun for errors: `webhook` @throws UsageError */
export function onlyOperand(operands: readonly string[], what: string): string {
	const [only, ...others] = operands;
	if (only !== undefined && others.length === 0) return only;
	throw new UsageError(`One ${what} is needed`, `Write it after the command.`);
}
