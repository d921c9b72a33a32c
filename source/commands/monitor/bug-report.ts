import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import {type Config, valueAt} from '../../config/config.ts';
import {SETTINGS, settingsIn} from '../../config/settings.ts';
import {headerLine} from '../../contract/recording.ts';
import {createRecordingEncoder} from '../../contract/recording-encode.ts';
import {explain} from '../../errors.ts';
import {makeDirectory} from '../../make-directory.ts';
import {listedViews} from '../../monitor/columns/shown-views.ts';
import type {Moment} from '../../monitor/rewind/moment.ts';
import {viewRequest} from '../../monitor/session.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {Capabilities} from '../../terminal/capabilities.ts';
import type {ScreenModel} from '../../ui/screen-model.ts';
import {screenText} from '../../ui/screen-text.tsx';
import {createRecording} from '../recording/recording-writer.ts';

export interface BugReportInput {
	readonly config: Config;
	readonly state: MonitorState;
	readonly screen: ScreenModel;
	readonly capabilities: Capabilities;
	/** Client of the running service. */
	readonly client?: Client | undefined;
	/** The last states of the columns, oldest first. */
	readonly moments: readonly Omit<Moment, 'priceOf'>[];
	/** Unix ms. */
	readonly nowMs: number;
}

/**
 * Settings whose values are shown. Every other one may contain a key, an address, a path or a command of the user: the
 * report says only that it is set.
 */
const SHOWN = /^(?:read-only|embedded\.|ui\.|colors|columns\.|risk\.|keys|alerts\.(?:rules|bell|desktop|quiet))/;
/** Variables that decide how the terminal is drawn. */
const VARIABLES = ['TERM', 'TERM_PROGRAM', 'COLORTERM', 'COLORFGBG', 'LANG', 'LC_ALL', 'NO_COLOR'];

/**
 * Writes a bug report into a new directory (mode 700) of the data directory: the columns as text, state and configuration
 * without secrets, the capabilities of the terminal, the findings of the doctor, and the last minutes of the feed as a
 * recording (`pulsetop replay`). Windows over the columns are named, not drawn: they can show money and secrets.
 * @returns the directory
 * @throws NodeJS.ErrnoException, RecordingNotWritten where the disk refuses
 */
export async function writeBugReport(input: BugReportInput): Promise<string> {
	const {config, state, nowMs} = input;
	const name = `bug-report-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`;
	const directory = join(config.dataDir, name);
	makeDirectory(directory);
	const write = (file: string, text: string): Promise<void> =>
		writeFile(join(directory, file), text.endsWith('\n') ? text : `${text}\n`, {mode: 0o600});
	await Promise.all([
		write('frame.txt', screenText(input.screen, state)),
		write('state.json', jsonOf(stateFacts(state))),
		write('config.json', jsonOf(configFacts(config))),
		write('terminal.json', jsonOf(terminalFacts(input.capabilities))),
		doctorText(input).then(text => write('doctor.txt', text)),
		writeFeed(join(directory, 'feed.pulse'), input),
	]);
	return directory;
}

/** The findings of the doctor, or why the doctor failed. */
async function doctorText({config, client}: BugReportInput): Promise<string> {
	const [{runningFindings}, {findingsText}] = await Promise.all([
		import('../doctor/running.ts'),
		import('../doctor/findings-text.ts'),
	]);
	return runningFindings(config, client).then(findingsText, (error: unknown) => {
		const {what, code} = explain(error);
		return `The doctor failed (${code}): ${what}`;
	});
}

const jsonOf = (value: unknown): string => JSON.stringify(value, undefined, '\t');

function stateFacts(state: MonitorState): object {
	const {columns, link, size, theme, density, paused, readOnly, service, alerts, focus, skewMs} = state;
	return {
		...{size, focus, theme, density, paused, readOnly, service, skewMs, link},
		windows: state.modes.map(({kind}) => kind),
		notice: state.notice?.text,
		alerts: {rules: alerts.rules.length, rung: alerts.rung},
		pins: state.pins.size,
		hidden: state.hidden.size,
		columns: listedViews(state).map(view => {
			const {rows, order, frozen, waiting, sortBy, sortOrder, window, filter, fields, limit, total, status} =
				columns[view];
			const counts = {rows: rows.size, shown: order.length, waiting, total};
			return {view, ...counts, frozen, sortBy, sortOrder, window, filter: filter.text, fields, limit, status};
		}),
	};
}

function configFacts(config: Config): object {
	return Object.fromEntries(
		[...settingsIn(SETTINGS)].flatMap(([path, setting]) => {
			const origin = config.origins.get(path)?.from ?? 'default';
			if (origin === 'default') return [];
			const isShown = SHOWN.test(path) && !setting.isSecret;
			return [[path, {value: isShown ? valueAt(config, path) : '(set)', from: origin}]];
		}),
	);
}

function terminalFacts(capabilities: Capabilities): object {
	return {
		node: process.version,
		platform: `${process.platform} ${process.arch}`,
		capabilities,
		environment: Object.fromEntries(VARIABLES.map(name => [name, process.env[name]])),
	};
}

/** The moments as a recording: a snapshot of each view for each. */
async function writeFeed(path: string, {state, moments, nowMs}: BugReportInput): Promise<void> {
	const writer = await createRecording(path, {replaces: false});
	const encoder = createRecordingEncoder();
	const all = [...moments, {atMs: nowMs, columns: state.columns}];
	const listed = listedViews(state);
	const views = Object.fromEntries(listed.map(view => [view, viewRequest(state.columns[view])]));
	writer.write(headerLine({atMs: all[0]!.atMs, views}));
	for (const {atMs, columns} of all) {
		for (const view of listed) {
			const tokens = [...columns[view].rows.values()].filter(({departed}) => !departed).map(({entry}) => entry);
			const line = encoder.line({type: 'snapshot', view, atMs, tokens});
			if (line !== undefined && !writer.write(line)) await writer.drained();
		}
	}
	writer.write(encoder.line({type: 'end', atMs: nowMs})!);
	await writer.close();
}
