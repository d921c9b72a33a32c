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
	/** What the service calls the two exchanges. */
	readonly dexA: string;
	readonly dexB: string;
	/** Fields of answers that the service names otherwise, by neutral name: `vaultAddress` => `safeAddress`. */
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

/** A field of an answer by its neutral name, also when the service names it otherwise. */
export function fieldOfAnswer(answer: Readonly<Record<string, unknown>>, name: string, provider: Provider): unknown {
	if (Object.hasOwn(answer, name)) return answer[name];
	const alias = Object.hasOwn(provider.aliases, name) ? provider.aliases[name] : undefined;
	return alias !== undefined && Object.hasOwn(answer, alias) ? answer[alias] : undefined;
}
