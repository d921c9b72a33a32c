import type {WebhookCreateBody} from '../../contract/webhook.ts';
import {FilterLineProblem, type FilterTree, readFilterLine} from '../../monitor/webhooks/webhook-filter-line.ts';
import {readForm} from '../../monitor/webhooks/webhook-form.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';

/**
 * Reads the flags of a new webhook, with the checks of the form on screen.
 * @throws FormProblem, UsageError
 */
export function newWebhook(
	flags: Flags,
	{name, url}: {readonly name: string; readonly url: string},
): Omit<WebhookCreateBody, 'apiKey'> {
	const events = flags.all('event');
	const chains = flags.all('chain');
	const filters = filterFlag(flags);
	const body = readForm({
		name,
		url,
		events: events.length === 0 ? 'swap' : events.join(' '),
		chains: chains.length === 0 ? 'solana' : chains.join(' '),
		filter: '',
	});
	return {...body, ...(filters !== undefined && {filters})};
}

/** The filter tree of `--filter`; undefined without one. @throws UsageError with the position and the reason */
export function filterFlag(flags: Flags): FilterTree | undefined {
	const line = flags.text('filter') ?? '';
	try {
		return readFilterLine(line);
	} catch (error) {
		if (!(error instanceof FilterLineProblem)) throw error;
		const {start, end, message, why} = error;
		throw new UsageError(message, `At ${start + 1}, "${line.slice(start, Math.min(end, start + 30))}": ${why}.`);
	}
}
