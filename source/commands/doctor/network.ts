import {FOLLOWED_CHAIN_NAMES} from '../../chains/followed-chains.ts';
import type {Config} from '../../config/config.ts';
import type {Environment} from '../../config/settings.ts';
import {ProxyFailed, type ProxySetting, proxyFor} from '../../proxy.ts';
import {readProxy} from '../../proxy-connection.ts';
import type {Finding} from './finding.ts';

const subject = 'network';

/** The proxies on the way to the service and the nodes, by host and port, and the certificates trusted beside Node's own. */
export function networkFindings(
	config: Pick<Config, 'service' | 'follow' | 'rpc' | 'caFile'>,
	env: Environment,
): readonly Finding[] {
	const files = [config.caFile, env['NODE_EXTRA_CA_CERTS']].filter(file => file !== undefined && file !== '');
	const certificates = files.map(
		(file): Finding => ({subject, state: 'good', text: `the certificates in ${file} are trusted`}),
	);
	return [...proxyFindings(config, env), ...certificates];
}

function proxyFindings(config: Parameters<typeof networkFindings>[0], env: Environment): readonly Finding[] {
	const isSet = Object.entries(env).some(([name, value]) => /^(?:https?|all)_proxy$/i.test(name) && value);
	if (!isSet) return [];
	const used = addressesOf(config).flatMap(([name, url]) => {
		const proxy = proxyFor(new URL(url), env);
		return proxy === undefined ? [] : [finding(name, proxy)];
	});
	const none = 'a proxy is set, and no configured address goes through it: they are on this machine or in NO_PROXY';
	return used.length === 0
		? [{subject, state: 'good', text: none}]
		: [...new Map(used.map(one => [one.text, one])).values()];
}

/** The addresses that are connected to, with what they are of. */
function addressesOf({
	service,
	follow,
	rpc,
}: Parameters<typeof networkFindings>[0]): (readonly [name: string, url: string])[] {
	return [
		...[service.baseUrl ?? []].flat().map(url => ['the service', url] as const),
		...[service.streamUrl ?? []].flat().map(url => ['the stream of the service', url] as const),
		...FOLLOWED_CHAIN_NAMES.flatMap(chain =>
			(follow[chain]?.urls ?? []).map(url => [`a node of ${chain}`, url] as const),
		),
		...Object.entries(rpc).map(([chain, url]) => [`the node of ${chain}`, url] as const),
	];
}

function finding(name: string, proxy: ProxySetting): Finding {
	try {
		return {subject, state: 'good', text: `${name} is reached through the proxy ${readProxy(proxy).label}`};
	} catch (error) {
		if (!(error instanceof ProxyFailed)) throw error;
		return {subject, state: 'bad', text: `${name} cannot be reached: ${error.why}`, advice: error.advice};
	}
}
