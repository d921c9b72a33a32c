import {join} from 'node:path';
import {reasonOf} from '../errors.ts';
import {isStored} from './store/sqlite-file.ts';

/**
 * The launches that wallets hold since an earlier run, as they were stored, for the market to continue with. Starts no
 * chain, and loads nothing where there is no store.
 * @param log called with a line when the store cannot be read: the market then begins without these tokens
 */
export async function readHeldTokens(
	dataDir: string | undefined,
	log: (line: string) => void,
): Promise<readonly unknown[]> {
	if (dataDir === undefined || !isStored(join(dataDir, 'service.db'))) return [];
	const [{readStored}, {HELD_FACTS, HELD_TABLE}] = await Promise.all([
		import('./store/sqlite.ts'),
		import('./bridge/practice-tokens.ts'),
	]);
	try {
		return readStored(dataDir, HELD_TABLE, HELD_FACTS).map(({facts}) => JSON.parse(String(facts)));
	} catch (error) {
		log(`the tokens that wallets hold could not be read: ${reasonOf(error)}`);
		return [];
	}
}
