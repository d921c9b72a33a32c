import {fork, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {build} from 'esbuild';
import {createClient} from '../../source/client/create-client.ts';
import {createNormaliser, mergeEntry} from '../../source/client/wire/normalise.ts';
import {FIELDS} from '../../source/contract/fields.ts';
import {PerverseServer, type Row} from '../client/perverse-server.ts';

/*
 * What the client costs in the thread that also reads the keys: loading it, reading entries, following a stream of 200
 * updates a second. The service runs in a process of its own, so that only the client's work is counted.
 */

const ROWS = 50;
const UPDATES_A_SECOND = 200;
const SECONDS = 8;

/** An asset entry with every field under every spelling, as the service writes it: about 270 keys, 9 KB. */
function fullEntry(i: number): Row {
	const wire: Record<string, unknown> = {};
	for (const [n, {asset, kind}] of FIELDS.entries()) {
		for (const spelling of asset) {
			if (kind === 'text') wire[spelling] = `0xabcdef0123456789abcdef0123456789abcdef${String(i).padStart(2, '0')}`;
			else if (kind === 'date') wire[spelling] = new Date(1.7e12 + n * 1000 + i).toISOString();
			else wire[spelling] = kind === 'boolean' ? true : Math.random() * 1000;
		}
	}
	const link = 'https://example.org/a.webp';
	return {
		...wire,
		address: `0x${String(i).padStart(40, '0')}`,
		chainId: 'evm:8453',
		market_cap: Math.random() * 1e6,
		symbol: 'PEPE',
		name: 'Pepe the Frog',
		description: 'a coin like every other, only more so; '.repeat(6),
		logo: link,
		screenerHeader: link,
		liveThumbnail: link,
		exchange: {name: 'Dex', logo: link},
		socials: {twitter: 'https://x.com/pepe', website: 'https://pepe.example', telegram: null},
		security: {isHoneypot: false, buyTax: '0'},
		holders_list: [],
	};
}

/** The other process: serves full entries, changes them at the given rate, until its parent ends. */
async function serve(): Promise<void> {
	const server = await PerverseServer.start();
	for (const view of ['new', 'bonding', 'bonded']) {
		for (let i = 0; i < ROWS; i++) server.put(view, fullEntry(i), {silently: true});
	}
	process.send?.(server.url);
	for (let sent = 0; ; sent++) {
		server.put(['new', 'bonding', 'bonded'][sent % 3]!, fullEntry(sent % ROWS));
		await sleep(1000 / UPDATES_A_SECOND);
	}
}

function timeOf(work: () => unknown, times: number): number {
	for (let i = 0; i < 2_000; i++) work();
	const runs = Array.from({length: 5}, () => {
		const startedMs = performance.now();
		for (let i = 0; i < times; i++) work();
		return ((performance.now() - startedMs) * 1000) / times;
	});
	// Other load on the machine only adds time: the quickest run is the nearest to the work itself.
	return Math.min(...runs);
}

function line(what: string, figure: string, goal = ''): void {
	console.log(`${what.padEnd(58)}${figure.padStart(22)}   ${goal}`);
}

function normalising(): void {
	const {entry} = createNormaliser();
	const text = JSON.stringify(fullEntry(1));
	const wire = JSON.parse(text) as Record<string, unknown>;
	const known = entry(wire)!;
	const sparse = Array.from({length: 50}, () => {
		const absent = JSON.parse(text) as Record<string, unknown>;
		for (const {name, asset} of FIELDS) {
			if (name !== 'address' && name !== 'chain_id' && Math.random() < 0.15)
				for (const spelling of asset) absent[spelling] = null;
		}
		return absent;
	});
	const foreign = {...wire, name: 'ペペ蛙🐸 トークン', description: '日本語の説明 '.repeat(40)};
	let at = 0;
	const cost = (what: string, work: () => unknown, goal = '') => {
		const us = timeOf(work, 5_000);
		line(what, `${us.toFixed(1)} us = ${((us * UPDATES_A_SECOND) / 1e4).toFixed(2)} %`, goal);
	};
	console.log(
		`one entry of ${Object.keys(wire).length} keys and ${text.length} bytes; share of a core at ${UPDATES_A_SECOND} a second`,
	);
	cost('JSON.parse (of Node)', () => JSON.parse(text));
	cost('normalise, everything known', () => entry(wire), '< 1 %');
	cost('normalise, 15 % unknown, each time others', () => entry(sparse[at++ % sparse.length]), '< 1 %');
	cost('normalise, text in Japanese', () => entry(foreign), '< 1 %');
	cost('normalise and merge', () => mergeEntry(known, entry(sparse[at++ % sparse.length])!), '< 1 %');
}

async function following(): Promise<void> {
	const child = fork(import.meta.filename, ['serve'], {stdio: ['ignore', 'inherit', 'inherit', 'ipc']});
	const [url] = (await once(child, 'message')) as [string];
	const follow = async (streamUrl: null | undefined) => {
		const startedMs = performance.now();
		let firstMs = 0;
		let changes = 0;
		let snapshots = 0;
		const client = createClient({baseUrl: url, streamUrl});
		const feed = client.openFeed({
			request: {assetMode: true, views: {new: {limit: ROWS}, bonding: {limit: ROWS}, bonded: {limit: ROWS}}},
			onEvent(event) {
				if (event.type === 'snapshot') snapshots++;
				if (event.type === 'change') changes++;
				if (snapshots === 3) firstMs ||= performance.now() - startedMs;
			},
		});
		await sleep(2_000);
		const [cpu, countedFrom] = [process.cpuUsage(), changes + snapshots];
		await sleep(SECONDS * 1_000);
		const {user, system} = process.cpuUsage(cpu);
		const told = changes + snapshots - countedFrom;
		const {bytesPerSecond} = feed.link;
		await client.close();
		return {firstMs, share: (user + system) / (SECONDS * 1e4), told: told / SECONDS, bytesPerSecond};
	};
	const stream = await follow(undefined);
	line('three views of 50 rows there after', `${stream.firstMs.toFixed(0)} ms`);
	line(
		`following the stream (${stream.told.toFixed(0)} changes, ${(stream.bytesPerSecond / 1e6).toFixed(1)} MB a second)`,
		`${stream.share.toFixed(2)} % of a core`,
		'< 4 % with drawing',
	);
	const poll = await follow(null);
	line('polling the same, every 2 s', `${poll.share.toFixed(2)} % of a core`);
	child.kill();
}

async function loading(): Promise<void> {
	const outdir = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
	const requireBanner = "import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);";
	await build({
		entryPoints: [join(import.meta.dirname, '../../source/client/create-client.ts')],
		outdir,
		bundle: true,
		splitting: true,
		minify: true,
		platform: 'node',
		format: 'esm',
		outExtension: {'.js': '.mjs'},
		banner: {js: requireBanner},
		logLevel: 'error',
	});
	const script = `const t = performance.now(); import(${JSON.stringify(join(outdir, 'create-client.mjs'))}).then(() => console.log(performance.now() - t))`;
	const times = Array.from({length: 15}, () =>
		Number(spawnSync(process.execPath, ['-e', script], {encoding: 'utf8'}).stdout),
	);
	const sorted = times.toSorted((a, b) => a - b);
	const bytes = readdirSync(outdir).reduce((sum, name) => sum + statSync(join(outdir, name)).size, 0);
	const first = statSync(join(outdir, 'create-client.mjs')).size;
	line(
		'loading the client, bundled (median, quickest, slowest)',
		`${[7, 0, 14].map(i => sorted[i]!.toFixed(0)).join(' / ')} ms`,
	);
	line(
		'its size: at once / with websocket and all schemas',
		`${Math.round(first / 1024)} / ${Math.round(bytes / 1024)} KiB`,
	);
	rmSync(outdir, {recursive: true});
}

if (process.argv[2] === 'serve') await serve();
else {
	await loading();
	normalising();
	await following();
}
