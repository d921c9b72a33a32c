import {WEBHOOK_DELIVERY} from '../../contract/webhook.ts';

/**
 * Delay before the next attempt of a delivery, or undefined when there is no further one (contract gaps 8): two
 * retries, the first after a second, each delay twice the one before, all within five minutes.
 * @param attempts number of failed attempts
 * @param spentMs since the first attempt started
 */
export function retryDelayMs(attempts: number, spentMs: number): number | undefined {
	const {retries, firstDelayMs, maxDelayMs, totalMs} = WEBHOOK_DELIVERY;
	if (attempts > retries) return undefined;
	const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
	return spentMs + delayMs > totalMs ? undefined : delayMs;
}
