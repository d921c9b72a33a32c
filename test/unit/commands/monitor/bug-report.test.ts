import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {afterAll, expect, test} from 'vitest';
import {writeBugReport} from '../../../../source/commands/monitor/bug-report.ts';
import {loadConfig} from '../../../../source/config/config.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {startReplay} from '../../../../source/service/replay/replay.ts';
import {detectCapabilities} from '../../../../source/terminal/capabilities.ts';
import {glyphsFor} from '../../../../source/ui/glyphs.ts';
import {createScreenModel} from '../../../../source/ui/screen-model.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW_MS = 1_700_000_000_000;
const CANARY = 'canary-that-must-not-leave';
const home = await mkdtemp(join(tmpdir(), 'pulsetop-report-'));
afterAll(() => rm(home, {recursive: true, force: true}));

test('a report holds screen, state, settings and a recording, no secret, and only its owner can read it', async () => {
	const file = join(home, 'c.toml');
	await writeFile(
		file,
		[
			'[service]',
			`base-url = "http://user:${CANARY}@127.0.0.1:1/${CANARY}"`,
			`api-key = "${CANARY}"`,
			'[rpc]',
			`"evm:8453" = "http://127.0.0.1:1/${CANARY}"`,
			'[alerts]',
			`command = ["curl", "https://push.example.com/${CANARY}"]`,
			'rules = ["mcap>50k"]',
			'[columns.new]',
			'filter = "age<10m"',
		].join('\n'),
	);
	const config = await loadConfig({flags: {config: file, 'data-dir': home}, env: {HOME: home}});
	const screen = createScreenModel({glyphs: glyphsFor(false)});
	const pepe = entryOf('a', {symbol: 'PEPE', market_cap: 12_345});
	const state = columnChanged(
		initialState({
			size: {columns: 120, rows: 30},
			nowMs: NOW_MS,
			service: {label: 'api.example.com', embedded: false},
			theme: 'dark',
		}),
		'new',
		column => snapshotArrived(column, [pepe], NOW_MS),
	);
	const capabilities = detectCapabilities({env: {TERM: 'xterm-256color'}, isTTY: true, platform: 'linux'});
	const earlier = {atMs: NOW_MS - 5000, skewMs: 0, columns: state.columns};
	const where = await writeBugReport({config, state, screen, capabilities, moments: [earlier], nowMs: NOW_MS});

	expect((await stat(where)).mode & 0o777).toBe(0o700);
	const names = (await readdir(where)).toSorted();
	expect(names).toEqual(['config.json', 'doctor.txt', 'feed.pulse', 'frame.txt', 'state.json', 'terminal.json']);
	const texts = new Map<string, string>();
	for (const name of names) {
		expect((await stat(join(where, name))).mode & 0o777).toBe(0o600);
		const bytes = await readFile(join(where, name));
		texts.set(name, (name.endsWith('.pulse') ? gunzipSync(bytes) : bytes).toString());
	}
	expect(texts.get('frame.txt')).toMatch(/PEPE .* 12\.3K/);
	expect(texts.get('doctor.txt')).toMatch(/^ok {4}program .*\nok {4}configuration /);
	expect(texts.get('doctor.txt')).toMatch(/BAD {3}money +your node of Base cannot be read/);
	expect(JSON.parse(texts.get('state.json')!)).toMatchObject({
		windows: ['list'],
		columns: [{view: 'new', rows: 1}, {}, {}],
	});
	expect(JSON.parse(texts.get('config.json')!)).toMatchObject({
		'columns.new.filter': {value: 'age<10m', from: 'file'},
		'service.api-key': {value: '(set)'},
		'service.base-url': {value: '(set)'},
		'alerts.command': {value: '(set)'},
	});
	expect(
		texts
			.get('feed.pulse')!
			.trim()
			.split('\n')
			.map(line => JSON.parse(line).type),
		// The second moment brought nothing else.
	).toEqual(['pulsetop-recording', 'snapshot', 'snapshot', 'snapshot', 'end']);
	// As `pulsetop replay` opens it.
	const replay = await startReplay({path: join(where, 'feed.pulse')}, () => {});
	try {
		expect(replay.market.find('PEPE')).toHaveLength(1);
	} finally {
		replay.stop();
	}
	for (const [name, text] of texts) expect({name, leaks: text.includes(CANARY)}).toEqual({name, leaks: false});
});
