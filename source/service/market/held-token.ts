import * as z from 'zod';
import {isEvmAddress} from '../../address.ts';
import {entryKey} from '../../contract/entry.ts';
import {once} from '../../contract/schema.ts';
import {LAUNCHPADS, type Launchpad} from './chains.ts';
import type {Profile} from './events.ts';

/**
 * A token that wallets from outside the simulation may hold: what a later run of the market needs to go on with it.
 * Plain JSON; amounts in whole units, times in Unix ms.
 */
export interface HeldToken {
	/** See entryKey. */
	readonly key: string;
	readonly chainId: string;
	readonly address: string;
	/** Type of the first pool, which names the launchpad of the chain. */
	readonly launchpad: string;
	readonly symbol: string | null;
	readonly name: string | null;
	readonly deployer: string;
	/** Whether the feed reports the supply, and the holders. */
	readonly isSupplyReported: boolean;
	readonly holdersReported: boolean;
	/** With the security flags. */
	readonly profile: Profile;
	readonly launchMs: number;
	/** Address of the first pool, and what was in it; a curve opens without money. */
	readonly pool: string;
	readonly openingToken: number;
	readonly openingQuote: number;
	/** Set when the token has left its curve. */
	readonly bonded: {readonly pool: string; readonly timeMs: number} | null;
	readonly isRugged: boolean;
	readonly reserveToken: number;
	readonly reserveQuote: number;
	/** Tokens that the curve can still sell; null for a pool. */
	readonly left: number | null;
	/** US dollars for one quote coin at `atMs`. */
	readonly quoteUSD: number;
	/** How fast the crowd trades it, see Plan. */
	readonly fate: 'dud' | 'short' | 'runner' | 'graduate';
	readonly pace: number;
	readonly paceFadesS: number;
	readonly popularS: number;
	/** The wallets from outside, and since when they hold. */
	readonly holders: readonly {readonly wallet: string; readonly tokens: number; readonly sinceMs: number}[];
	/** Trades from outside in the token's life. */
	readonly epoch: number;
	/** When these facts were true. */
	readonly atMs: number;
}

/** The launchpad of a held token; undefined when the market no longer has it. */
export function launchpadOf({chainId, launchpad}: Pick<HeldToken, 'chainId' | 'launchpad'>): Launchpad | undefined {
	return LAUNCHPADS.find(pad => pad.chainId === chainId && pad.type === launchpad);
}

/** Reads stored facts; a text says why they cannot be used. */
export function readHeldToken(stored: unknown): HeldToken | string {
	const result = heldTokenSchema().safeParse(stored);
	if (!result.success) {
		const {path, message} = result.error.issues[0]!;
		return `${path.join('.') || 'the row'}: ${message}`;
	}
	// The schema's optional fields have no undefined in them: JSON has none.
	const held = result.data as HeldToken;
	const pad = launchpadOf(held);
	if (!pad) return `launchpad: ${held.chainId} has no launchpad with pools of this type`;
	if (held.key !== entryKey(held.chainId, held.address)) return 'key: it is not that of the address';
	if (held.left !== null && (!pad.curve || held.bonded)) return 'left: the token has no curve';
	if (held.left === null && pad.curve && !held.bonded) return 'left: the curve needs it';
	if (held.left !== null && held.left > pad.curve!.sale) return 'left: it is more than the curve sells';
	return held;
}

/** Far beyond what a plan has. A pace without a limit would let a token trade for ever in one millisecond. */
const FASTEST_PACE = 10;
const LONGEST_S = 1e7;

const heldTokenSchema = once(() => {
	const evmAddress = z.string().refine(isEvmAddress, 'it is not an address');
	const amount = z.number().min(1e-18).max(1e30);
	const time = z.number().int().positive();
	const text = z.string().nullable();
	const flag = z.boolean().nullable();
	const profile = z.object({
		description: text.optional(),
		logo: text.optional(),
		uri: text.optional(),
		twitter: text.optional(),
		website: text.optional(),
		telegram: text.optional(),
		otherSocials: z.object({showName: z.boolean(), createdOn: z.string()}).nullable().optional(),
		twitterRenames: z.array(z.object({username: z.string(), lastCheckedMs: z.number()})).optional(),
		tokenType: z.enum(['2020', '2022']).nullable().optional(),
		screener: z
			.object({
				listed: z.boolean(),
				header: text,
				adPaid: z.boolean(),
				boosted: z.number(),
				description: text,
				isCto: z.boolean(),
				timeMs: z.number(),
			})
			.nullable()
			.optional(),
		live: z
			.object({status: z.enum(['live', 'live_end']), thumbnail: text, title: text, replies: z.number()})
			.nullable()
			.optional(),
		security: z
			.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
			.nullable()
			.optional(),
		securityScore: z.number().nullable().optional(),
		isSpam: flag.optional(),
		launchFlags: z.object({mayhem: flag, cashback: flag, agent: flag, og: flag}).nullable().optional(),
	});
	return z.object({
		key: z.string(),
		chainId: z.string(),
		address: evmAddress,
		launchpad: z.string(),
		symbol: text,
		name: text,
		deployer: evmAddress,
		isSupplyReported: z.boolean(),
		holdersReported: z.boolean(),
		profile,
		launchMs: time,
		pool: z.string().min(1),
		openingToken: amount,
		openingQuote: z.number().nonnegative().max(1e30),
		bonded: z.object({pool: z.string().min(1), timeMs: time}).nullable(),
		isRugged: z.boolean(),
		reserveToken: amount,
		reserveQuote: amount,
		left: z.number().nonnegative().nullable(),
		quoteUSD: amount,
		fate: z.enum(['dud', 'short', 'runner', 'graduate']),
		pace: z.number().nonnegative().max(FASTEST_PACE),
		paceFadesS: amount.max(LONGEST_S),
		popularS: z.number().nonnegative().max(LONGEST_S),
		holders: z.array(z.object({wallet: evmAddress, tokens: amount, sinceMs: time})),
		epoch: z.number().int().nonnegative(),
		atMs: time,
	});
});
