import {beforeEach, expect, test} from 'vitest';
import {ExecuteRefused} from '../../../source/service/bridge/bridge-errors.ts';
import {StoreFailed, StoreUnavailable} from '../../../source/service/store/database.ts';
import {createStoreFaults} from '../../../source/service/store-faults.ts';

let lines: string[];
let nowMs: number;
let report: (during: string, error: unknown) => void;
beforeEach(() => {
	[lines, nowMs] = [[], 0];
	report = createStoreFaults(
		(during, error) => lines.push(`${during}: ${(error as StoreFailed).why}`),
		() => nowMs,
	);
});

const broken = (why = 'a column is missing (42703)', statement = '42703: SELECT nothing') =>
	new StoreFailed(why, {cause: new Error(statement)});

test('a statement that the store refuses is reported with its words, however the failure is wrapped', () => {
	report('GET /a', new ExecuteRefused('not-guaranteed', 'not now', broken()));
	expect(lines).toEqual(['GET /a, 42703: SELECT nothing: a column is missing (42703)']);
});

test('an outage and other failures are not reported', () => {
	report('GET /a', new StoreUnavailable('the connection to the database was lost'));
	report('GET /a', new ExecuteRefused('not-guaranteed', 'not now', new StoreUnavailable('away')));
	report('GET /a', new Error('no node answers'));
	report('GET /a', 'nothing');
	expect(lines).toEqual([]);
});

test('the same reason is reported once in ten minutes, another one and another statement at once', () => {
	for (const during of ['GET /a', 'GET /b', 'GET /a']) report(during, broken());
	report('GET /a', broken('the disk is full (53100)'));
	report('GET /a', broken(undefined, '42703: SELECT other'));
	expect(lines).toHaveLength(3);
	nowMs = 600_000;
	report('GET /a', broken());
	report('GET /a', broken());
	expect(lines).toHaveLength(4);
});

test('it remembers a limited number of reasons', () => {
	for (let n = 0; n < 500; n++) report('GET /a', broken(`reason ${n}`));
	report('GET /a', broken('reason 499'));
	expect(lines).toHaveLength(500);
	report('GET /a', broken('reason 0'));
	expect(lines).toHaveLength(501);
});
