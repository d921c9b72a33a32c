import {bundleIfStale} from '../../source/tools/bundle.ts';

/** Builds dist/ before the tests that start it, if a source file is newer. */
export async function setup(): Promise<void> {
	await bundleIfStale();
}
