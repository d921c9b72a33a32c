import {expect, test} from 'vitest';
import {createSignatureStore} from '../../../source/service/store/signatures.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';

test('a signature counts once, in any letter case and with a fractional time', async () => {
	const database = openSqlite(undefined);
	try {
		const signatures = await createSignatureStore(database);
		expect(await signatures.use('0xAB', 1000.5, 0)).toBe(true);
		expect(await signatures.use('0xab', 1000.5, 0)).toBe(false);
		// Once it could not be used any more it is forgotten.
		expect(await signatures.use('0xab', 5000, 2000)).toBe(true);
	} finally {
		await database.close();
	}
});
