import {createHmac, timingSafeEqual} from 'node:crypto';

/** What a signature says of a delivery. `old`: it is right, and from another time: somebody may be repeating it. */
export type SignatureVerdict = 'right' | 'missing' | 'wrong' | 'old';

/** How far the time in a signature may be from ours. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Checks the signature of a delivery (contract gaps 8): `t=<unix s>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`.
 * @param secret the whole of it, `whsec_` included
 * @param header the value of `X-Webhook-Signature`
 * @param body the bytes as they came
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
