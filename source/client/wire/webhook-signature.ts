import {createHmac, timingSafeEqual} from 'node:crypto';

/** The result of checking a delivery. `old`: a valid signature of another time, which may be a replay. */
export type SignatureVerdict = 'right' | 'missing' | 'wrong' | 'old';

/** Largest difference between the signed time and the current time. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Checks the signature of a delivery (contract gaps 8): `t=<unix s>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`.
 * @param secret with its prefix `whsec_`
 * @param header the value of `X-Webhook-Signature`
 * @param body the bytes as received
 */
export function checkDelivery(
	secret: string,
	header: string | undefined,
	body: Uint8Array,
	nowMs: number,
): SignatureVerdict {
	if (header === undefined) return 'missing';
	const [, time = '', given] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
	if (given === undefined) return 'wrong';
	const mac = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
	if (!timingSafeEqual(mac, Buffer.from(given, 'hex'))) return 'wrong';
	return Math.abs(Number(time) * 1000 - nowMs) > TOLERANCE_MS ? 'old' : 'right';
}
