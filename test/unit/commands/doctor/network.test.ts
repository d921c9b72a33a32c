import {expect, test} from 'vitest';
import {networkFindings} from '../../../../source/commands/doctor/network.ts';
import {loadConfig} from '../../../../source/config/config.ts';
import type {Environment} from '../../../../source/config/settings.ts';

const HOME = {HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere'};

async function found(env: Environment, flags: Record<string, string> = {}): Promise<readonly string[]> {
	const config = await loadConfig({flags, env: {...HOME, ...env}});
	return networkFindings(config, env).map(({state, text}) => `${state}: ${text}`);
}

test('nothing is said of proxies and certificates where there are none', async () => {
	expect(await found({PULSETOP_BASE_URL: 'https://service.test'})).toEqual([]);
});

test('the proxy to the service and to each node is named by host and port, without its password', async () => {
	const env = {
		PULSETOP_BASE_URL: 'https://service.test',
		PULSETOP_FOLLOW: 'base=wss://node.test/key bnb=http://10.0.0.1:8545',
		HTTPS_PROXY: 'http://user:s3cret@proxy.test:3128',
		all_proxy: 'http://other.test:8080',
	};
	expect(await found(env)).toEqual([
		'good: the service is reached through the proxy proxy.test:3128 (HTTPS_PROXY)',
		'good: a node of base is reached through the proxy proxy.test:3128 (HTTPS_PROXY)',
		'good: a node of bnb is reached through the proxy other.test:8080 (all_proxy)',
	]);
	expect(await found({...env, NO_PROXY: 'node.test,10.0.0.0/8'})).toEqual([
		'good: the service is reached through the proxy proxy.test:3128 (HTTPS_PROXY)',
	]);
});

test('a proxy that leads to nothing configured is said to be unused', async () => {
	expect(await found({ALL_PROXY: 'socks5://proxy.test'})).toEqual([
		'good: a proxy is set, and no configured address goes through it: they are on this machine or in NO_PROXY',
	]);
});

test('a proxy that cannot be used is bad', async () => {
	expect(
		await found({PULSETOP_BASE_URL: 'https://service.test', ALL_PROXY: 'socks5://user:s3cret@proxy.test'}),
	).toEqual(['bad: the service cannot be reached: ALL_PROXY names a SOCKS proxy, which is not supported']);
});

test('files of certificates are named, from a flag, the environment, and that of Node', async () => {
	expect(await found({NODE_EXTRA_CA_CERTS: '/etc/node.pem'}, {'ca-file': '/etc/company.pem'})).toEqual([
		'good: the certificates in /etc/company.pem are trusted',
		'good: the certificates in /etc/node.pem are trusted',
	]);
	expect(await found({PULSETOP_CA_FILE: '/etc/company.pem'})).toEqual([
		'good: the certificates in /etc/company.pem are trusted',
	]);
});
