import {globSync, readFileSync} from 'node:fs';

/*
 * How large is each room? Counts lines of code, neither blank nor comment, and files: `node test/code-lines.ts [FOLDER]`, by default
 * of source. Generated files are left out.
 */

const folder = (process.argv[2] ?? 'source').replace(/\/+$/, '');

/** The formatter leaves no code beside a comment of several lines. */
function codeLines(text: string): number {
	const withoutBlocks = text.replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '');
	return withoutBlocks.split('\n').filter(line => !/^\s*(?:\/\/|$)/.test(line)).length;
}

const rooms = new Map<string, {lines: number; files: number}>();
for (const file of globSync(`${folder}/**/*.{ts,tsx}`)) {
	if (file.includes('.generated.')) continue;
	const [first, ...rest] = file.slice(folder.length + 1).split('/');
	const name = rest.length === 0 ? '.' : `${first}/`;
	const room = rooms.get(name) ?? {lines: 0, files: 0};
	rooms.set(name, {lines: room.lines + codeLines(readFileSync(file, 'utf8')), files: room.files + 1});
}
const counted = [...rooms].toSorted(([, a], [, b]) => b.lines - a.lines);
const sum = {lines: 0, files: 0};
for (const [, {lines, files}] of counted) {
	sum.lines += lines;
	sum.files += files;
}
for (const [name, {lines, files}] of [...counted, ['all', sum] as const])
	process.stdout.write(`${String(lines).padStart(7)} ${String(files).padStart(6)}  ${name}\n`);
