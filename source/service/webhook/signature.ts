import {createHmac, randomBytes} from 'node:crypto';

/** A new secret: `whsec_` and 64 hex digits. */
export function makeWebhookSecret(): string {
	return `whsec_${randomBytes(32).toString('hex')}`;
}

/**
 * The value of the signature header (contract gaps 8): `t=<unix s>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`.
 * @param secret complete, with `whsec_`
 * @param body the bytes that are sent
 */
export function signDelivery(secret: string, timeS: number, body: string): string {
	const mac = createHmac('sha256', secret).update(`${timeS}.${body}`).digest('hex');
	return `t=${timeS},v1=${mac}`;
}
