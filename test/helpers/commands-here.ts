import {closeSync, openSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {COMMAND_LINE} from '../../source/commands/command-table.ts';
import {readCommandLine} from '../../source/commands/line/command-line.ts';
import {exitCodeOf, failureText} from '../../source/commands/process/exit-code.ts';
import {loadConfig} from '../../source/config/config.ts';
import {explain} from '../../source/errors.ts';

/** What a command left. */
export interface Left {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process, without a terminal, in a home of its own, after those that were given before: what it
 * prints is taken from the streams of the process.
 */
export function runHere(home: string, ...argv: readonly string[]): Promise<Left> {
	const left = last.then(() => runNow(home, argv));
	last = left;
	return left;
}

async function runNow(home: string, argv: readonly string[]): Promise<Left> {
	const printed = {stdout: '', stderr: ''};
	const before = {...process.env};
	const writes = {stdout: process.stdout.write, stderr: process.stderr.write};
	for (const name of ['stdout', 'stderr'] as const)
		process[name].write = (text: string | Uint8Array) => {
			printed[name] += String(text);
			return true;
		};
	Object.assign(process.env, {HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data`});
	delete process.env['PULSETOP_CONFIG'];
	try {
		const code = await run(argv);
		return {code, ...printed};
	} catch (error) {
		const explanation = explain(error);
		const stderr = `${printed.stderr}${failureText(explanation, argv.includes('--json'))}\n`;
		return {code: exitCodeOf(explanation), stdout: printed.stdout, stderr};
	} finally {
		Object.assign(process.stdout, {write: writes.stdout});
		Object.assign(process.stderr, {write: writes.stderr});
		for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'PULSETOP_CONFIG'])
			if (before[name] === undefined) delete process.env[name];
			else process.env[name] = before[name];
	}
}

async function run(argv: readonly string[]): Promise<number> {
	const {path, flags, operands} = readCommandLine(argv, COMMAND_LINE);
	const readConfig = () => loadConfig({flags: flags.values()});
	return path.at(-1)!.run!({readConfig, flags, operands, grammar: COMMAND_LINE});
}

/**
 * Opens a descriptor with a text, for as long as the work takes.
 * @param work takes the number of the descriptor
 */
export async function withSecret<T>(home: string, text: string, work: (fd: string) => Promise<T>): Promise<T> {
	const file = join(home, 'secret');
	writeFileSync(file, text, {mode: 0o600});
	const fd = openSync(file, 'r');
	// Only the descriptor is left: what searches the home for secrets finds none, and two secrets at a time are two files.
	rmSync(file);
	try {
		return await work(String(fd));
	} finally {
		// A command may have closed the descriptor.
		try {
			closeSync(fd);
		} catch (error) {
			expect((error as NodeJS.ErrnoException).code).toBe('EBADF');
		}
	}
}
