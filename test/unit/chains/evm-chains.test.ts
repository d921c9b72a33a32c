import {isAddress} from 'viem/utils';
import {describe, expect, test} from 'vitest';
import {CHAINS, evmChainNumber} from '../../../source/chains/chains.ts';
import {EVM_CHAINS, findEvmChain} from '../../../source/chains/evm-chains.ts';
import {exchangeContracts} from '../../../source/chains/pool-factories.ts';
import {chainName} from '../../../source/service/market/chains.ts';
import {chainIdOf, systemMetadataOf} from '../../../source/service/metadata/system-metadata.ts';

/** The fields of a chain whose texts are addresses, by the text of the whole chain. */
const addressesIn = (facts: unknown): readonly string[] => JSON.stringify(facts).match(/0x[0-9a-fA-F]*/g) ?? [];

describe.each(CHAINS.map(chain => [chain.name, chain] as const))('%s', (_name, chain) => {
	test('has addresses with a checksum, each written once', () => {
		const addresses = addressesIn({...chain, quotes: chain.quotes?.map(({address, price}) => [address, price])});
		expect(addresses.filter(address => !isAddress(address))).toEqual([]);
		const coins = chain.quotes?.map(({address}) => address) ?? [];
		expect(new Set(coins).size).toBe(coins.length);
	});

	test('has a name, a tag of four letters and words that no other chain has', () => {
		expect(chain.short).toMatch(/^[A-Z]{2,4}$/);
		const others = CHAINS.filter(other => other !== chain).flatMap(({id, name, words}) => [id, name, ...words]);
		expect([chain.id, chain.name, ...chain.words].filter(word => others.includes(word))).toEqual([]);
	});

	test('quotes the coin that wraps its own first, and prices no coin in a circle', () => {
		const [wrapped, ...others] = chain.quotes ?? [];
		if (wrapped === undefined) return expect(chain.follow).toBeUndefined();
		expect(wrapped.decimals).toBe(chain.coin.decimals);
		expect(wrapped.name).toBe(`Wrapped ${chain.id === 'solana:solana' ? 'SOL' : chain.coin.name}`);
		for (const {price} of others) {
			if (price?.kind !== 'pool') continue;
			expect(chain.quotes?.find(({address}) => address === price.in)?.price?.kind).toMatch(/^(dollar|chainlink)$/);
		}
	});
});

test.each(EVM_CHAINS.map(chain => [chain.name, chain] as const))(
	'%s is followed by lower-case addresses',
	(_name, chain) => {
		expect(evmChainNumber(chain.id)).toBe(chain.number);
		expect(chain.quotes[0]?.address).toBe(chain.native.wrapped);
		const addresses = addressesIn(chain);
		expect(addresses.filter(address => !/^0x[0-9a-f]{40}$/.test(address))).toEqual([]);
		expect(chain.quotes.some(({price}) => price?.kind === 'dollar')).toBe(true);
	},
);

test('an exchange has its contracts by chain number, in lower case', () => {
	expect(exchangeContracts('v2', 'QuickSwap V2')).toEqual({137: ['0x5757371414417b8c6caad45baef941abc7d3ab32']});
	expect(() => exchangeContracts('v3', 'QuickSwap V2')).toThrow(RangeError);
});

test('a chain is found by number, id and name', () => {
	const bnb = EVM_CHAINS.find(({number}) => number === 56);
	expect([findEvmChain(56), findEvmChain('evm:56'), findEvmChain('bnb')]).toEqual([bnb, bnb, bnb]);
	expect(findEvmChain('evm:5')).toBeUndefined();
});

test.each(EVM_CHAINS.map(({id}) => id))('a service that follows %s has its name and explorer', id => {
	const {name, apiName = name, explorer} = CHAINS.find(chain => chain.id === id)!;
	expect(chainName(id)).toBe(apiName);
	expect(chainIdOf(apiName)).toBe(id);
	const [listed, ...others] = systemMetadataOf({factories: [], chainIds: [id]}).chains;
	expect(others).toEqual([]);
	expect(listed).toMatchObject({id, name: apiName});
	expect(listed?.blockExplorers?.default.url).toBe(explorer?.origin);
});
