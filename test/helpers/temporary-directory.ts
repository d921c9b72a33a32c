import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

/** A directory that lives as long as the test. */
export function temporaryDirectory(): string {
	const path = mkdtempSync(join(tmpdir(), 'pulsetop-trading-'));
	onTestFinished(() => rmSync(path, {recursive: true, force: true}));
	return path;
}
