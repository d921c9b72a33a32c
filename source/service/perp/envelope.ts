import type {Dex, Envelope, PayloadContent, PerpAction, PerpExecuteBody, PerpTransport} from '../../contract/perp.ts';
import {payloadContentSchema} from '../../contract/perp.ts';
import {Refused} from '../http-error.ts';

/** Input of an envelope. */
export interface PayloadParts {
	readonly action: PerpAction;
	readonly dex: Dex;
	readonly chainId: string;
	readonly marketId?: string | undefined;
	readonly transport: PerpTransport;
	readonly payload: Readonly<Record<string, unknown>>;
}

/** The envelope of a payload (spec 2.5): the metadata, and everything again as canonical text. */
export function envelopeOf({payload, marketId, action, dex, chainId, transport}: PayloadParts): Envelope {
	const metadata = {action, dex, chainId, ...(marketId === undefined ? {} : {marketId}), transport};
	return {...metadata, payloadStr: JSON.stringify({...metadata, payload})};
}

/** A request to execute whose parts contradict each other (spec 4.8, contract gaps 5.3). */
export class EnvelopeMismatch extends Refused {
	readonly field: string;

	constructor(field: string, message: string) {
		super(400, message);
		this.field = field;
	}
}

/**
 * Reads the payload of an execute and compares it with the envelope's metadata.
 * @throws EnvelopeMismatch
 */
export function openEnvelope(body: PerpExecuteBody): PayloadContent {
	const content = contentOf(body.payloadStr);
	for (const field of ['action', 'dex', 'chainId', 'marketId', 'transport'] as const) {
		if (content[field] !== body[field]) {
			throw new EnvelopeMismatch(field, `${field} of the envelope is not that of payloadStr`);
		}
	}
	return content;
}

function contentOf(payloadStr: string): PayloadContent {
	let json: unknown;
	try {
		json = JSON.parse(payloadStr);
	} catch {
		throw new EnvelopeMismatch('payloadStr', 'payloadStr is not JSON');
	}
	const read = payloadContentSchema().safeParse(json);
	if (!read.success) throw new EnvelopeMismatch('payloadStr', 'payloadStr does not hold an envelope and its payload');
	return read.data;
}
