import {Agent, type buildConnector, type Dispatcher} from 'undici';
import {getOrInsert} from '../get-or-insert.ts';
import {proxyFor} from '../proxy.ts';
import {connectorThrough} from '../proxy-connector.ts';

/** Requests of undici over kept connections, through the proxy of the environment where one is set for an address. */
export interface ProxiedAgent {
	/** @throws ProxyFailed; errors of undici */
	request(url: URL, options: RequestOptions): Promise<Dispatcher.ResponseData>;
	destroy(): Promise<void>;
}

type RequestOptions = Pick<Dispatcher.RequestOptions, 'method' | 'body' | 'signal'> & {
	readonly headers: Readonly<Record<string, string>>;
};

/** @param options of undici's Agent, the same for connections with and without a proxy */
export function createProxiedAgent(options: Agent.Options): ProxiedAgent {
	const direct = new Agent(options);
	/** By origin. */
	const proxied = new Map<string, Agent>();
	return {
		async request(url, request) {
			const proxy = proxyFor(url);
			const target = {origin: url.origin, path: url.pathname + url.search};
			if (proxy === undefined) return direct.request({...target, ...request});
			const agent = getOrInsert(
				proxied,
				url.origin,
				() => new Agent({...options, connect: connectorThrough(proxy, url) as buildConnector.connector}),
			);
			if (url.protocol === 'https:') return agent.request({...target, ...request});
			const {forwarded, proxyRefused} = await import('../proxy-connection.ts');
			const {path, headers} = forwarded(proxy, url);
			const response = await agent.request({...target, path, ...request, headers: {...request.headers, ...headers}});
			if (response.statusCode !== 407) return response;
			response.body.on('error', () => {}).destroy();
			throw proxyRefused(proxy, 407);
		},
		async destroy() {
			await Promise.all([direct, ...proxied.values()].map(agent => agent.destroy()));
		},
	};
}
