import {expect, test} from 'vitest';
import {openDatabase} from '../../../source/service/store/database.ts';
import {createSignatureStore} from '../../../source/service/store/signatures.ts';

test('a signature counts once, in any letter case and with a fractional time', () => {
	const database = openDatabase(undefined);
	try {
		const signatures = createSignatureStore(database);
		expect(signatures.use('0xAB', 1000.5, 0)).toBe(true);
		expect(signatures.use('0xab', 1000.5, 0)).toBe(false);
		// Once it could not be used any more it is forgotten.
		expect(signatures.use('0xab', 5000, 2000)).toBe(true);
	} finally {
		database.close();
	}
});
