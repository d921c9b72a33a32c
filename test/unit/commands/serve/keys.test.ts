import {dirname, join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {serviceKeys} from '../../../../source/commands/serve/keys.ts';
import {temporaryDirectory, temporaryFile} from '../../../helpers/temporary-directory.ts';

test('keys of a file count beside those of the command line; comments and empty lines do not', () => {
	const file = temporaryFile('# of the team\n first \n\nsecond\n');
	expect(serviceKeys(['given'], file)).toEqual(['given', 'first', 'second']);
	expect(serviceKeys(['given'], undefined)).toEqual(['given']);
});

test('a file that others can read, that has no key, or that is not there is refused by the name of its flag', () => {
	const withFile = (file: string) => () => serviceKeys([], file);
	expect(withFile(join(temporaryDirectory(), 'keys'))).toThrow(/--api-key-file cannot be read/);
	expect(withFile(temporaryFile('# none\n'))).toThrow(/--api-key-file has no key/);
	expect(withFile(temporaryFile('key\n', 0o640))).toThrow(/--api-key-file can be read by others/);
});

test('a file that systemd made for the service may be read by its group, as newer versions show it, and by nobody else', () => {
	const [shown, open] = [temporaryFile('key\n', 0o440), temporaryFile('key\n', 0o444)];
	try {
		vi.stubEnv('CREDENTIALS_DIRECTORY', dirname(open));
		expect(() => serviceKeys([], open)).toThrow(/can be read by others/);
		expect(() => serviceKeys([], shown)).toThrow(/can be read by others/);
		vi.stubEnv('CREDENTIALS_DIRECTORY', dirname(shown));
		expect(serviceKeys([], shown)).toEqual(['key']);
	} finally {
		vi.unstubAllEnvs();
	}
});
