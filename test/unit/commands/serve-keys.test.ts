import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {serviceKeys} from '../../../source/commands/serve-keys.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

test('keys of a file count beside those of the command line; comments and empty lines do not', () => {
	const file = join(temporaryDirectory(), 'keys');
	writeFileSync(file, '# of the team\n first \n\nsecond\n', {mode: 0o600});
	expect(serviceKeys(['given'], file)).toEqual(['given', 'first', 'second']);
	expect(serviceKeys(['given'], undefined)).toEqual(['given']);
});

test('a file that others can read, that has no key, or that is not there is refused by the name of its flag', () => {
	const file = join(temporaryDirectory(), 'keys');
	expect(() => serviceKeys([], file)).toThrow(/--api-key-file cannot be read/);
	writeFileSync(file, '# none\n', {mode: 0o600});
	expect(() => serviceKeys([], file)).toThrow(/--api-key-file has no key/);
	writeFileSync(file, 'key\n');
	chmodSync(file, 0o640);
	expect(() => serviceKeys([], file)).toThrow(/--api-key-file can be read by others/);
});
