import * as z from 'zod';
import {FIELDS, type Field, type FieldKind} from './fields.ts';
import {once} from './schema.ts';
import {SECURITY_FLAGS} from './security-flags.ts';
import {type EntryPlace, whenUnknown} from './when-unknown.ts';
import {integerText, isoDate, openEnum} from './wire-scalars.ts';

/*
 * Entries field by field (spec 2.1, contract gaps 2), made from the table of fields: for the OpenAPI document and for the
 * contract tests. Nothing parses entries with it while the program runs.
 */

/** Written even when the table of fields gives null for it. */
const REQUIRED_TEXT: ReadonlySet<string> = new Set(['address', 'chainId']);

/** Known to hold large whole numbers as text. */
const RAW_TEXT: ReadonlySet<string> = new Set(['totalFeesPaidNativeRaw', 'approximateReserveTokenRaw']);

const VALUES: Readonly<Record<FieldKind, () => z.ZodType>> = {
	number: () => z.number(),
	integer: () => z.int(),
	usd: () => z.number(),
	percent: () => z.number(),
	date: isoDate,
	boolean: () => z.boolean(),
	text: () => z.string(),
};

function schemaOf(place: EntryPlace, spelling: string, field: Field): z.ZodType {
	const value = RAW_TEXT.has(spelling) ? integerText() : VALUES[field.kind]();
	if (REQUIRED_TEXT.has(spelling)) return value;
	switch (whenUnknown(place, spelling, field.kind)) {
		case 'null':
			return value.nullable();
		case 'left-out':
			return value.optional();
	}
}

type Shape = Record<string, z.ZodType>;

function fieldsAt(place: EntryPlace): Shape {
	return Object.fromEntries(FIELDS.flatMap(field => field[place].map(name => [name, schemaOf(place, name, field)])));
}

const text = () => z.string().nullish();

const exchange = once(() => z.object({name: z.string(), logo: text()}));

const socials = once(() =>
	z.object({
		twitter: text(),
		website: text(),
		telegram: text(),
		others: z.record(z.string(), z.unknown()).nullish(),
		uri: text(),
	}),
);

const FLAG_VALUES = {boolean: () => z.boolean(), number: () => z.number(), text: () => z.string()} as const;

/** Security flags, all optional (contract gaps 2.1). */
const securitySchema = once(() =>
	z.object(Object.fromEntries(SECURITY_FLAGS.map(flag => [flag.name, FLAG_VALUES[flag.kind]().nullish()]))),
);

/** One holder of `holders_list` (contract gaps 2.1). */
const holderSchema = once(() => {
	const amounts = ['balance', 'nativeBalance', 'boughtAmount', 'soldAmount'];
	// Null when a price was unknown.
	const dollars = ['balanceUSD', 'boughtAmountUSD', 'soldAmountUSD', 'realizedPnlUSD', 'unrealizedPnlUSD'];
	const raws = ['balanceRaw', 'nativeBalanceRaw', 'boughtAmountRaw', 'soldAmountRaw'];
	return z.object({
		address: z.string(),
		...(Object.fromEntries(raws.map(name => [name, integerText()])) as Shape),
		...(Object.fromEntries(amounts.map(name => [name, z.number()])) as Shape),
		...(Object.fromEntries(dollars.map(name => [name, z.number().nullable()])) as Shape),
		tags: z.array(z.string()),
		createdAt: isoDate().nullish(),
		updatedAt: isoDate().nullish(),
	});
});

const enhancement = once(() =>
	z.object({
		icon: text(),
		header: text(),
		description: text(),
		links: z.array(z.object({url: z.string(), label: text(), type: text()})),
		isCto: z.boolean(),
		timestamp: z.number().nullable(),
	}),
);

/** The members of entries in both modes besides the fields of the table. */
const shared = once(
	(): Shape => ({
		socials: socials(),
		security: securitySchema().nullable(),
		twitterRenameHistory: z.array(z.object({username: z.string(), last_checked: z.string()})).nullish(),
		holders_list: z.array(holderSchema()),
		priceIsAverage: z
			.literal(true)
			.optional()
			.describe('the price is the average of the newest trade: the pool’s own after it is unknown'),
	}),
);

/** An entry of asset mode: one token, flat. */
export const assetEntrySchema = once(() =>
	z.object({
		...fieldsAt('asset'),
		...shared(),
		id: z.number().nullish(),
		priceTokenString: z.string(),
		originLogoUrl: text(),
		exchange: exchange().nullish(),
		tokenType: openEnum(['2020', '2022']).nullish(),
		screenerBoosted: z.unknown().optional(),
		screenerEnhanced: enhancement()
			.extend({enhanced: z.boolean(), previousEnhancements: z.array(enhancement()).nullish()})
			.nullish(),
	}),
);

/** A token object of a pool. */
export const tokenSchema = once(() =>
	z.object({
		...fieldsAt('token'),
		id: z.number().nullish(),
		priceTokenString: z.string(),
	}),
);

const side = once(() => z.enum(['token0', 'token1']));

/** The pool of a pool-mode entry. */
export const pairSchema = once(() =>
	z.object({
		...fieldsAt('pair'),
		token0: tokenSchema(),
		token1: tokenSchema(),
		volume24h: z.number().optional(),
		baseToken: side(),
		quoteToken: side(),
		exchange: exchange(),
		priceTokenString: z.string().optional(),
		...(Object.fromEntries(
			['athToken0', 'athToken1', 'atlToken0', 'atlToken1'].map(name => [name, z.number().nullish()]),
		) as Shape),
		...(Object.fromEntries(
			['athDateToken0', 'athDateToken1', 'atlDateToken0', 'atlDateToken1'].map(name => [name, isoDate().nullish()]),
		) as Shape),
		extraData: z.record(z.string(), z.unknown()).optional(),
	}),
);

/** An entry of pool mode: `pair`, and its holdings and state again at the root (spec 2.1). */
export const poolEntrySchema = once(() => z.object({...fieldsAt('pool'), ...shared(), pair: pairSchema()}));

/** The schema of an entry. */
export function entrySchema(mode: 'asset' | 'pool'): z.ZodObject {
	return mode === 'asset' ? assetEntrySchema() : poolEntrySchema();
}
