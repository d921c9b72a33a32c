import {expect, test} from 'vitest';
import {proxyFor} from '../../source/proxy.ts';
import {proxyRefused, readProxy} from '../../source/proxy-connection.ts';

const variableFor = (address: string, env: Record<string, string>) => proxyFor(new URL(address), env)?.variable;
const P = 'http://proxy.test:3128';

test.each([
	['http://a.test', {HTTP_PROXY: P, HTTPS_PROXY: P}, 'HTTP_PROXY'],
	['ws://a.test', {HTTP_PROXY: P, HTTPS_PROXY: P}, 'HTTP_PROXY'],
	['https://a.test', {HTTP_PROXY: P, HTTPS_PROXY: P}, 'HTTPS_PROXY'],
	['wss://a.test', {HTTP_PROXY: P, HTTPS_PROXY: P}, 'HTTPS_PROXY'],
	['https://a.test', {https_proxy: P, HTTPS_PROXY: P}, 'https_proxy'],
	['http://a.test', {http_proxy: P, HTTP_PROXY: P}, 'http_proxy'],
	['https://a.test', {https_proxy: '', HTTPS_PROXY: P}, 'HTTPS_PROXY'],
	['https://a.test', {ALL_PROXY: P}, 'ALL_PROXY'],
	['ws://a.test', {ALL_PROXY: P, all_proxy: P}, 'all_proxy'],
	['https://a.test', {HTTPS_PROXY: P, all_proxy: P}, 'HTTPS_PROXY'],
	['https://a.test', {HTTP_PROXY: P}, undefined],
	['wss://a.test', {}, undefined],
])('%s with %j goes by %s', (address, env, variable) => {
	expect(variableFor(address, env)).toBe(variable);
});

test.each([
	'http://localhost:1',
	'https://LOCALHOST',
	'ws://localhost.',
	'ws://127.0.0.1:8545',
	'http://127.1',
	'https://127.255.0.3',
	'wss://[::1]:4010',
	'http://[::ffff:127.0.0.1]',
	'http://a.localhost',
])('%s is loopback and never goes through a proxy', address => {
	expect(variableFor(address, {ALL_PROXY: P})).toBeUndefined();
});

test.each([
	['example.com', 'https://example.com', true],
	['example.com', 'https://a.b.example.com', true],
	['example.com', 'https://notexample.com', false],
	['example.com', 'https://example.com.evil.test', false],
	['.example.com', 'https://a.example.com', true],
	['*.example.com', 'https://a.example.com', true],
	['EXAMPLE.com.', 'https://example.COM.', true],
	['one.test, two.test', 'https://two.test', true],
	['one.test two.test', 'wss://two.test', true],
	['*', 'https://anything.test', true],
	['a.test,*', 'http://10.1.2.3', true],
	['example.com:8443', 'https://example.com:8443', true],
	['example.com:8443', 'https://example.com', false],
	['example.com:443', 'wss://example.com', true],
	['example.com:80', 'ws://example.com', true],
	['10.1.2.3', 'http://10.1.2.3:8545', true],
	['10.1.2.3:8545', 'http://10.1.2.3:8545', true],
	['10.1.2.3:8545', 'http://10.1.2.3:8546', false],
	['10.1.2', 'http://10.1.2.3', false],
	['10.0.0.0/8', 'http://10.200.0.1', true],
	['10.0.0.0/8', 'http://11.0.0.1', false],
	['10.0.0.0/8', 'http://10.example.com', false],
	['10.0.0.0/33', 'http://10.0.0.1', false],
	['10.0.0.0/8/8', 'http://10.0.0.1', false],
	['fd00::/8', 'http://[fd12::1]', true],
	['fd12::1', 'http://[fd12:0::1]:80', true],
	['[fd12::1]:80', 'http://[fd12::1]', true],
	['[fd12::1]:81', 'http://[fd12::1]', false],
	['fd00::/8', 'http://[fe80::1]', false],
	['', 'https://example.com', false],
	[',, .', 'https://example.com', false],
])('NO_PROXY "%s" leaves out %s: %s', (no_proxy, address, isDirect) => {
	expect(variableFor(address, {ALL_PROXY: P, no_proxy})).toBe(isDirect ? undefined : 'ALL_PROXY');
	expect(variableFor(address, {ALL_PROXY: P, NO_PROXY: no_proxy})).toBe(isDirect ? undefined : 'ALL_PROXY');
});

test('no_proxy goes before NO_PROXY', () => {
	const env = {ALL_PROXY: P, no_proxy: 'a.test', NO_PROXY: 'b.test'};
	expect([variableFor('https://a.test', env), variableFor('https://b.test', env)]).toEqual([undefined, 'ALL_PROXY']);
});

test.each([
	['http://proxy.test:3128', 'proxy.test:3128'],
	['proxy.test:3128', 'proxy.test:3128'],
	['user:s3cret@proxy.test:3128', 'proxy.test:3128'],
	['http://user:s3cret@proxy.test/', 'proxy.test:80'],
	['https://proxy.test', 'proxy.test:443'],
	['socks-and-shoes.test:3128', 'socks-and-shoes.test:3128'],
	['http://[fd12::1]:3128', '[fd12::1]:3128'],
])('a proxy given as %s is named %s', (value, host) => {
	expect(readProxy({variable: 'HTTPS_PROXY', value}).label).toBe(`${host} (HTTPS_PROXY)`);
});

test.each([
	'socks5://user:s3cret@proxy.test:1080',
	'socks5h://s3cret',
	'SOCKS4://s3cret',
	'ftp://user:s3cret@proxy.test',
	'http://user:s3cret@',
	'http://',
	'user:s3c://ret@proxy.test',
	'http://user:s3cret@proxy.test:99999',
	'http://proxy.test/s3cret',
	'http://proxy.test?s3cret',
	'http://user:s3cret%@proxy.test',
	's3cret s3cret',
])('a proxy that is given as %s is refused with the name of its variable and without its value', value => {
	const read = () => readProxy({variable: 'all_proxy', value});
	expect(read).toThrow(expect.objectContaining({code: 'proxy-failed', why: expect.stringContaining('all_proxy')}));
	expect(read).toThrow(
		expect.objectContaining({why: expect.not.stringMatching(/s3c/), advice: expect.not.stringMatching(/s3c/)}),
	);
});

test.each([
	[407, 'http://proxy.test:3128', /needs a user name and password in HTTPS_PROXY \(status 407\)/],
	[407, 'http://user:s3cret@proxy.test:3128', /refused the user name and password in HTTPS_PROXY \(status 407\)/],
	[403, P, /refused to connect to the address \(status 403\)/],
	[502, P, /could not reach the address \(status 502\)/],
])('status %i of a proxy says what to do', (status, value, why) => {
	const failed = proxyRefused({variable: 'HTTPS_PROXY', value}, status);
	expect(failed.why).toMatch(why);
	expect(failed.why).toContain('proxy.test:3128');
	expect(failed.advice).toMatch(status === 407 ? /HTTPS_PROXY/ : /NO_PROXY/);
	expect(failed.why + failed.advice).not.toContain('s3cret');
});
