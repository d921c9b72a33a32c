import {readFile} from 'node:fs/promises';
import {afterAll, expect, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import {snapshotArrived, totalArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged, detailChanged, ticked} from '../../source/monitor/transitions/screen.ts';
import {PHASES, type ViewName} from '../../source/monitor/views.ts';
import {NOW_MS, openTestMonitor, type TestMonitor} from '../helpers/monitor-app.tsx';
import {readAll} from '../helpers/recordings.ts';
import {openScreen} from '../helpers/screen.ts';
import {COLUMNS_FILE, DETAIL_FILE, DETAIL_VIEW, type PicturedDetail} from '../pictures/picture-state.ts';
import {type Frame, svgPicture, svgRecording} from '../pictures/svg-picture.ts';

/* The pictures of the README, drawn from a stored state (pictures/make-state.ts). `npm run pictures` draws them again. */

const SIZE = {columns: 120, rows: 34};

// The pictures show the time of day, in one zone wherever they are drawn.
const zone = process.env['TZ'];
process.env['TZ'] = 'UTC';
afterAll(() => {
	if (zone === undefined) delete process.env['TZ'];
	else process.env['TZ'] = zone;
});

const detail: PicturedDetail = JSON.parse(await readFile(DETAIL_FILE, 'utf8'));
const {events} = await readAll(COLUMNS_FILE);

/** The monitor with the stored columns, a second after they came. */
function pictured(): TestMonitor {
	let nowMs = NOW_MS;
	const monitor = openTestMonitor({size: SIZE, clock: () => nowMs});
	for (const event of events) {
		if (event.type !== 'snapshot') continue;
		const {view, tokens, atMs} = event;
		nowMs = atMs;
		monitor.store.apply(state => columnChanged(state, view as ViewName, c => snapshotArrived(c, tokens, atMs)));
	}
	for (const view of PHASES) {
		monitor.store.apply(state => columnChanged(state, view, c => totalArrived(c, detail.totals[view]!)));
	}
	const link = {...FIRST_LINK, phase: 'live', framesPerSecond: 10, bytesPerSecond: 41_000, latencyMs: 1} as const;
	monitor.store.apply(state => ticked({...state, link, history: 'complete'}, nowMs));
	return monitor;
}

async function pictureOf(monitor: TestMonitor, label: string): Promise<string> {
	const screen = openScreen(SIZE);
	await screen.write(monitor.rawFrame().replaceAll('\n', '\r\n'));
	try {
		return svgPicture(screen, label);
	} finally {
		screen.dispose();
	}
}

test('the picture of the columns shows the screen as it is', async () => {
	const picture = await pictureOf(pictured(), 'pulsetop: tokens in three columns, new, bonding and bonded');
	await expect(picture).toMatchFileSnapshot('../pictures/columns.svg');
});

/** Opens the stored token. */
function openDetail(monitor: TestMonitor): void {
	const {entry, labels, sparkline} = detail;
	monitor.press('\t');
	do monitor.press('j');
	while (monitor.store.get().columns[DETAIL_VIEW].cursor !== entry.key);
	monitor.press('\r');
	const atMs = monitor.store.get().nowMs;
	monitor.store.apply(state =>
		detailChanged(state, entry.key, open => ({
			...open,
			entry,
			entryAtMs: atMs,
			lookup: 'found',
			labels: {kind: 'ready', value: new Map(labels), atMs},
			sparkline: {kind: 'ready', value: sparkline, atMs},
		})),
	);
}

test('the picture of an open token shows the pane as it is', async () => {
	const monitor = pictured();
	openDetail(monitor);
	const picture = await pictureOf(monitor, 'pulsetop: a token opened, with its price line, activity and holders');
	await expect(picture).toMatchFileSnapshot('../pictures/detail.svg');
});

test('the recording shows a look around by keys: a token opened, a filter typed, a sort chosen, the help', async () => {
	const monitor = pictured();
	const frames: Frame[] = [];
	const shown = async (holdMs: number): Promise<void> => {
		const screen = openScreen(SIZE);
		await screen.write(monitor.rawFrame().replaceAll('\n', '\r\n'));
		frames.push({screen, holdMs});
	};
	await shown(2500);
	openDetail(monitor);
	await shown(4000);
	monitor.press('\u001b', '\u001b', 'f');
	for (const text of ['mcap>20k', ' dev<5%']) {
		monitor.press(...text);
		await shown(1200);
	}
	monitor.press('\u001b', 's');
	await shown(2000);
	monitor.press('\u001b', '?');
	await shown(4000);
	const [first, ...others] = frames;
	const recording = svgRecording([first!, ...others], 'pulsetop: a look around by keys');
	for (const {screen} of frames) screen.dispose();
	expect(recording).toMatch(/Help/);
	await expect(recording).toMatchFileSnapshot('../pictures/tour.svg');
});
