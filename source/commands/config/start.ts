import type {Config} from '../../config/config.ts';
import {type AlertRule, readAlertRule} from '../../monitor/alerts/alert-rules.ts';
import type {Choices} from '../../monitor/choices.ts';
import {readRowFields} from '../../monitor/columns/row-fields.ts';
import type {Display} from '../../monitor/display.ts';
import {readColumnSort} from '../../monitor/filter/column-sort.ts';
import {NO_MONEY} from '../../monitor/following.ts';
import type {ColumnStart, Start} from '../../monitor/initial-state.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {readUserCommands} from '../../monitor/user-commands.ts';
import {VIEWS, type ViewName} from '../../monitor/views.ts';
import {steadyNow} from '../../steady-clock.ts';
import {guessBackground} from '../../terminal/background.ts';
import {keyOverrides} from '../../ui/keymap/classic-keys.ts';
import {followOf} from '../service/followed.ts';

/** A recording that replaces the service. */
export interface ShownRecording {
	/** Its name on screen. */
	readonly name: string;
	readonly speed: number;
	/** The recorded time at the start, Unix ms. */
	readonly atMs: number;
}

/** The start state of a monitor, from the configuration (its filters, sorts and rules are valid) and the saved choices. */
export function startOf(config: Config, choices: Choices, size: Start['size'], recording?: ShownRecording): Start {
	const nowMs = steadyNow();
	return {
		size,
		nowMs,
		// The first frames come before the player reports its time, and must not show the present.
		...(recording && {skewMs: recording.atMs - nowMs}),
		theme: themeOf(config),
		display: displayOf(config),
		readOnly: config.readOnly,
		keys: keyOverrides(config.ui.keys, config.keys),
		commands: readUserCommands(config.commands).commands,
		service: recording ? recordingLabel(recording) : serviceLabel(config),
		columns: columnStarts(config),
		...(config.ui.columns && {shownViews: config.ui.columns}),
		rules: configuredRules(config),
		choices: config.ui.theme === 'auto' ? choices : withoutTheme(choices),
	};
}

/** A configured theme overrides the saved one. */
function withoutTheme({theme: _, ...choices}: Choices): Choices {
	return choices;
}

/** The alert rules of the configuration. */
export function configuredRules({alerts}: Config): readonly AlertRule[] {
	const read = alerts.rules.map(line => readAlertRule(line, {isConfigured: true}));
	return read.flatMap(rule => (rule.ok ? [rule.rule] : []));
}

function serviceLabel(config: Config): MonitorState['service'] {
	const {baseUrl} = config.service;
	const host = baseUrl === undefined ? undefined : hostsText([baseUrl].flat());
	const follow = followOf(config);
	if (follow === undefined)
		return host === undefined ? {label: 'simulated market', embedded: true} : {label: host, embedded: false};
	const names = follow.chains.map(({name}) => name);
	return host === undefined
		? {label: '', embedded: false, follow: {names}, noMoney: NO_MONEY.own}
		: {label: `money: ${host}`, embedded: false, follow: {names}};
}

/** `a.example:4010`, or `a.example:4010 +2` for three addresses. */
function hostsText([first, ...others]: readonly string[]): string {
	return `${new URL(first!).host}${others.length === 0 ? '' : ` +${others.length}`}`;
}

function recordingLabel({name, speed}: ShownRecording): MonitorState['service'] {
	return {label: name, embedded: false, recording: {phase: 'playing', speed}};
}

/** The display settings of the configuration. */
export function displayOf({risk, ui, colors}: Config): Display {
	return {thresholds: risk, isStill: ui.motion === 'none', colors};
}

/** The configured theme; with `auto` a guess from `COLORFGBG` (default dark), until the terminal reports its background. */
export function themeOf({ui}: Config): string {
	return ui.theme === 'auto' ? guessBackground(process.env['COLORFGBG']) : ui.theme;
}

/** The start settings of the columns, from the configuration. */
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
