import * as z from 'zod';
import {HOLDER_FIGURES} from '../../contract/entry.ts';
import {FIELDS, type FieldKind} from '../../contract/fields.ts';

/* Parts that the JSON documents of several commands have. */

export const ms = z.number().describe('Unix milliseconds');
export const wholeMs = z.number().int().describe('Unix milliseconds');
export const text = z.string();
export const iso = text.describe('ISO 8601, as the service gave it');
export const view = z.enum(['new', 'bonding', 'bonded', 'trending']);

const BY_KIND: Readonly<Record<FieldKind, z.ZodType>> = {
	number: z.number(),
	integer: z.number(),
	usd: z.number().describe('US dollars'),
	percent: z.number().describe('0 to 100'),
	date: ms,
	boolean: z.boolean(),
	text,
};

/** A token: every field is absent when the service did not report it, which is not 0. */
export const TOKEN = {
	key: text.describe('<chain>|<address>, the same for one token everywhere'),
	...Object.fromEntries(FIELDS.map(({name, kind}) => [name, BY_KIND[kind].optional()])),
	chain_id: text,
	address: text,
	exchange: z.strictObject({name: text.optional(), logo: text.optional()}).optional(),
	priceIsAverage: z
		.literal(true)
		.optional()
		.describe('the price of the pool is unknown: it is that of the newest trade'),
	otherSocials: z.record(text, text).optional(),
	security: z.record(text, z.union([text, z.number(), z.boolean()])).optional(),
	twitterRenames: z.array(z.strictObject({username: text, lastChecked: text})).optional(),
	holders: z
		.array(
			z.strictObject({
				address: text,
				...Object.fromEntries(HOLDER_FIGURES.map(name => [name, z.number().optional()])),
				tags: z.array(text),
			}),
		)
		.optional(),
};
export const token = z.strictObject(TOKEN);
export const tokens = z.array(token);

/** The next step after a failure, see errors.ts. */
export const next = z.enum([
	'fix-input',
	'requote',
	'retry-same',
	'retry-later',
	'poll-status',
	'unlock',
	'restart',
	'report',
]);

export const error = z.strictObject({
	code: text.describe('stable, kebab-case'),
	what: text,
	why: text,
	next,
	advice: text,
});
