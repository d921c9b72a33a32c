import {describe, expect, test} from 'vitest';
import {CHAINS} from '../../../source/chains/chains.ts';
import {FOLLOWED_CHAIN_NAMES, FOLLOWED_CHAINS, followedChainName} from '../../../source/chains/followed-chains.ts';
import {placeOf} from '../../../source/commands/trading/place.ts';
import {nodesIn} from '../../../source/config/follow-nodes.ts';
import {readScopePart} from '../../../source/monitor/columns/scope.ts';
import {resolveChain} from '../../../source/monitor/filter/chain-words.ts';
import {parseFilterLine} from '../../../source/monitor/filter/filter-line.ts';

/** Every way to write each chain that has a name here: its words, what rows and pages show, in any case, and its id. */
const WRITTEN = CHAINS.flatMap(({id, name, short, words}) => {
	const shown = [short, name.replaceAll(' ', '-')];
	const texts = [...words, ...shown].flatMap(text => [text, text.toUpperCase(), text.toLowerCase()]);
	return [...new Set([...texts, id])].map(text => [text, id] as const);
});

describe.each(WRITTEN)('%s is %s', (text, id) => {
	test('in a filter, in what all columns are narrowed to and as a place of money', () => {
		expect(resolveChain(text)).toEqual({id});
		const line = parseFilterLine(`chain:${text.includes(':') ? `"${text}"` : text}`);
		expect(JSON.stringify(line)).toContain(JSON.stringify(id));
		expect(readScopePart(text, 'chains')).toEqual({ok: true, listed: [id]});
		if (id.startsWith('evm:')) expect(placeOf(`${text}:usdc`, 'from')).toEqual({chainId: id, token: 'usdc'});
	});

	test('where chains are followed', () => {
		const name = FOLLOWED_CHAIN_NAMES.find(one => FOLLOWED_CHAINS[one] === id);
		expect(followedChainName(text)).toBe(name);
		if (name !== undefined && name !== 'solana' && !text.includes(':'))
			expect(nodesIn([`${text}=wss://node.example`], name, '--follow')).toBeDefined();
	});
});

test('a name with blanks is that of its chain', () => {
	expect(resolveChain('Robinhood Chain')).toEqual({id: 'evm:4663'});
	expect(followedChainName('Robinhood Chain')).toBe('robinhood');
	expect(followedChainName('BNB Smart Chain')).toBe('bnb');
});
