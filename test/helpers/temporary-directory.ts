import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

/** A directory that lives as long as the test. */
export function temporaryDirectory(): string {
	const path = mkdtempSync(join(tmpdir(), 'pulsetop-trading-'));
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}

/** Path of a file that lives as long as the test. @param mode its permissions; default: its owner alone reads it */
export function temporaryFile(text: string | Uint8Array, mode = 0o600): string {
	const path = join(temporaryDirectory(), 'file');
	writeFileSync(path, text);
	chmodSync(path, mode);
	return path;
}
