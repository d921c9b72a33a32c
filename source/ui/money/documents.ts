import {join} from 'node:path';
import {PulsetopError} from '../../errors.ts';
import {clean} from '../../text.ts';
import {writePrivateFile} from '../../trading/private-files.ts';
import {jsonText} from './json-text.ts';
import type {MoneyKind} from './money-state.ts';

/** The disk did not take a document. */
class NotWritten extends PulsetopError {
	readonly code = 'not-written';

	constructor(cause: unknown) {
		super('The document could not be written', {
			why: cause instanceof Error ? clean(cause.message) : 'the disk refused it',
			next: 'retry-later',
			cause,
		});
	}
}

/**
 * Writes an unsigned document where only its owner can read it (0600), as the JSON that the raw view shows.
 * @param directory is made, closed to others, if it is not there
 * @returns the path of the file
 * @throws NotWritten
 */
export function writeDocument(directory: string, kind: MoneyKind, document: object, nowMs: number): string {
	const time = new Date(nowMs).toISOString().replace(/[-:.]/g, '');
	const path = join(directory, `${kind === 'predictionAccount' ? 'account' : kind}-unsigned-${time}.json`);
	try {
		writePrivateFile(path, `${jsonText(document)}\n`);
	} catch (error) {
		throw new NotWritten(error);
	}
	return path;
}
