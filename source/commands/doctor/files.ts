import {closeSync, existsSync, fsyncSync, globSync, openSync, rmSync, statSync, writeSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Config} from '../../config/config.ts';
import type {Environment} from '../../config/settings.ts';
import {reasonOf} from '../../errors.ts';
import {unreadWords} from '../../monitor/choices.ts';
import {laterWords, readState, type StateReading} from '../../state-file.ts';
import type {Finding} from './finding.ts';

/** Whether the files of the program are private, and the data directory takes a file. */
export function fileFindings({file, dataDir, origins}: Config, env: Environment): readonly Finding[] {
	const holdsKey = origins.get('service.api-key')?.from === 'file';
	return [
		...(file.exists && holdsKey ? [secrecy(file.path, 'the configuration file, which holds a key,')] : []),
		dataDirectory(dataDir),
		...stateFindings(dataDir),
		...(origins.get('service.api-key')?.from === 'flag' && env['PULSETOP_API_KEY'] === undefined
			? [
					{
						subject: 'files',
						state: 'note',
						text: 'the key was given as a flag, which other users of this machine can see',
						advice: 'Put it into PULSETOP_API_KEY, or into the configuration file.',
					} as const,
				]
			: []),
	];
}

function secrecy(path: string, what: string): Finding {
	const isOpen = (statSync(path).mode & 0o077) !== 0;
	return isOpen
		? {subject: 'files', state: 'bad', text: `${what} can be read by others`, advice: `chmod 600 the file.`}
		: {subject: 'files', state: 'good', text: `${what} is private`};
}

/** The files that the program keeps: each that can't be used, and those that were put aside. */
export function stateFindings(dataDir: string): readonly Finding[] {
	const names = globSync(['choices.json', 'trading/*/{caps,pins}.json', '**/*.damaged-*'], {cwd: dataDir});
	const findings = names.toSorted().flatMap((name): Finding[] => {
		if (name.includes('.damaged-')) {
			const text = `${name} could not be read and was put aside`;
			return [{subject: 'files', state: 'note', text, advice: 'Delete it when nothing in it is needed.'}];
		}
		const found = read(join(dataDir, name));
		if (found.kind === 'damaged') {
			const advice = 'Move it away, or put a copy from a backup in its place.';
			return [{subject: 'files', state: 'bad', text: `${name} can't be used: ${found.why}`, advice}];
		}
		const unread = found.kind === 'read' && name === 'choices.json' ? unreadWords(found.document) : '';
		if (unread !== '') {
			const text = `${name} holds what can't be read: ${unread}`;
			return [{subject: 'files', state: 'bad', text, advice: 'Correct these lines, or delete them.'}];
		}
		if (found.kind !== 'later') return [];
		const text = `${laterWords(name, found.version)}: it stays as it is`;
		return [{subject: 'files', state: 'bad', text, advice: 'Use the later pulsetop, or move the file away.'}];
	});
	if (names.length === 0 || findings.length > 0) return findings;
	return [{subject: 'files', state: 'good', text: 'the files that the program keeps can be read'}];
}

function read(path: string): StateReading {
	try {
		return readState(path);
	} catch (error) {
		return {kind: 'damaged', why: reasonOf(error)};
	}
}

/**
 * Whether something can be written to the data directory, or to where it will be made.
 * @param write writes a file to a directory and removes it; throws when it cannot
 */
export function dataDirectory(path: string, write: (directory: string) => void = writeForTrial): Finding {
	let nearest = path;
	while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
	try {
		write(nearest);
	} catch (error) {
		const {code = 'unknown reason'} = error as NodeJS.ErrnoException;
		const {why, advice} = FAILURES[code] ?? {why: code, advice: OTHER_DIRECTORY};
		return {subject: 'files', state: 'bad', text: `nothing can be written to ${path}: ${why}`, advice};
	}
	if (nearest !== path) return {subject: 'files', state: 'good', text: `${path} will be made when it is needed`};
	const {mode} = statSync(path);
	if (process.platform !== 'win32' && (mode & 0o022) !== 0)
		return {
			subject: 'files',
			state: 'bad',
			text: `others can write to ${path}: they could put files of theirs in place of yours`,
			advice: 'Close it with chmod 700, or name another directory with --data-dir.',
		};
	if ((mode & 0o077) === 0) return {subject: 'files', state: 'good', text: `${path} is private (0700)`};
	return {
		subject: 'files',
		state: 'note',
		text: `${path} can be opened by others; its keys and journals are private, file by file`,
		advice: 'chmod 700 closes the directory, too.',
	};
}

const OTHER_DIRECTORY = 'Make it writable, or name another directory with --data-dir.';
const MORE_ROOM = 'Make room: keys, journals and the store of the service are kept there.';
const FAILURES: Readonly<Record<string, {readonly why: string; readonly advice: string}>> = {
	ENOSPC: {why: 'the disk is full', advice: MORE_ROOM},
	EDQUOT: {why: 'your share of the disk is used up', advice: MORE_ROOM},
	EROFS: {why: 'the disk is read-only', advice: OTHER_DIRECTORY},
	EACCES: {why: 'you have no right to', advice: OTHER_DIRECTORY},
	EPERM: {why: 'you have no right to', advice: OTHER_DIRECTORY},
	ENOTDIR: {why: 'it is a file, or lies in one', advice: 'Name another directory with --data-dir.'},
};

const TRIAL_BYTES = 64 * 1024;

/** Writes a file and removes it: rights alone do not show that a disk is full. */
function writeForTrial(directory: string): void {
	const path = join(directory, `.pulsetop-doctor-${process.pid}`);
	const file = openSync(path, 'wx', 0o600);
	try {
		writeSync(file, Buffer.alloc(TRIAL_BYTES));
		// Some file systems find out only now.
		fsyncSync(file);
	} finally {
		closeSync(file);
		rmSync(path, {force: true});
	}
}
