import type {Dex} from './perp.ts';

/**
 * Names in which hosted providers differ (design, "Providers differ in names"). The spec's neutral ones are the default;
 * the section `provider` of the configuration has this form.
 */
export interface Provider {
	/** Name in the EIP-712 domain of the batch. */
	readonly domainName: string;
	/** Version in the EIP-712 domain of the batch. */
	readonly domainVersion: string;
	/** The service's names of the two exchanges. */
	readonly dexA: string;
	readonly dexB: string;
	/** Fields that the service names otherwise, by neutral name: `vaultAddress` => `safeAddress`, `holders_count` => `owners`. */
	readonly aliases: Readonly<Record<string, string>>;
}

export const NEUTRAL_PROVIDER: Provider = Object.freeze({
	domainName: 'ServiceBatchExecutor',
	domainVersion: '1',
	dexA: 'dexA',
	dexB: 'dexB',
	aliases: Object.freeze({}),
});

/** The exchange as the service calls it. */
export function dexToWire(dex: Dex, provider: Provider = NEUTRAL_PROVIDER): string {
	return provider[dex];
}

/** The exchange that the service means, or undefined for one that is not known here. */
export function dexFromWire(name: string, provider: Provider = NEUTRAL_PROVIDER): Dex | undefined {
	return name === provider.dexA ? 'dexA' : name === provider.dexB ? 'dexB' : undefined;
}

/** Fields of responses to money calls that services may name differently, besides the fields of tokens (fields.ts). */
export const ALIASED_ANSWERS = ['vaultAddress'] as const;

/** The response with neutral names instead of those of the service, at its root and in its `data`. */
export function withNeutralNames(response: unknown, aliases: Readonly<Record<string, string>>): unknown {
	if (!isTable(response)) return response;
	const named = renamed(response, aliases);
	return isTable(named['data']) ? {...named, data: renamed(named['data'], aliases)} : named;
}

type Table = Readonly<Record<string, unknown>>;

function isTable(value: unknown): value is Table {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name of the service beside the neutral one stays: a schema without such a member refuses it. */
function renamed(table: Table, aliases: Readonly<Record<string, string>>): Table {
	const missing = Object.entries(aliases).filter(
		([name, alias]) => !Object.hasOwn(table, name) && Object.hasOwn(table, alias),
	);
	if (missing.length === 0) return table;
	const others = Object.entries(table).filter(([name]) => !missing.some(([, alias]) => alias === name));
	return Object.fromEntries([...others, ...missing.map(([name, alias]) => [name, table[alias]])]);
}
