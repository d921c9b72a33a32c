import {isOutOfDescriptors} from './system-limits.ts';

const CUT = 'the connection was cut';

/** The meaning of a failed connection, by the code or the name that Node, undici, ws and the parser of HTTP give it. */
const WORDS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at its address',
	ECONNRESET: CUT,
	ECONNABORTED: CUT,
	EPIPE: CUT,
	ERR_STREAM_PREMATURE_CLOSE: CUT,
	UND_ERR_SOCKET: CUT,
	ENOTFOUND: 'its name is not known',
	ENODATA: 'its name is not known',
	EAI_AGAIN: 'its name could not be looked up',
	EHOSTUNREACH: 'there is no way to it',
	EHOSTDOWN: 'there is no way to it',
	ENETUNREACH: 'there is no network',
	ENETDOWN: 'there is no network',
	EADDRNOTAVAIL: 'this machine has no address or port left for the connection',
	EMFILE: 'this program has no file descriptors left (ulimit -n)',
	ENFILE: 'this machine has no file descriptors left',
	ENOBUFS: 'this machine has no memory left for the connection',
	ENOMEM: 'this machine has no memory left for the connection',
	EACCES: 'this machine does not allow the connection',
	EPERM: 'this machine does not allow the connection',
	ETIMEDOUT: 'it did not take the connection in time',
	UND_ERR_CONNECT_TIMEOUT: 'it did not take the connection in time',
	TimeoutError: 'no answer came in time',
	UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
	UND_ERR_BODY_TIMEOUT: 'its answer did not come to an end in time',
	AbortError: 'the request was ended here',
	ABORT_ERR: 'the request was ended here',
	UND_ERR_ABORTED: 'the request was ended here',
	UND_ERR_DESTROYED: 'the connection was closed here',
	UND_ERR_CLOSED: 'the connection was closed here',
	UND_ERR_HEADERS_OVERFLOW: 'the head of its answer is too long',
	UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is too long',
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer has another length than it says',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong',
	CERT_REVOKED: 'its certificate was revoked',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an issuer that this machine does not trust',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an issuer that this machine does not trust',
	UNABLE_TO_GET_ISSUER_CERT: 'its certificate is of an issuer that this machine does not trust',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an issuer that this machine does not trust',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
	EPROTO: 'it does not speak TLS',
	HTTPParserError: 'it is not HTTP',
	WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'its message is too long',
};

const FAMILIES: readonly (readonly [RegExp, string])[] = [
	[/^HPE_/, 'it is not HTTP'],
	[/^ERR_SSL_|^ERR_TLS_/, 'it does not speak TLS as this program does'],
	[/^WS_ERR_/, 'it broke the rules of web sockets'],
	[/^EAI_/, 'its name could not be looked up'],
	[/^CERT_|_CERT_|^UNABLE_TO_/, 'its certificate cannot be checked'],
];

/**
 * The code of a failure, through its wrappers: the first of several attempts, the cause of an error of a library. An exception of
 * the DOM has a number for its code, so its name counts.
 * @returns empty where nothing names it
 */
export function connectionCode(error: unknown, depth = 0): string {
	if (!(error instanceof Error) || depth > 4) return '';
	if (error instanceof AggregateError && error.errors.length > 0) return connectionCode(error.errors[0], depth + 1);
	const {code, name, cause} = error as {code?: unknown; name: string; cause?: unknown};
	// A time limit ends a request by its signal, and is the cause.
	if (name === 'AbortError' && cause instanceof Error) return connectionCode(cause, depth + 1) || 'AbortError';
	if (typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code)) return code;
	if (name in WORDS) return name;
	return connectionCode(cause, depth + 1);
}

/** A failed connection in words that follow a subject: `nothing listens at its address`. */
export function connectionWords(error: unknown): string {
	const code = connectionCode(error);
	// The other end may be in this process, and drops a connection that it has no descriptor for.
	if (WORDS[code] === CUT && isOutOfDescriptors()) return WORDS['EMFILE']!;
	const words = WORDS[code] ?? FAMILIES.find(([codes]) => codes.test(code))?.[1];
	return words ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
}

/** Why a server could not listen: `port 8080 is already in use`. */
export function listenWords(error: unknown, port: number): string {
	const code = connectionCode(error);
	if (code === 'EADDRINUSE') return `port ${port} is already in use`;
	if (code === 'EACCES') return `port ${port} is not permitted to this user`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'the host is not an address of this machine';
	return connectionWords(error);
}

/** Checks after a failed connection, where waiting alone does not help. */
const ADVICE: readonly (readonly [codes: RegExp, advice: string])[] = [
	[/^ECONNREFUSED$/, 'Check the address and its port, and whether the service runs.'],
	[/^ENOTFOUND$|^ENODATA$/, 'Check the name in the address.'],
	[
		/^EPROTO$|_WRONG_VERSION_NUMBER$|_PACKET_LENGTH_/,
		'Check whether the address should begin with http:// in place of https://.',
	],
	[/^HPE_|^HTTPParserError$/, 'Check the address and its port: something other than the service answers there.'],
	[/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Check the name in the address.'],
	[/SELF_SIGNED|^UNABLE_TO_/, 'If you trust the service, name a file with the certificate of its issuer: --ca-file.'],
];

/** The check after a failed connection, in a sentence; undefined where only time helps. */
export function connectionAdvice(error: unknown): string | undefined {
	const code = connectionCode(error);
	return ADVICE.find(([codes]) => codes.test(code))?.[1];
}
