import type {Config} from '../../../config/config.ts';
import {configuredRulesSet} from '../../../monitor/alerts/alert-transitions.ts';
import type {Column} from '../../../monitor/columns/column.ts';
import {DEFAULT_FIELDS} from '../../../monitor/columns/row-fields.ts';
import {DEFAULT_VIEWS} from '../../../monitor/columns/shown-views.ts';
import {columnFilterOf} from '../../../monitor/filter/column-filter.ts';
import {DEFAULT_SAVED_VIEW} from '../../../monitor/saved-views/saved-view.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {
	chainsChanged,
	fieldsChanged,
	filterChanged,
	limitChanged,
	sortChanged,
} from '../../../monitor/transitions/column.ts';
import {columnChanged, limitFor, viewsShown} from '../../../monitor/transitions/screen.ts';
import {readUserCommands} from '../../../monitor/user-commands.ts';
import type {ViewName} from '../../../monitor/views.ts';
import {keyOverrides} from '../../../ui/keymap/classic-keys.ts';
import {columnStarts, configuredRules, displayOf, themeOf} from '../start.ts';

/** Applies a setting that changed in the file to a running monitor. */
type Apply = (state: MonitorState, change: Change) => MonitorState;

export interface Change {
	readonly config: Config;
	/** The path of the setting: `ui.theme`. */
	readonly path: string;
	/** The background of the terminal; undefined while it is unknown. */
	readonly background: 'dark' | 'light' | undefined;
	/** Unix ms. */
	readonly nowMs: number;
}

/** The settings that apply at once. Every other setting needs a restart. */
const LIVE_SETTINGS: readonly (readonly [RegExp, Apply])[] = [
	// Only a restart switches read-only off: an edit in another program must not unlock money.
	[/^read-only$/, state => ({...state, readOnly: true})],
	[/^(?:keys|ui\.keys)$/, (state, {config}) => ({...state, keys: keyOverrides(config.ui.keys, config.keys)})],
	[/^commands$/, (state, {config}) => ({...state, commands: readUserCommands(config.commands).commands})],
	[/^ui\.theme$/, themeApplied],
	[/^ui\.columns$/, (state, {config}) => viewsShown(state, config.ui.columns ?? DEFAULT_VIEWS)],
	[/^(?:ui\.motion|colors|risk\.\w+)$/, (state, {config}) => ({...state, display: displayOf(config)})],
	[/^alerts\.rules$/, (state, {config, nowMs}) => configuredRulesSet(state, configuredRules(config), nowMs)],
	// Alert effects and the trade window are not in the state: they read the configuration.
	[/^(?:alerts\.(?:bell|desktop|command|quiet)|trade\.\w+)$/, state => state],
	[/^columns\.\w+\.(?:filter|sort|fields|limit|chains)$/, columnApplied],
];

/**
 * Whether a setting applies without a restart.
 * @param path in the file: `ui.theme`
 * @param config the new configuration; only `read-only` depends on its value
 */
export function isLive(path: string, config?: Pick<Config, 'readOnly'>): boolean {
	if (path === 'read-only') return config?.readOnly === true;
	return LIVE_SETTINGS.some(([paths]) => paths.test(path));
}

/** The state with one setting of the configuration in force; the same state for a setting that needs a restart. */
export function settingApplied(state: MonitorState, change: Change): MonitorState {
	const [, apply] = LIVE_SETTINGS.find(([paths]) => paths.test(change.path)) ?? [];
	return apply === undefined ? state : apply(state, change);
}

/** A configured theme overrides the one that was chosen by key; `auto` goes back to the chosen one. */
function themeApplied(state: MonitorState, {config, background}: Change): MonitorState {
	const known = config.ui.theme === 'auto' ? (state.chosenTheme ?? background) : undefined;
	return {...state, theme: known ?? themeOf(config)};
}

function columnApplied(state: MonitorState, {config, path}: Change): MonitorState {
	const [, view, name] = path.split('.') as ['columns', ViewName, keyof Config['columns']['new']];
	const start = columnStarts(config)[view] ?? {};
	const defaults = DEFAULT_SAVED_VIEW.columns[view];
	const {sortBy = defaults.sortBy, sortOrder = defaults.sortOrder, filter = '', fields = DEFAULT_FIELDS} = start;
	const {limit, chains} = config.columns[view];
	const changes: Readonly<Record<typeof name, (column: Column) => Column>> = {
		filter: column => filterChanged(column, columnFilterOf(filter) ?? {text: ''}),
		sort: column => sortChanged(column, sortBy, sortOrder),
		fields: column => fieldsChanged(column, fields),
		limit: column => limitChanged(column, limitFor(limit, state.pageRows)),
		chains: column => chainsChanged(column, chains),
	};
	return columnChanged(state, view, changes[name]);
}
