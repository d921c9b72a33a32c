import {expect, test} from 'vitest';
import {describeEnd, readUserCommands} from '../../../source/monitor/user-commands.ts';

const GOOD = {key: 'f2', run: ['open', '{address}']};

test('a command with all its settings, and with those that it needs', () => {
	const {commands, problems} = readUserCommands({
		explorer: {...GOOD, help: 'Open it.', confirm: true, danger: true},
		b: {...GOOD, run: ['a', '']},
	});
	expect(problems).toEqual([]);
	expect(commands.get('explorer')).toEqual({
		name: 'explorer',
		...GOOD,
		help: 'Open it.',
		confirm: true,
		danger: true,
	});
	expect(commands.get('b')).toMatchObject({help: 'Run a.', confirm: false, danger: false});
});

test.each([
	['x'.repeat(25), GOOD, 'A name begins with a letter'],
	['1x', GOOD, 'A name begins with a letter'],
	['a', {...GOOD, kee: 1}, 'The nearest is "key".'],
	['a', {...GOOD, zzzzzz: 1}, 'Known: key, run, help, confirm, danger.'],
	['a', {run: GOOD.run}, 'It needs a key'],
	['a', {...GOOD, key: ''}, 'It must be one key'],
	['a', {...GOOD, key: 5}, 'It must be one key'],
	['a', {key: 'f2'}, 'It needs a program'],
	['a', {...GOOD, run: []}, 'a program and its arguments'],
	['a', {...GOOD, run: ['', 'x']}, 'a program and its arguments'],
	['a', {...GOOD, run: 'open'}, 'a program and its arguments'],
	['a', {...GOOD, run: ['open', 5]}, 'a program and its arguments'],
	['a', {...GOOD, run: ['op\0en']}, 'a program and its arguments'],
	['a', {...GOOD, help: ''}, 'It must be text in quotes.'],
	['a', {...GOOD, help: 5}, 'It must be text in quotes.'],
	['a', {...GOOD, confirm: 'yes'}, 'It must be true or false.'],
	['a', {...GOOD, danger: 1}, 'It must be true or false.'],
])('the command %s with %j is refused: %s', (name, table, why) => {
	const {commands, problems} = readUserCommands({[name]: table});
	expect(commands.size).toBe(0);
	expect(problems).toHaveLength(1);
	expect(problems[0]!.why).toContain(why);
});

test.each([
	[{kind: 'ended', code: 0, lastLine: ''}, 'x is done.', 'good'],
	[{kind: 'ended', code: 0, lastLine: 'ok'}, 'x is done: ok', 'good'],
	[{kind: 'ended', code: 3, lastLine: 'no'}, 'x failed with exit code 3: no', 'bad'],
	[{kind: 'stopped', signal: 'SIGKILL', lastLine: ''}, 'x was ended by SIGKILL.', 'bad'],
	[{kind: 'notStarted', why: 'ENOENT'}, 'x could not be started: ENOENT.', 'bad'],
] as const)('the end %j is said as: %s', (end, text, tone) => {
	expect(describeEnd('x', end)).toEqual({text, tone});
});
