import {ConfigError} from './config-error.ts';
import {type Kind, type Problem, url} from './kinds.ts';

/** One address, or several in a list where a service has replicas. */
export type AddressList = string | readonly string[];

/** An address of one of the schemes, or a list of them; in a variable they are separated by commas. */
export function addresses(...schemes: readonly string[]): Kind<AddressList> {
	const one = url(...schemes);
	return {
		form: `${one.form}, or a list of them, ["like", "this"]`,
		read: raw => {
			if (!Array.isArray(raw)) return one.read(raw);
			const read = raw.map(one.read);
			if (read.length === 0 || read.includes(undefined)) return undefined;
			return read.length === 1 ? read[0] : Object.freeze(read as string[]);
		},
		problem: raw => addressProblem(raw, one),
	};
}

/**
 * Reads the addresses of a flag that may be repeated, or of a variable; commas separate several in one text.
 * @param name the flag or the variable
 * @throws ConfigError
 */
export function addressesIn(texts: readonly string[], kind: Kind<AddressList>, name: string): AddressList {
	const list = texts.flatMap(text => text.split(',')).map(text => text.trim());
	const raw = list.length === 1 ? list[0] : list;
	const read = kind.read(raw);
	if (read !== undefined) return read;
	const why = kind.problem?.(raw)?.why ?? `it must be ${kind.form}.`;
	throw new ConfigError(`The value of ${name} can't be used`, why[0]!.toUpperCase() + why.slice(1));
}

/** Names a wrong address by its place in the list, and by its host where it has one: the text may hold a password. */
function addressProblem(raw: unknown, one: Kind<string>): Problem | undefined {
	if (!Array.isArray(raw)) return {why: `it must be ${one.form}.`};
	if (raw.length === 0) return {why: 'the list holds no address.'};
	const at = raw.findIndex(item => one.read(item) === undefined);
	const host = typeof raw[at] === 'string' ? URL.parse(raw[at])?.host : undefined;
	return {why: `address ${at + 1} of ${raw.length}${host ? ` (${host})` : ''} must be ${one.form}.`};
}

/** Why stream addresses do not pair with the addresses of the service; undefined where they do. */
export function pairingProblem({
	baseUrl,
	streamUrl,
}: {
	readonly baseUrl?: AddressList | undefined;
	readonly streamUrl?: AddressList | undefined;
}): string | undefined {
	if (baseUrl === undefined || streamUrl === undefined) return undefined;
	const [bases, streams] = [[baseUrl].flat().length, [streamUrl].flat().length];
	if (bases === streams) return undefined;
	return `it has ${streams} address${streams === 1 ? '' : 'es'} and service.base-url has ${bases}: the first belongs to the first, and so on. Without service.stream-url each is the host of its address.`;
}

/** @throws ConfigError for stream addresses that do not pair with the addresses of the service */
export function assertPaired(service: Parameters<typeof pairingProblem>[0]): void {
	const why = pairingProblem(service);
	if (why !== undefined)
		throw new ConfigError("The value of service.stream-url can't be used", why[0]!.toUpperCase() + why.slice(1));
}
