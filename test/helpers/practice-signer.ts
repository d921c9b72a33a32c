import {join} from 'node:path';
import {openCaps} from '../../source/trading/caps.ts';
import {openJournal} from '../../source/trading/journal.ts';
import {openKeystore} from '../../source/trading/keystore.ts';
import {createSigner} from '../../source/trading/signer.ts';
import {temporaryDirectory} from './temporary-directory.ts';

/** A locked signer of a new practice wallet, `me`, with its files in `dir` as long as the test. */
export async function practiceSigner(options: {autoLockMs?: number; nowMs?: () => number} = {}) {
	const dir = temporaryDirectory();
	const keystore = openKeystore(dir, 'practice');
	await keystore.create('me');
	const journal = openJournal(join(dir, 'spent.jsonl'), options);
	const caps = openCaps(join(dir, 'caps.json'), {journal, ...options});
	return {dir, keystore, caps, signer: createSigner({keystore, name: 'me', caps, ...options})};
}
