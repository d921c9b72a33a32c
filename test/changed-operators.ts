import {spawnSync} from 'node:child_process';
import {globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

/*
 * Do the tests notice a wrong operator? Changes operators of the code at random, one at a time, in a worktree of its own, and
 * runs the tests that reach the file: `node test/changed-operators.ts --count 40 --seed 7`. A change that no test notices is a
 * limit without a test, or one that changes nothing. Takes about a quarter of a minute for each.
 */

const {values} = parseArgs({
	options: {
		count: {type: 'string', default: '40'},
		seed: {type: 'string', default: '1'},
		/** Rooms, by folder. */
		rooms: {type: 'string', default: 'trading,service/market,monitor,commands'},
	},
});

const SWAPPED: Readonly<Record<string, string>> = {
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'===': '!==',
	'!==': '===',
	'&&': '||',
	'||': '&&',
	'+': '-',
	'-': '+',
};
/** Longest time for the tests of one change, ms. A program that no longer ends is a change that was noticed. */
const LIMIT_MS = 300_000;
const ROOT = new URL('..', import.meta.url).pathname;

interface Change {
	readonly file: string;
	/** From 0. */
	readonly line: number;
	readonly column: number;
	readonly from: string;
}

/** The operators of a file that stand between blanks, as the formatter leaves them; none in comments and strings. */
function operatorsIn(file: string): readonly Change[] {
	return readFileSync(join(ROOT, file), 'utf8')
		.split('\n')
		.flatMap((text, line) => {
			if (/^\s*(?:\/?\*|\/\/)/.test(text)) return [];
			const code = text.replace(/'[^']*'|`[^`]*`|\/\/.*/g, part => ' '.repeat(part.length));
			return Array.from(code.matchAll(/ (<=?|>=?|[!=]==|&&|\|\||[+-]) /g), ({index, 1: from}) => ({
				file,
				line,
				column: index + 1,
				from: from!,
			}));
		});
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function* randomNumbers(seed: number): Generator<number, never> {
	let state = seed;
	for (;;) {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

function run(command: string, args: readonly string[], cwd: string): number | null {
	return spawnSync(command, args, {cwd, stdio: 'ignore', timeout: LIMIT_MS, killSignal: 'SIGKILL'}).status;
}

/** Whether a test fails with the change. */
function isNoticed({file, line, column, from}: Change, worktree: string): boolean {
	const path = join(worktree, file);
	const before = readFileSync(path, 'utf8');
	const lines = before.split('\n');
	const text = lines[line]!;
	lines[line] = text.slice(0, column) + SWAPPED[from]! + text.slice(column + from.length);
	writeFileSync(path, lines.join('\n'));
	const projects = ['unit', 'parts', 'mocked', 'market'].flatMap(name => ['--project', name]);
	const vitest = join(worktree, 'node_modules/vitest/vitest.mjs');
	const args = [vitest, 'related', file, '--run', '-c', 'test/vitest.config.ts', '--bail', '1', ...projects];
	const status = run(process.execPath, args, worktree);
	writeFileSync(path, before);
	return status !== 0;
}

const files = values.rooms
	.split(',')
	.flatMap(room => globSync(`source/${room}/**/*.{ts,tsx}`, {cwd: ROOT}))
	.filter(file => !/\.generated\.|schemas?\.ts$/.test(file))
	.toSorted();
const operators = files.flatMap(operatorsIn);
const random = randomNumbers(Number(values.seed));
const chosen = Array.from(
	{length: Number(values.count)},
	() => operators[Math.floor(random.next().value * operators.length)]!,
);
const worktree = mkdtempSync(join(tmpdir(), 'pulsetop-operators-'));
// However it ends: `git worktree` remembers a directory that is gone.
process.on('exit', () => {
	run('git', ['worktree', 'remove', '--force', worktree], ROOT);
	rmSync(worktree, {recursive: true, force: true});
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
run('git', ['worktree', 'add', '--detach', '--force', worktree, 'HEAD'], ROOT);
symlinkSync(join(ROOT, 'node_modules'), join(worktree, 'node_modules'));
print(`${operators.length} operators in ${files.length} files; ${values.count} are changed, seed ${values.seed}`);
let noticed = 0;
for (const change of chosen) {
	const isSeen = isNoticed(change, worktree);
	if (isSeen) noticed++;
	const {file, line, column, from} = change;
	print(`${isSeen ? 'noticed' : 'MISSED '}  ${file}:${line + 1}:${column + 1}  ${from} became ${SWAPPED[from]}`);
}
print(`${noticed} of ${chosen.length} were noticed`);
