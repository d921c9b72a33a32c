import {mkdtempSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeKey, ownHostKey, readHostKey} from '../../../source/ssh/host-key.ts';

test('the host key is made once, for its owner alone, and is the same at the next start', () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-'));
	const first = ownHostKey(dataDir);
	expect(first.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
	expect(ownHostKey(dataDir)).toEqual(first);
	const path = join(dataDir, 'ssh', 'host_ed25519');
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readFileSync(path, 'utf8')).toBe(first.text);
});

test('every key that is made can be read', () => {
	for (let at = 0; at < 500; at++) expect(readHostKey(makeKey(), 'x').fingerprint).toMatch(/^SHA256:/);
});

test.each([
	['nothing', ''],
	['a text', 'not a key'],
	['a key with a passphrase', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n'],
])('%s is refused by the name of its file', (_, text) => {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-'));
	ownHostKey(dataDir);
	writeFileSync(join(dataDir, 'ssh', 'host_ed25519'), text);
	expect(() => ownHostKey(dataDir)).toThrow(/^The host key .*host_ed25519 can't be used$/);
});
