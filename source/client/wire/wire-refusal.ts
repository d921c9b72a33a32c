import {clean} from '../../text.ts';
import {isObject} from './wire-value.ts';

const MAX_LENGTH = 300;
const MAX_PARTS = 5;

/**
 * The error message in a response body, in every form seen (contract gaps 9): `{error}`, `{message}` as text or list,
 * `{statusCode, message, error}`, `{success: false, error}`, `{error: {message}}`, `{errors: [{message}]}`. Empty when there is no message.
 */
export function refusalText(body: unknown, secrets: readonly string[] = []): string {
	const text = findText(body, 0);
	// Where the spec fixes the message, our service has the reason beside it.
	const reason = isObject(body) && typeof body['message'] === 'string' ? body['reason'] : undefined;
	return presentable(typeof reason === 'string' && reason !== '' ? `${text}: ${reason}` : text, secrets);
}

/**
 * Whether the body of a successful response is a refusal (contract gaps 4.2, 10.5): an `error` without `data`, or
 * `success: false`.
 */
export function isRefusal(body: unknown): boolean {
	if (!isObject(body)) return false;
	if (body['success'] === false && !isObject(body['data'])) return true;
	const error = body['error'];
	const hasError = error !== undefined && error !== null && error !== false && error !== '';
	return hasError && body['data'] === undefined && body['payload'] === undefined;
}

/** Text of a service for use in a message of this program: clean, short, without URLs, keys or markup. */
export function presentable(text: string, secrets: readonly string[] = []): string {
	if (text.trimStart().startsWith('<')) return '';
	let safe = text.slice(0, MAX_LENGTH * 4);
	for (const secret of secrets) if (secret.length >= 4) safe = safe.replaceAll(secret, '[key]');
	safe = safe
		.replace(/\b[a-z][a-z0-9+.-]{1,10}:\/\/\S+/gi, '[address]')
		.replace(/\b(api_?key|authorization)\b["']?\s*[=:]\s*(bearer\s+)?\S+/gi, '$1 [hidden]');
	return clean(safe, {maxLength: MAX_LENGTH});
}

function findText(value: unknown, depth: number): string {
	if (typeof value === 'string') return value;
	if (depth > 3) return '';
	if (Array.isArray(value)) {
		const parts = value.slice(0, MAX_PARTS).map(part => findText(part, depth + 1));
		return parts.filter(part => part !== '').join('; ');
	}
	if (!isObject(value)) return '';
	for (const name of ['message', 'error', 'errors', 'reason', 'detail', 'details']) {
		const found = findText(value[name], depth + 1);
		if (found !== '') return found;
	}
	return '';
}
