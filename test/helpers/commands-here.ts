import {COMMAND_LINE} from '../../source/commands/command-table.ts';
import {readCommandLine} from '../../source/commands/line/command-line.ts';
import {exitCodeOf} from '../../source/commands/process/exit-code.ts';
import {loadConfig} from '../../source/config/config.ts';
import {explain} from '../../source/errors.ts';

/** What a command left. */
export interface Left {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

/**
 * Runs a command line in this process, without a terminal, in a home of its own. One at a time: what it prints is taken from the
 * streams of the process.
 */
export async function runHere(home: string, ...argv: readonly string[]): Promise<Left> {
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
		const stderr = `${printed.stderr}${explanation.what}: ${explanation.why}\n`;
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
