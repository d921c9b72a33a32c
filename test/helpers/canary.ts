import {expect} from 'vitest';

/** Every form in which a key or a passphrase could have slipped out. */
function formsOf({key, passphrase}: {readonly key?: string; readonly passphrase?: string}): (Buffer | string)[] {
	const forms: (Buffer | string)[] = [];
	if (key !== undefined) {
		const raw = Buffer.from(key.slice(2), 'hex');
		forms.push(raw, raw.toString('hex'), raw.toString('hex').toUpperCase(), raw.toString('base64'));
		forms.push(raw.toString('base64url'), BigInt(key).toString(), JSON.stringify([...raw]).slice(1, -1));
	}
	if (passphrase !== undefined) {
		const bytes = Buffer.from(passphrase);
		forms.push(bytes, bytes.toString('hex'), bytes.toString('base64'), JSON.stringify(passphrase).slice(1, -1));
	}
	return forms;
}

/**
 * Fails when a key or a passphrase is in any of the places, in any form.
 * @param key `0x` and 64 hex digits
 * @param found something that must be there: a search that finds nothing at all proves nothing
 */
export function expectNowhere(
	places: readonly Buffer[],
	secrets: {readonly key?: string; readonly passphrase?: string},
	found: string,
): void {
	expect(places.some(place => place.includes(found))).toBe(true);
	for (const form of formsOf(secrets)) {
		const leaks = places.filter(place => place.includes(form)).map(place => place.toString('latin1').slice(0, 200));
		expect(leaks).toEqual([]);
	}
}
