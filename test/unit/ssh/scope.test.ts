import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {Scope, scopeNow} from '../../../source/ssh/scope.ts';

test('a throw in a scope reaches that scope, also through a bound function, and no other', () => {
	const heard: unknown[] = [];
	const [one, other] = [new Scope(), new Scope()];
	one.fail = error => heard.push(['one', error]);
	other.fail = error => heard.push(['other', error]);
	one.run(() => {
		throw 1;
	});
	const bound = other.bind((value: number) => {
		expect(scopeNow()).toBe(other);
		throw value;
	});
	one.run(() => bound(2));
	expect(heard).toEqual([
		['one', 1],
		['other', 2],
	]);
	expect(scopeNow()).toBeUndefined();
});

test('what throws later, in a timer or a promise, is known by its scope where the process hears of it', async () => {
	const program = `
		import {Scope, scopeNow} from '${new URL('../../../source/ssh/scope.ts', import.meta.url).href}';
		process.on('uncaughtException', error => scopeNow()?.fail(error.message));
		const scope = name => Object.assign(new Scope(), {fail: what => console.log(name, what)});
		const throwing = what => () => { throw new Error(what); };
		scope('a').run(() => setTimeout(throwing('timer'), 1));
		scope('b').run(() => setImmediate(throwing('turn')));
		scope('c').run(() => void Promise.resolve().then(throwing('promise')));
		const bound = scope('d').bind(() => void setTimeout(throwing('bound'), 1));
		setTimeout(bound, 1);
	`;
	const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
	expect(stdout.trim().split('\n').toSorted()).toEqual(['a timer', 'b turn', 'c promise', 'd bound']);
});
