import {PulsetopError} from './errors.ts';
import {isLoopback} from './loopback.ts';

/*
 * Which addresses are reached through a proxy. The rules are those of curl (its manual, "Environment"), and loopback is always
 * direct. How a connection through a proxy is made is in proxy-connection.ts,
 * which is loaded with the first such connection.
 */

/** A proxy as a variable of the environment names it. */
export interface ProxySetting {
	/** The name of the variable as it is spelled in the environment: `https_proxy`. */
	readonly variable: string;
	/** Its value, unchecked. The value may hold a password and is never shown. */
	readonly value: string;
}

/** A proxy that is named wrongly, cannot be reached, or refuses. Names the variable and the proxy's host, never its password. */
export class ProxyFailed extends PulsetopError {
	readonly code = 'proxy-failed';

	constructor(
		why: string,
		{advice, next = 'fix-input', cause}: {advice: string; next?: 'fix-input' | 'retry-later'; cause?: unknown},
	) {
		super('The proxy cannot be used', {why, next, advice, cause});
	}
}

const ALL_VARIABLES = ['all_proxy', 'ALL_PROXY'];
const HTTP_VARIABLES = ['http_proxy', 'HTTP_PROXY', ...ALL_VARIABLES];
const HTTPS_VARIABLES = ['https_proxy', 'HTTPS_PROXY', ...ALL_VARIABLES];

/**
 * The proxy for an address by HTTP_PROXY (http, ws), HTTPS_PROXY (https, wss), ALL_PROXY and NO_PROXY, in lower case first;
 * undefined for a direct connection. Whether the variable names a usable proxy is only known when it is connected to.
 */
export function proxyFor(
	{protocol, hostname, port}: URL,
	env: Readonly<Record<string, string | undefined>> = process.env,
): ProxySetting | undefined {
	const isSecure = protocol === 'https:' || protocol === 'wss:';
	const names = isSecure ? HTTPS_VARIABLES : HTTP_VARIABLES;
	const variable = names.find(name => env[name]);
	if (variable === undefined) return undefined;
	const host = hostname.replace(/^\[|\]$|\.$/g, '');
	const isDirect =
		isLoopback(host) ||
		host.endsWith('.localhost') ||
		// IPv4 loopback as an address of IPv6.
		/^::ffff:7f[\da-f]{2}:/.test(host) ||
		(env['no_proxy'] || env['NO_PROXY'] || '')
			.toLowerCase()
			.split(/[\s,]+/)
			.some(entry => matches(entry, host, port || (isSecure ? '443' : '80')));
	return isDirect ? undefined : {variable, value: env[variable]!.trim()};
}

/** @param entry one of NO_PROXY: `*`, a name with its subdomains, an IP address or range, each but `*` with a port if wanted */
function matches(entry: string, host: string, port: string): boolean {
	if (entry === '*') return true;
	const withPort = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? /^([^:]*):(\d+)$/.exec(entry);
	const [, name = entry, wantedPort = port] = withPort ?? [];
	if (wantedPort !== port) return false;
	if (process.getBuiltinModule('node:net').isIP(host) !== 0) return isInRange(host, name);
	const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
	return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** @param range `10.0.0.0/8`, `fd00::/8` or one address */
function isInRange(address: string, range: string): boolean {
	const {BlockList, isIP} = process.getBuiltinModule('node:net');
	const [first = '', bits = isIP(first) === 4 ? '32' : '128', ...rest] = range.split('/');
	if (isIP(first) === 0 || rest.length > 0 || !/^\d+$/.test(bits) || Number(bits) > (isIP(first) === 4 ? 32 : 128)) {
		return false;
	}
	const list = new BlockList();
	list.addSubnet(first, Number(bits), isIP(first) === 4 ? 'ipv4' : 'ipv6');
	return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
