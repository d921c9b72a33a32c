import {PulsetopError} from '../../errors.ts';

/** Webhooks belong to an API key, and none is configured. */
export class KeyMissing extends PulsetopError {
	readonly code = 'key-missing';

	constructor() {
		super('There is no API key', {
			why: 'webhooks belong to a key: give one with PULSETOP_API_KEY, --api-key or in the configuration',
			next: 'fix-input',
			advice: 'Restart pulsetop with one.',
		});
	}
}

/** The end of a key: enough to distinguish keys, useless to an onlooker. */
export function maskedKey(key: string): string {
	return key.length < 12 ? '****' : `****${key.slice(-4)}`;
}

/** The URL of a webhook without user, query and fragment, which may hold secrets. */
export function maskedUrl(text: string): string {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		return 'an address that cannot be read';
	}
	const user = url.username === '' && url.password === '' ? '' : '****@';
	return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === '' ? '' : '?****'}`;
}
