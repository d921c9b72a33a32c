import {expect, test} from 'vitest';
import {createSignatureStore} from '../../../source/service/store/signatures.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';

test('a signature counts once, in any letter case and with a fractional time', async () => {
	const database = openSqlite(undefined);
	try {
		let nowMs = 0;
		const signatures = await createSignatureStore(database, () => nowMs);
		expect(await signatures.use('0xAB', 1000.5)).toBe(true);
		expect(await signatures.use('0xab', 1000.5)).toBe(false);
		nowMs = 2000;
		// Once it could not be used any more it is forgotten, and its time has passed.
		expect(await signatures.use('0xcd', 5000)).toBe(true);
		expect(await database.all('SELECT signature FROM used_signatures')).toEqual([{signature: '0xcd'}]);
		expect(await signatures.use('0xab', 1000.5)).toBe(false);
	} finally {
		await database.close();
	}
});
