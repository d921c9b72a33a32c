import {expect, test} from 'vitest';
import {logFailuresOnce} from '../../../source/service/log-failures-once.ts';
import {StoreFailed} from '../../../source/service/store/database.ts';

test('each reason of the store is logged with its facts, once until it changes or the action succeeds', async () => {
	const lines: string[] = [];
	const attempt = logFailuresOnce(why => lines.push(why));
	const fail = (why: string) => attempt(() => Promise.reject(new StoreFailed(why)));
	await fail('away');
	await fail('away');
	await fail('a column is missing');
	await attempt(async () => {});
	await fail('a column is missing');
	expect(lines).toEqual([
		'The service could not use its store: away',
		'The service could not use its store: a column is missing',
		'The service could not use its store: a column is missing',
	]);
});
