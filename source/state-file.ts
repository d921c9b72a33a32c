import {readFileSync, renameSync} from 'node:fs';
import {rename, writeFile} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {PulsetopError} from './errors.ts';
import {makeDirectory} from './make-directory.ts';

/*
 * The files that the program keeps for its next start: JSON with a `version`. None is lost in silence: an unreadable file is put
 * aside, and a file of a later version is never written over.
 */

/** How a file of the program was found. */
export type StateReading =
	| {readonly kind: 'missing'}
	| {readonly kind: 'read'; readonly document: Readonly<Record<string, unknown>>}
	/** Written by a later version of the program. */
	| {readonly kind: 'later'; readonly document: Readonly<Record<string, unknown>>; readonly version: number}
	/** @param why part of a sentence */
	| {readonly kind: 'damaged'; readonly why: string};

/** A file of a later version would have been written over. */
class LaterStateFile extends PulsetopError {
	readonly code = 'state-of-later-version';

	constructor(path: string, version: number) {
		super(`${basename(path)} was not written`, {why: laterWords(path, version), next: 'fix-input'});
	}
}

/** Says that a later program wrote a file. */
export function laterWords(path: string, version: number): string {
	return `${basename(path)} was written by a later pulsetop (version ${version} of the file)`;
}

/**
 * Reads a file of the program. A file without `version` is of the first one.
 * @param version the newest that this program knows
 * @throws the errors of the file system, but for a missing file
 */
export function readState(path: string, version = 1): StateReading {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {kind: 'missing'};
		throw error;
	}
	if (text.trim() === '') return {kind: 'damaged', why: 'it is empty'};
	if (text.includes('\0')) return {kind: 'damaged', why: 'it has bytes without meaning'};
	let document: unknown;
	try {
		document = JSON.parse(text);
	} catch {
		return {kind: 'damaged', why: 'it is cut or was changed by hand'};
	}
	if (typeof document !== 'object' || document === null || Array.isArray(document))
		return {kind: 'damaged', why: 'it is no list of settings'};
	const own = document as Readonly<Record<string, unknown>>;
	const {version: found = 1} = own;
	if (typeof found !== 'number') return {kind: 'damaged', why: 'its version is no number'};
	return found > version ? {kind: 'later', document: own, version: found} : {kind: 'read', document: own};
}

/**
 * Writes a file of the program, whole or not at all, for its owner alone: a new file takes the place of the old one. Members of the
 * old file that the new one does not name stay as they are.
 * @param document with its `version`
 * @throws LaterStateFile when a later program wrote the file meanwhile; the errors of the file system
 */
export async function writeState(
	path: string,
	document: Readonly<Record<string, unknown>> & {readonly version: number},
): Promise<void> {
	const before = readState(path, document.version);
	if (before.kind === 'later') throw new LaterStateFile(path, before.version);
	const kept = before.kind === 'read' ? Object.entries(before.document).filter(([name]) => !(name in document)) : [];
	makeDirectory(dirname(path));
	await writeFile(`${path}.new`, JSON.stringify({...document, ...Object.fromEntries(kept)}, null, '\t'), {mode: 0o600});
	await rename(`${path}.new`, path);
}

/** Renames a file that can't be used, beside its place. @returns its new name; undefined when it could not be renamed */
export function putAside(path: string): string | undefined {
	const aside = `${path}.damaged-${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}`;
	try {
		renameSync(path, aside);
		return basename(aside);
	} catch {
		return undefined;
	}
}
