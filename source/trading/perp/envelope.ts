import {type Dex, type Envelope, type PayloadContent, payloadContentSchema} from '../../contract/perp.ts';
import {dexFromWire, type Provider} from '../../contract/provider.ts';
import {PulsetopError} from '../../errors.ts';
import {clean} from '../../text.ts';
import {unknownMembers} from './payload-members.ts';

/** A payload that differs from the request, and is not signed. */
export class EnvelopeMismatch extends PulsetopError {
	readonly code = 'envelope-mismatch';

	constructor(why: string) {
		super('The payload is not the requested one', {why, next: 'report'});
	}
}

/** The request for a payload. */
export interface Requested {
	readonly action: 'cancel-order' | 'create-order';
	readonly dex: Dex;
	readonly chainId: string;
	readonly marketId: string;
}

/** The metadata of an envelope, which goes to execute as it came (spec 2.5, 4.8). */
const METADATA = ['action', 'dex', 'chainId', 'marketId', 'transport'] as const;

/**
 * Compares an envelope with the request and with the content of its own payloadStr, byte for byte (spec 4.8).
 * @returns the content; payloadStr itself is never changed for a cancel
 * @throws EnvelopeMismatch
 */
export function openEnvelope(envelope: Envelope, requested: Requested, provider: Provider): PayloadContent {
	// dexA knows an order by its number alone and may leave the market out (spec 4.7).
	const mayLackMarket = requested.dex === 'dexA' && envelope.marketId === undefined;
	const expected = {
		action: requested.action,
		chainId: requested.chainId,
		marketId: mayLackMarket ? undefined : requested.marketId,
	};
	for (const [name, value] of Object.entries(expected)) {
		const given = envelope[name as keyof typeof expected];
		if (given !== value) throw new EnvelopeMismatch(`its ${name} is ${given ?? 'missing'}, requested was ${value}`);
	}
	if (dexFromWire(envelope.dex, provider) !== requested.dex) {
		throw new EnvelopeMismatch(`its dex is ${envelope.dex}, requested was ${requested.dex}`);
	}
	const content = readPayload(envelope.payloadStr, requested);
	for (const name of METADATA) {
		if (content[name] !== envelope[name]) {
			throw new EnvelopeMismatch(
				`${name} is ${envelope[name] ?? 'missing'} outside and ${content[name] ?? 'missing'} inside`,
			);
		}
	}
	return content;
}

/** The parts of JSON that writers spell in different ways: strings, and blanks outside of strings. */
const SPELLINGS = /"(?:[^"\\]|\\.)*"|\s+/g;

/**
 * The content of a payloadStr. Written again the content must give the same text, but for blanks and the spelling of strings: so
 * two readers never see two things, as with a name that stands twice.
 */
function readPayload(payloadStr: string, {action, dex}: Requested): PayloadContent {
	let json: unknown;
	try {
		json = JSON.parse(payloadStr);
	} catch {
		throw new EnvelopeMismatch('payloadStr is not JSON');
	}
	const inOneSpelling = payloadStr.replace(SPELLINGS, part =>
		part.trim() === '' ? '' : JSON.stringify(JSON.parse(part)),
	);
	if (JSON.stringify(json) !== inOneSpelling)
		throw new EnvelopeMismatch('payloadStr is not in its one form: written out again it differs');
	const unknown = unknownMembers(json, action, dex);
	if (unknown.length > 0) {
		const names = unknown.map(name => clean(name, {maxCells: 40})).join(', ');
		throw new EnvelopeMismatch(`it has members that ${action} on ${dex} does not need: ${names}`);
	}
	const content = payloadContentSchema().safeParse(json);
	if (content.success) return content.data;
	throw new EnvelopeMismatch(`payloadStr lacks ${content.error.issues[0]?.path.join('.') || 'its fields'}`);
}
