import {mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fileProblem} from '../../source/file-problem.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const problemOf = (work: () => unknown): string => {
	try {
		work();
	} catch (error) {
		return fileProblem(error);
	}
	return expect.fail('it worked');
};

test('what the system refuses is said in words, without its code', () => {
	const root = temporaryDirectory();
	const file = join(root, 'file');
	const loop = join(root, 'loop');
	writeFileSync(file, '');
	symlinkSync(loop, loop);
	expect(problemOf(() => readFileSync(join(root, 'none')))).toBe('there is no such file or directory');
	expect(problemOf(() => readFileSync(join(file, 'below')))).toBe('a part of its path is a file');
	expect(problemOf(() => readFileSync(root))).toBe('it is a directory');
	expect(problemOf(() => openSync(file, 'wx'))).toBe('there is such a file already');
	expect(problemOf(() => mkdirSync(file))).toBe('there is such a file already');
	expect(problemOf(() => readFileSync(loop))).toBe('its links lead in a circle');
	expect(problemOf(() => readFileSync(join(root, 'x'.repeat(300))))).toBe('its name is too long');
});

test('any other failure is said as it came', () => {
	expect(fileProblem(new Error('it holds no certificate'))).toBe('it holds no certificate');
	expect(fileProblem(Object.assign(new Error('incorrect header check'), {code: 'Z_DATA_ERROR'}))).toBe(
		'incorrect header check',
	);
	expect(fileProblem('odd')).toBe('odd');
});
