import {WEBHOOK_DELIVERY} from '../../contract/webhook.ts';

/**
 * How long to wait before the next attempt of a delivery, or undefined when there is none (contract gaps 8): two retries,
 * the first after a second, each wait twice the one before, all within five minutes.
 * @param attempts how many have failed
 * @param spentMs since the first of them began
 */
export function retryDelayMs(attempts: number, spentMs: number): number | undefined {
	const {retries, firstDelayMs, maxDelayMs, totalMs} = WEBHOOK_DELIVERY;
	if (attempts > retries) return undefined;
	const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
	return spentMs + delayMs > totalMs ? undefined : delayMs;
}
