import type {Config} from '../config/config.ts';
import {type AlertRule, readAlertRule} from '../monitor/alerts/alert-rules.ts';
import type {Choices} from '../monitor/choices.ts';
import {readRowFields} from '../monitor/columns/row-fields.ts';
import type {Display} from '../monitor/display.ts';
import {readColumnSort} from '../monitor/filter/column-sort.ts';
import type {ColumnStart, Start} from '../monitor/initial-state.ts';
import type {MonitorState} from '../monitor/state.ts';
import {readUserCommands} from '../monitor/user-commands.ts';
import {VIEWS, type ViewName} from '../monitor/views.ts';

/** A recording instead of a service. */
export interface ShownRecording {
	/** What it is called on screen. */
	readonly name: string;
	readonly speed: number;
	/** The recorded time with which it begins, Unix ms. */
	readonly atMs: number;
}

/** How a monitor begins, by the configuration (whose filters, sorts and rules were found good) and the choices of last time. */
export function startOf(config: Config, choices: Choices, size: Start['size'], recording?: ShownRecording): Start {
	const nowMs = Date.now();
	return {
		size,
		nowMs,
		// The first frames come before the player says where it is, and must not show the present.
		...(recording && {skewMs: recording.atMs - nowMs}),
		theme: themeOf(config),
		display: displayOf(config),
		readOnly: config.readOnly,
		keys: config.keys,
		commands: readUserCommands(config.commands).commands,
		service: recording ? recordingWords(recording) : serviceWords(config),
		columns: columnStarts(config),
		...(config.ui.columns && {shownViews: config.ui.columns}),
		rules: configuredRules(config),
		choices: config.ui.theme === 'auto' ? choices : withoutTheme(choices),
	};
}

/** A theme that was configured goes before the one that was chosen last time. */
function withoutTheme({theme: _, ...choices}: Choices): Choices {
	return choices;
}

/** The alert rules of the configuration. */
export function configuredRules({alerts}: Config): readonly AlertRule[] {
	const read = alerts.rules.map(line => readAlertRule(line, {isConfigured: true}));
	return read.flatMap(rule => (rule.ok ? [rule.rule] : []));
}

function serviceWords({service}: Config): MonitorState['service'] {
	return service.baseUrl === undefined
		? {label: 'simulated market', embedded: true}
		: {label: new URL(service.baseUrl).host, embedded: false};
}

function recordingWords({name, speed}: ShownRecording): MonitorState['service'] {
	return {label: name, embedded: false, recording: {phase: 'playing', speed}};
}

/** How things are drawn, by the configuration. */
export function displayOf({risk, ui, colors}: Config): Display {
	return {thresholds: risk, isStill: ui.motion === 'none', colors};
}

/** Until the terminal answers what its background is, what it says in `COLORFGBG` without being asked; most are dark. */
export function themeOf({ui}: Config): string {
	if (ui.theme !== 'auto') return ui.theme;
	const color = Number(process.env['COLORFGBG']?.split(';').at(-1));
	return color === 7 || color === 15 ? 'light' : 'dark';
}

/** How the columns begin, by the configuration. */
export function columnStarts({columns}: Config): Readonly<Partial<Record<ViewName, ColumnStart>>> {
	return Object.fromEntries(
		VIEWS.map(view => {
			const {sort, filter, limit, chains, fields} = columns[view];
			const rowFields = readRowFields(fields);
			const read = sort === undefined ? undefined : readColumnSort(sort);
			return [
				view,
				{
					...(read?.ok && {sortBy: read.sortBy, sortOrder: read.sortOrder}),
					...(filter !== undefined && {filter}),
					limit,
					chains,
					...(rowFields.ok && {fields: rowFields.fields}),
				},
			];
		}),
	);
}
