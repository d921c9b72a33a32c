import {expect, test} from 'vitest';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {explorerPage} from '../../../../source/monitor/links/explorers.ts';
import {checkUrl, urlText} from '../../../../source/monitor/links/safe-url.ts';
import {tokenLinks} from '../../../../source/monitor/links/token-links.ts';
import {developer} from '../../../../source/ui/features/developer/developer.ts';
import {watchlist} from '../../../../source/ui/features/watchlist/watchlist.ts';
import {shellWord, tokenCommand} from '../../../../source/ui/shell-commands.ts';
import {entryOf} from '../../../helpers/entries.ts';

test.each([
	'javascript:alert(1)',
	'data:text/html,<script>',
	'file:///etc/passwd',
	'ssh://host',
	'https://user:secret@example.com/',
	'https://example.com@evil.example/',
	'https://example.com/a\u001b]8;;x',
	'https://example.com/a b',
	'https://exam\nple.com/',
	'https:\\\\example.com',
	'--help',
	'',
	`https://example.com/${'x'.repeat(3000)}`,
])('%j is never opened', text => expect(checkUrl(text)).toMatchObject({ok: false, why: expect.any(String)}));

test.each([
	['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d', 'example.com'],
	['HTTP://Example.com', 'http://example.com/', 'example.com'],
	// Cyrillic а and р look like their Latin twins: the reader gets the host name that is really requested.
	['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
	['https://2130706433:8080/', 'https://127.0.0.1:8080/', '127.0.0.1:8080'],
])('%s is opened as %s, and its host is shown', (text, href, host) => {
	expect(checkUrl(text)).toEqual({ok: true, href, host});
});

test.each([
	['https://example.com/', 'example.com'],
	['https://example.com/a/?b#c', 'example.com/a/?b#c'],
	['http://example.com:8080/a', 'http://example.com:8080/a'],
	// The host is in the scheme, too.
	['https://s/a', 's/a'],
	['https://http/a', 'http/a'],
])('%s is shown as %s', (text, shown) => {
	const url = checkUrl(text);
	expect(url.ok && urlText(url)).toBe(shown);
});

test('an address of 2048 characters is opened, a longer one is not', () => {
	const of = (length: number) => `https://example.com/${'x'.repeat(length - 20)}`;
	expect([checkUrl(of(2048)).ok, checkUrl(of(2049)).ok]).toEqual([true, false]);
});

test('a token has its own pages, those of its chain’s explorer, and a search', () => {
	const address = '0x00000000000000000000000000000000000000a1';
	const deployer = '0x00000000000000000000000000000000000000d1';
	const entry = entryOf(
		address,
		{website: 'https://pepe.example', deployer, otherSocials: {Medium: 'javascript:1'}},
		'evm:8453',
	);
	expect(tokenLinks(entry).map(({name, url}) => [name, url.ok ? url.href : url.why])).toEqual([
		['website', 'https://pepe.example/'],
		['Medium', 'javascript: is not opened'],
		['token', `https://basescan.org/token/${address}`],
		['developer', `https://basescan.org/address/${deployer}`],
		['posts on X', `https://x.com/search?f=live&q=${address}`],
	]);
});

test('explorer pages are made of known chains and of addresses alone', () => {
	const wallet = 'HAkr6LDenxZLwWuQb278CYApMmgECxj3WtSHfAqoboop';
	expect(explorerPage('solana:solana', 'address', wallet)).toBe(`https://solscan.io/account/${wallet}`);
	expect(explorerPage('evm:999999', 'token', wallet)).toBeUndefined();
	expect(explorerPage('evm:1', 'token', '../../login?next=//evil.example')).toBeUndefined();
});

test('what goes into a shell command is quoted', () => {
	expect(tokenCommand({address: '0xa1', chain_id: 'evm:8453'})).toBe('pulsetop token 0xa1 --chain base');
	expect(tokenCommand({address: "a'; rm -rf ~ #", chain_id: 'evm:1'})).toBe(
		"pulsetop token 'a'\\''; rm -rf ~ #' --chain ethereum",
	);
	expect(shellWord('$(x)')).toBe("'$(x)'");
});

test('the lists of tokens name the command that prints them: by deployer, and by the addresses that are pinned', () => {
	const deployer = '0x00000000000000000000000000000000000000d1';
	const service = {label: 'x', embedded: true};
	const monitor = initialState({size: {columns: 80, rows: 24}, nowMs: 0, service, theme: 'dark'});
	const of = {deployer, key: 'evm:1|0xa1', symbol: 'PEPE'};
	const {screen: deployed} = developer;
	const {screen: pinned} = watchlist;
	const order = ['evm:1|0xa1', 'solana:solana|So1'];
	expect(deployed.command({...deployed.initial, of}, monitor)).toBe(`pulsetop feed --filter deployer:${deployer}`);
	expect(pinned.command({...pinned.initial, order}, monitor)).toBe(
		"pulsetop feed --filter 'address:0xa1 | address:So1'",
	);
	expect(deployed.command(deployed.initial, monitor)).toBeUndefined();
	expect(pinned.command(pinned.initial, monitor)).toBeUndefined();
});
