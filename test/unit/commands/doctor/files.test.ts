import {mkdirSync, writeFileSync} from 'node:fs';
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {dataDirectory, stateFindings} from '../../../../source/commands/doctor/files.ts';
import {temporaryDirectory} from '../../../helpers/temporary-directory.ts';

let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'pulsetop-doctor-'));
});
afterAll(async () => rm(directory, {recursive: true}));

test('a data directory that takes a file is good, and keeps none of the trial', async () => {
	expect(dataDirectory(directory)).toMatchObject({state: 'good', text: `${directory} is private (0700)`});
	const later = join(directory, 'later', 'data');
	expect(dataDirectory(later)).toMatchObject({state: 'good', text: `${later} will be made when it is needed`});
	expect(await readdir(directory)).toEqual([]);
});

test('a data directory below a file is bad', async () => {
	const file = join(directory, 'file');
	await writeFile(file, '');
	const path = join(file, 'data');
	expect(dataDirectory(path)).toEqual({
		subject: 'files',
		state: 'bad',
		text: `nothing can be written to ${path}: it is a file, or lies in one`,
		advice: 'Name another directory with --data-dir.',
	});
	await rm(file);
});

test.each([
	['ENOSPC', 'the disk is full'],
	['EROFS', 'the disk is read-only'],
	['EIO', 'EIO'],
])('a data directory that takes no file (%s) is bad, with the reason', (code, why) => {
	const refuse = () => {
		throw Object.assign(new Error('refused'), {code});
	};
	expect(dataDirectory(directory, refuse)).toMatchObject({
		state: 'bad',
		text: `nothing can be written to ${directory}: ${why}`,
	});
});

test('each file that the program keeps and cannot use is named, and those that were put aside', () => {
	const directory = temporaryDirectory();
	expect(stateFindings(directory)).toEqual([]);
	mkdirSync(join(directory, 'trading/real'), {recursive: true});
	writeFileSync(join(directory, 'choices.json'), '{"version": 1}');
	expect(stateFindings(directory)).toMatchObject([{state: 'good'}]);
	writeFileSync(join(directory, 'choices.json'), '{"version": 2}');
	writeFileSync(join(directory, 'trading/real/caps.json'), '');
	writeFileSync(join(directory, 'trading/real/pins.json'), '{"version": 1, "pins":');
	writeFileSync(join(directory, 'service.db.damaged-20261126'), '');
	expect(stateFindings(directory).map(({state, text}) => [state, text])).toEqual([
		['bad', 'choices.json was written by a later pulsetop (version 2 of the file): it stays as it is'],
		['note', 'service.db.damaged-20261126 could not be read and was put aside'],
		['bad', "trading/real/caps.json can't be used: it is empty"],
		['bad', "trading/real/pins.json can't be used: it is cut or was changed by hand"],
	]);
});
