import {readFileSync} from 'node:fs';
import {fileProblem} from '../../file-problem.ts';
import {isLoopback} from '../../loopback.ts';
import {MIN_CONNECTIONS, placeOf, STORE_CONNECTIONS, type StoreAddress} from '../../service/store/store-address.ts';
import {urlText} from '../../url-text.ts';
import {UsageError} from '../line/usage-error.ts';
import {readSecretFile} from './secret-file.ts';

const FORM = 'write postgres://USER@HOST/DATABASE';

/** The modes of TLS by the names that PostgreSQL has for them. Those that silently do without it are left out. */
const MODES: Readonly<Record<string, StoreAddress['tls']>> = {
	disable: 'off',
	require: 'encrypt',
	'verify-full': 'verify',
};
const SETTINGS: ReadonlySet<string> = new Set(['sslmode', 'sslrootcert', 'host', 'connections']);

const MAX_CONNECTIONS = 100;

/**
 * Reads where the database of the replicas is: from `--store`, or else from PULSETOP_STORE.
 * @param given the flags' values
 * @param env where alone the url may hold a password, and PULSETOP_STORE_PASSWORD is one
 * @returns undefined when none is given: the service has a store of its own
 * @throws UsageError that names what is wrong and repeats no value
 */
export function storeAddress(
	given: {readonly store: string | undefined; readonly passwordFile: string | undefined},
	env: Readonly<Record<string, string | undefined>>,
): StoreAddress | undefined {
	const text = given.store ?? (env['PULSETOP_STORE'] || undefined);
	if (text === undefined) {
		if (given.passwordFile === undefined) return undefined;
		throw new UsageError('--store-password-file needs --store', 'there is no database to use it for');
	}
	const name = given.store === undefined ? 'PULSETOP_STORE' : '--store';
	const url = URL.parse(withHost(urlText(text) ?? ''));
	if (url === null) throw new UsageError(`${name} is not as it should be`, FORM);
	if (given.store !== undefined && (url.password !== '' || url.searchParams.has('password')))
		throw new UsageError(
			'--store has a password in it, which every user of this machine could read',
			'leave it out, and put it into a file of mode 600 for --store-password-file, or into PULSETOP_STORE_PASSWORD',
		);
	const place = placeOf(url.href);
	if (place === undefined) throw new UsageError(`${name} is not as it should be`, FORM);
	const unknown = [...url.searchParams.keys()].find(key => !SETTINGS.has(key));
	if (unknown !== undefined)
		throw new UsageError(`${name} has a setting that is not known`, `known are ${[...SETTINGS].join(', ')}`);
	const isHere = place.path !== undefined || isLoopback(place.host);
	const tls = tlsOf(name, url.searchParams.get('sslmode') ?? (isHere ? 'disable' : 'verify-full'));
	return {
		url: withoutSecrets(url),
		password: passwordOf(name, url, given.passwordFile, env),
		tls,
		connections: connectionsOf(name, url.searchParams.get('connections')),
		ca: authoritiesOf(name, url.searchParams.get('sslrootcert'), tls),
	};
}

/** `postgres://USER@/DATABASE?host=/FOLDER`, as PostgreSQL's own programs take it, has no host before the slash. */
function withHost(text: string): string {
	return text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost');
}

function withoutSecrets(url: URL): string {
	const clean = new URL(url.href);
	clean.password = '';
	const folder = clean.searchParams.get('host');
	clean.search = folder === null ? '' : `?host=${encodeURIComponent(folder)}`;
	clean.hash = '';
	return clean.href;
}

function tlsOf(name: string, mode: string): StoreAddress['tls'] {
	const tls = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
	if (tls !== undefined) return tls;
	throw new UsageError(`${name} has an sslmode that can't be used`, `it is one of ${Object.keys(MODES).join(', ')}`);
}

function connectionsOf(name: string, text: string | null): number | undefined {
	if (text === null) return undefined;
	const connections = Number(text);
	if (/^\d+$/.test(text) && connections >= MIN_CONNECTIONS && connections <= MAX_CONNECTIONS) return connections;
	throw new UsageError(
		`${name} has a number of connections that can't be used`,
		`it is a whole number from ${MIN_CONNECTIONS} to ${MAX_CONNECTIONS}: connections=${STORE_CONNECTIONS}`,
	);
}

function authoritiesOf(name: string, file: string | null, tls: StoreAddress['tls']): string | undefined {
	if (file === null || file === 'system') return undefined;
	if (tls !== 'verify')
		throw new UsageError(`${name} has an sslrootcert without sslmode=verify-full`, 'nothing would be checked with it');
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		throw new UsageError(`The sslrootcert of ${name} cannot be read`, `${fileProblem(error)}.`);
	}
	if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
	throw new UsageError(`The sslrootcert of ${name} has no certificate in it`, 'it must be a file in PEM form');
}

function passwordOf(
	name: string,
	url: URL,
	file: string | undefined,
	env: Readonly<Record<string, string | undefined>>,
): string | undefined {
	if (file !== undefined) {
		const text = readSecretFile('--store-password-file', file);
		if (text === '') throw new UsageError('--store-password-file has no password in it', 'the file is empty');
		return seen(text, '--store-password-file');
	}
	const given = env['PULSETOP_STORE_PASSWORD']?.trim();
	if (given) return seen(given, 'PULSETOP_STORE_PASSWORD');
	if (url.password === '') return undefined;
	try {
		return decodeURIComponent(url.password);
	} catch {
		throw new UsageError(`${name} is not as it should be`, 'a % in its password is written %25');
	}
}

/** @throws UsageError for a password with a character that nobody sees, which a copy or an editor left */
function seen(password: string, from: string): string {
	if (!/[\p{Cc}\p{Cf}]/u.test(password)) return password;
	throw new UsageError(
		`The password of ${from} can't be used`,
		'It has a line break, a control or a zero-width character in it.',
	);
}
