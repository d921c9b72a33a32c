import {InvalidResponse, type Sent, ServiceUnreachable} from './service-errors.ts';

const REASONS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at its address',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ENOTFOUND: 'its name is not known',
	EAI_AGAIN: 'its name could not be looked up',
	EHOSTUNREACH: 'there is no way to it',
	ENETUNREACH: 'there is no network',
	ETIMEDOUT: 'it did not take the connection',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
	EPROTO: 'it does not speak TLS',
};

/** Translates an error of the connection into a PulsetopError. */
export function connectionError(error: unknown, sent: Sent): ServiceUnreachable | InvalidResponse {
	const code = findCode(error);
	if (code.startsWith('HPE_')) return new InvalidResponse('it is not HTTP', {cause: error});
	return new ServiceUnreachable(
		REASONS[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`),
		{
			sent,
			cause: error,
		},
	);
}

/** The code of an error; of the first one in an AggregateError, which holds one for each address that was tried. */
function findCode(error: unknown): string {
	if (error instanceof AggregateError && error.errors.length > 0) return findCode(error.errors[0]);
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
