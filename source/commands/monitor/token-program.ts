import {spawn} from 'node:child_process';
import type {Entry} from '../../contract/entry.ts';
import {defined} from '../../defined.ts';
import type {ProgramEnd} from '../../monitor/user-commands.ts';
import {clean} from '../../text.ts';

/** The environment variables of a token; an unknown value has no variable, so that unknown is not 0. */
export type TokenVariables = Readonly<Record<`PULSETOP_${string}`, string>>;

export interface ProgramOptions {
	/** The program, then its arguments. There is no shell. */
	readonly argv: readonly string[];
	readonly variables: TokenVariables;
	/** The program is killed after this, ms. */
	readonly limitMs: number;
}

/** How much of stderr is kept to find its last line, characters. */
const STDERR_KEPT = 4096;
/** Maximum wait for the end of stderr after the program ended, ms: a child process may keep stderr open. */
const STDERR_WAIT_MS = 200;

/** The variables of a token. Its texts, which anyone can choose, are never arguments. */
export function variablesOf(entry: Entry, view: string): TokenVariables {
	const {symbol, name, address, chain_id, market_cap, liquidity, latest_price, deployer, source, created_at} = entry;
	return defined({
		PULSETOP_SYMBOL: symbol,
		PULSETOP_NAME: name,
		PULSETOP_ADDRESS: address,
		PULSETOP_CHAIN: chain_id,
		PULSETOP_COLUMN: view,
		PULSETOP_PRICE: numberText(latest_price),
		PULSETOP_MCAP: numberText(market_cap),
		PULSETOP_LIQUIDITY: numberText(liquidity),
		PULSETOP_HOLDERS: numberText(entry.holders_count),
		PULSETOP_DEVELOPER: deployer,
		PULSETOP_LAUNCHPAD: source,
		PULSETOP_CREATED_AT: created_at === undefined ? undefined : new Date(created_at).toISOString(),
	});
}

/** In full, without an exponent, so that a shell can compare it. */
function numberText(value: number | undefined): string | undefined {
	if (value === undefined || !Number.isFinite(value)) return undefined;
	return Number.isInteger(value) ? String(value) : value.toFixed(18).replace(/0+$/, '');
}

/**
 * Runs a program in the background: without a terminal and without the API key in its environment. A running program does
 * not keep pulsetop from exiting. Never rejects.
 */
export function runProgram({argv, variables, limitMs}: ProgramOptions): Promise<ProgramEnd> {
	const {promise, resolve} = Promise.withResolvers<ProgramEnd>();
	const [program = '', ...args] = argv;
	let said = '';
	try {
		const child = spawn(program, args, {
			stdio: ['ignore', 'ignore', 'pipe'],
			env: environmentWith(variables),
		});
		let isTooLong = false;
		const clock = setTimeout(() => {
			isTooLong = true;
			child.kill();
		}, limitMs).unref();
		// Read even after the program ended: its child processes must not find a closed pipe.
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			said = (said + text).slice(-STDERR_KEPT);
		});
		const end = (code: number | null, signal: NodeJS.Signals | null): void => {
			clearTimeout(clock);
			const lastLine = lastLineOf(said);
			if (code !== null) resolve({kind: 'ended', code, lastLine});
			else if (isTooLong) resolve({kind: 'tooLong', afterMs: limitMs});
			else resolve({kind: 'stopped', signal: signal ?? 'a signal', lastLine});
		};
		child.on('error', error => resolve({kind: 'notStarted', why: reasonOf(program, error)}));
		child.on('close', end);
		child.on('exit', (code, signal) => setTimeout(end, STDERR_WAIT_MS, code, signal).unref());
		child.unref();
		(child.stderr as {unref?: () => void}).unref?.();
	} catch (error) {
		resolve({kind: 'notStarted', why: reasonOf(program, error)});
	}
	return promise;
}

/** The environment of pulsetop, without the API key and without the token variables of an outer pulsetop. */
function environmentWith(variables: TokenVariables): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(
		([name]) => !(name === 'PULSETOP_API_KEY' || TOKEN_VARIABLES.has(name)),
	);
	// A text with a zero byte can't be in an environment.
	const given = Object.entries(variables).map(([name, value]) => [name, value.replaceAll('\0', '')]);
	return Object.fromEntries([...own, ...given]) as NodeJS.ProcessEnv;
}

const TOKEN_VARIABLES: ReadonlySet<string> = new Set(
	['SYMBOL', 'NAME', 'ADDRESS', 'CHAIN', 'COLUMN', 'PRICE', 'MCAP', 'LIQUIDITY', 'HOLDERS', 'DEVELOPER', 'LAUNCHPAD']
		.concat('CREATED_AT', 'RULE', 'TEST')
		.map(name => `PULSETOP_${name}`),
);

function lastLineOf(said: string): string {
	const lines = said.split('\n').map(line => clean(line, {maxCells: 120}));
	return lines.findLast(line => line !== '') ?? '';
}

function reasonOf(program: string, error: unknown): string {
	const {code, message} = error as NodeJS.ErrnoException;
	if (code === 'ENOENT') return `there is no program ${clean(program, {maxCells: 60})}`;
	if (code === 'EACCES') return `${clean(program, {maxCells: 60})} may not be run`;
	return clean(code ?? message, {maxCells: 80});
}
