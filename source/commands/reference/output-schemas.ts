import * as z from 'zod';
import {SETTINGS, settingsIn} from '../../config/settings.ts';
import {FIELDS, type FieldKind} from '../../contract/fields.ts';
import {FOLLOW_SCHEMAS} from '../follow/schemas.ts';
import {MARKET_SCHEMAS} from '../prediction/schemas.ts';
import {EXIT_CODES} from '../process/exit-code.ts';
import {MONEY_SCHEMAS} from '../trading/schemas.ts';
import {WEBHOOK_SCHEMAS} from '../webhook/schemas.ts';

/*
 * The JSON output of the commands. The schemas are strict: a member that they do not name is not printed, so programs can
 * rely on them. A breaking change gets a new number behind the name.
 */

const ms = z.number().describe('Unix milliseconds');
const text = z.string();

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
const TOKEN = {
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
				balance: z.number(),
				balanceUSD: z.number().optional(),
				boughtAmount: z.number(),
				boughtAmountUSD: z.number().optional(),
				soldAmount: z.number(),
				soldAmountUSD: z.number().optional(),
				realizedPnlUSD: z.number().optional(),
				unrealizedPnlUSD: z.number().optional(),
				tags: z.array(text),
			}),
		)
		.optional(),
};
const token = z.strictObject(TOKEN);
const tokens = z.array(token);
const view = z.enum(['new', 'bonding', 'bonded', 'trending']);

const error = z.strictObject({
	code: text.describe('stable, kebab-case'),
	what: text,
	why: text,
	next: z.enum(['fix-input', 'requote', 'retry-same', 'retry-later', 'poll-status', 'unlock', 'restart', 'report']),
	advice: text,
});

const entity = z.strictObject({
	name: text.optional(),
	type: text.optional(),
	description: text.optional(),
	labels: z.array(text),
	logo: text.optional(),
	twitter: text.optional(),
	website: text.optional(),
	github: text.optional(),
	discord: text.optional(),
	telegram: text.optional(),
});

const wallet = z.strictObject({
	address: text.describe('as requested'),
	labels: z.array(text).describe('sniper, insider, bundler, proTrader, ...'),
	entity: entity.optional(),
	platform: z.strictObject({id: text.optional(), name: text.optional(), logo: text.optional()}).optional(),
	funding: z
		.strictObject({
			from: text.optional(),
			fromTag: text.optional(),
			fromEntity: entity.optional(),
			date: ms.optional(),
			chainId: text.optional(),
			txHash: text.optional(),
			amount: z.number().optional(),
			currency: z
				.strictObject({
					symbol: text.optional(),
					name: text.optional(),
					decimals: z.number().optional(),
					address: text.optional(),
				})
				.optional(),
		})
		.optional(),
	atMs: ms,
});

const total = z.number().int().nullable().describe('how many tokens match; null when the service does not say');

/** The JSON output of each command, by the name that `pulsetop schema` takes. */
export const OUTPUT_SCHEMAS = {
	feed: z.strictObject({
		schema: z.literal('pulsetop.feed/1'),
		atMs: ms.describe("the service's time"),
		views: z.partialRecord(view, z.strictObject({total, tokens})),
	}),
	'feed-line': z.strictObject({view, ...TOKEN}).describe('a line of `feed --format jsonl`'),
	'feed-follow': z
		.discriminatedUnion('type', [
			z
				.strictObject({type: z.literal('snapshot'), view, atMs: ms, tokens})
				.describe('replaces what was known of the view'),
			z.strictObject({
				type: z.literal('change'),
				view,
				atMs: ms,
				upserts: tokens.describe('new or changed, complete'),
				removed: z.array(text).describe('keys'),
			}),
			z.strictObject({type: z.literal('total'), view, atMs: ms, total: z.number().int()}),
			z.strictObject({type: z.literal('problem'), view: view.optional(), atMs: ms, error}),
			z
				.strictObject({
					type: z.literal('resumed'),
					atMs: ms,
					movedTo: text.optional().describe('the address that serves now, of several'),
					recovered: z.boolean().optional().describe('whether all that happened meanwhile was in the lines before'),
					gapMs: z.number().optional().describe('from the last data before to the full views after'),
				})
				.describe('the stream is back after a loss'),
		])
		.describe('a line of `feed --follow`'),
	watch: z
		.strictObject({
			atMs: ms.describe("the service's time"),
			view,
			rule: text,
			token,
			buy: text
				.optional()
				.describe(
					'the command that reviews a buy of the token and signs nothing, where it can be bought; no alert runs it',
				),
		})
		.describe('a line of `watch --json`'),
	record: z.strictObject({
		schema: z.literal('pulsetop.record/1'),
		file: text,
		fromMs: ms,
		toMs: ms,
		views: z.array(view),
		events: z.number().int().describe('lines between the first and the last'),
		bytes: z.number().int(),
	}),
	token: z.strictObject({schema: z.literal('pulsetop.token/1'), tokens}),
	labels: z.strictObject({
		schema: z.literal('pulsetop.labels/1'),
		token: text.optional().describe('what the labels are relative to'),
		wallets: z.array(wallet),
	}),
	sparkline: z.strictObject({
		schema: z.literal('pulsetop.sparkline/1'),
		asset: text,
		blockchain: text.optional(),
		timeFrame: text.optional(),
		points: z.array(z.number()).min(2).describe('at even steps in time, oldest first'),
		min: z.number(),
		max: z.number(),
		last: z.number(),
		unit: z.enum(['usd', 'relative']),
		span: z
			.strictObject({fromMs: z.number(), toMs: z.number()})
			.optional()
			.describe('times of the first and the last point, Unix ms, where the service gives them'),
	}),
	doctor: z.strictObject({
		schema: z.literal('pulsetop.doctor/1'),
		findings: z.array(
			z.strictObject({
				subject: z.enum(['program', 'configuration', 'files', 'terminal', 'network', 'service', 'chains', 'money']),
				state: z.enum(['good', 'note', 'bad']),
				words: text,
				advice: text.optional(),
			}),
		),
	}),
	'config-show': z.strictObject({
		schema: z.literal('pulsetop.config-show/1'),
		file: z.strictObject({path: text, exists: z.boolean()}),
		settings: z.array(
			z.strictObject({
				path: z.enum([...settingsIn(SETTINGS)].map(([path]) => path)),
				value: z.unknown().optional().describe('absent when it is not set; "(set)" for a key'),
				origin: z.strictObject({from: z.enum(['flag', 'env', 'file', 'default']), name: text}),
			}),
		),
	}),
	'config-validate': z.strictObject({
		schema: z.literal('pulsetop.config-validate/1'),
		path: text,
		problems: z.array(error),
	}),
	...MONEY_SCHEMAS,
	...MARKET_SCHEMAS,
	...WEBHOOK_SCHEMAS,
	...FOLLOW_SCHEMAS,
	error: z.strictObject({error}).describe(
		`on stderr when a command fails; exit codes: ${Object.entries(EXIT_CODES)
			.map(([code, meaning]) => `${code} ${meaning}`)
			.join(', ')}`,
	),
} as const;

export type OutputName = keyof typeof OUTPUT_SCHEMAS;
