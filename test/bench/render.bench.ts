import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {build} from 'esbuild';
import type {Figures} from './render-contender.tsx';

/*
 * What drawing costs: three panes of fifty rows at 200x60, ten frames a second, 200 updates a second; then keys at 2,000
 * updates a second. Each contender runs in a process and a pseudo-terminal of its own, one after another, React in
 * production. Repeat it with `npm run bench -- render`.
 */

const CONTENDERS = {
	nothing: 'the updates alone',
	bound: 'cells written by hand',
	live: 'pulsetop: Ink over a LiveScreen',
	ink: 'Ink, one Text a row, incremental',
} as const;
const KEY_EVERY_MS = 25;

const root = join(import.meta.dirname, '../..');
const directory = await mkdtemp(join(root, 'node_modules/.render-bench-'));
const program = join(directory, 'contender.mjs');

async function run(name: string): Promise<{figures: Figures; delaysMs: readonly number[]}> {
	const file = join(directory, name);
	const pressedAtMs: number[] = [];
	const pty = spawn(process.execPath, [program, name, file], {
		name: 'xterm-256color',
		cols: 200,
		rows: 60,
		cwd: root,
		env: {
			...process.env,
			NODE_ENV: 'production',
			TERM: 'xterm-256color',
			COLORTERM: 'truecolor',
			FORCE_COLOR: '3',
			CI: '',
		},
	});
	let said = '';
	pty.onData(data => {
		said = (said + data).slice(-2000);
	});
	const keys = setInterval(() => {
		if (name === 'nothing' || !existsSync(`${file}.heavy`)) return;
		pressedAtMs.push(performance.timeOrigin + performance.now());
		pty.write('j');
	}, KEY_EVERY_MS);
	await new Promise<void>(resolve => pty.onExit(() => resolve()));
	clearInterval(keys);
	if (!existsSync(file)) throw new Error(`${name} failed: ${said}`);
	const figures = JSON.parse(await readFile(file, 'utf8')) as Figures;
	return {figures, delaysMs: figures.answeredAtMs.map((ms, index) => ms - pressedAtMs[index]!)};
}

function quantile(values: readonly number[], part: number): string {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted.length === 0 ? '-' : sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)]!.toFixed(1);
}

try {
	await build({
		entryPoints: [join(import.meta.dirname, 'render-contender.tsx')],
		outfile: program,
		bundle: true,
		packages: 'external',
		platform: 'node',
		format: 'esm',
		jsx: 'automatic',
		define: {'process.env.NODE_ENV': '"production"'},
	});
	console.log(
		'contender                         CPU ms/frame  drawing  bytes/frame  RSS MB  key->bytes ms p50   p99  (keys)  modal ms p50   max',
	);
	let updatesAlone = 0;
	for (const [name, title] of Object.entries(CONTENDERS)) {
		const {figures, delaysMs} = await run(name);
		const cpuMs = figures.cpuMs / figures.frames;
		if (name === 'nothing') updatesAlone = cpuMs;
		console.log(
			[
				title.padEnd(32),
				cpuMs.toFixed(2).padStart(13),
				(cpuMs - updatesAlone).toFixed(2).padStart(8),
				Math.round(figures.bytes / figures.frames)
					.toString()
					.padStart(12),
				Math.round(figures.rssMB).toString().padStart(7),
				quantile(delaysMs, 0.5).padStart(18),
				quantile(delaysMs, 0.99).padStart(5),
				` (${String(delaysMs.length).padStart(4)})`,
				quantile(figures.modalMs, 0.5).padStart(14),
				quantile(figures.modalMs, 1).padStart(5),
			].join(' '),
		);
	}
} finally {
	await rm(directory, {recursive: true, force: true});
}
