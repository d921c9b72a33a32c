#!/usr/bin/env node
import {fstatSync, writeSync} from 'node:fs';
import manifest from '../package.json' with {type: 'json'};
import {COMMAND_LINE} from './commands/command-table.ts';
import {readCommandLine} from './commands/line/command-line.ts';
import {exitCodeOf, failureText} from './commands/process/exit-code.ts';
import {keepCompiledCode} from './compiled-code.ts';
import {explain, OutputFailed} from './errors.ts';

/*
 * The entry of the program: finds the command and loads only its code. The static imports are small, and must parse on
 * Node 16 once they are built, so that the message about the version can be printed.
 */

const NEEDED_NODE = [22, 19] as const;

const argv = asFlag(process.argv.slice(2));

// A reader that has seen enough (`| head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit(0);
	// A closed terminal needs no report; a file on a full disk does.
	process.exit(process.stdout.isTTY ? 70 : report(new OutputFailed(error)));
});
if (fstatSync(1).isFile()) writeWhole(process.stdout);

if (!isNewEnough(process.versions.node)) {
	process.stderr.write(
		`pulsetop needs Node ${NEEDED_NODE.join('.')} or later; this is Node ${process.versions.node}.\nGet a newer one from nodejs.org or your system's packages.\n`,
	);
	process.exitCode = 1;
} else {
	await main();
}

/** A disk or a limit takes a part of a write first; Node drops the rest of a write to a file without an error. */
function writeWhole(stream: NodeJS.WriteStream): void {
	stream._write = (chunk: Buffer, _encoding, done) => {
		try {
			for (let at = 0; at < chunk.length; ) at += writeSync(1, chunk, at);
			done();
		} catch (error) {
			done(error as Error);
		}
	};
}

/** `pulsetop help COMMAND`, as other programs have it, means `pulsetop COMMAND --help`. */
function asFlag([word, ...rest]: readonly string[]): readonly string[] {
	if (word === undefined) return [];
	return word === 'help' ? [...rest, '--help'] : [word, ...rest];
}

function isNewEnough(version: string): boolean {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1]);
}

async function main(): Promise<void> {
	let code: number;
	try {
		leaveRemovedDirectory();
		code = await run();
	} catch (error) {
		code = report(error);
	}
	// The output must have left before the process ends; open handles of a finished command must not keep it.
	process.stdout.write('', error => {
		if (!error) process.exit(code);
		// The error listener above runs right after this callback, and reports the cause first.
		setImmediate(() => process.exit(1));
	});
}

/** A shell may stand in a directory that was removed: threads do not start there, and no path can be resolved. */
function leaveRemovedDirectory(): void {
	try {
		process.cwd();
	} catch {
		process.chdir('/');
		process.stderr.write('pulsetop: the working directory was removed, so relative paths begin at /\n');
	}
}

async function run(): Promise<number> {
	const {path, flags, operands} = readCommandLine(argv, COMMAND_LINE);
	if (flags.has('version')) {
		process.stdout.write(`${manifest.version}\n`);
		return 0;
	}
	keepCompiledCode();
	const command = path.at(-1) ?? COMMAND_LINE.defaultCommand;
	if (flags.has('help') || command.run === undefined) {
		const {helpText} = await import('./commands/line/help.ts');
		process.stdout.write(`${helpText(COMMAND_LINE, path)}\n`);
		return flags.has('help') ? 0 : 2;
	}
	const readConfig = async () => {
		const config = await (await import('./config/config.ts')).loadConfig({flags: flags.values()});
		if (config.caFile !== undefined) (await import('./ca-file.ts')).trustCaFile(config.caFile);
		return config;
	};
	return command.run({readConfig, flags, operands, grammar: COMMAND_LINE});
}

/** Prints the failure to stderr, in words or (with --json) as JSON. */
function report(error: unknown): number {
	const explanation = explain(error);
	process.stderr.write(`${failureText(explanation, argv.includes('--json'))}\n`);
	return exitCodeOf(explanation);
}
