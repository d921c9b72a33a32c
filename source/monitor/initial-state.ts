import type {FieldName} from '../contract/fields.ts';
import type {SortOrder} from '../contract/sort.ts';
import {type AlertRule, NO_ALERTS, ruleText} from './alerts/alert-rules.ts';
import {type Choices, NO_CHOICES} from './choices.ts';
import {FULL_SCOPE} from './columns/scope.ts';
import {DEFAULT_VIEWS, type ShownViews} from './columns/shown-views.ts';
import {DEFAULT_DISPLAY, type Display} from './display.ts';
import type {ColumnFilter} from './filter/column-filter.ts';
import {columnFilterOf} from './filter/column-filter.ts';
import {DEFAULT_SAVED_VIEW} from './saved-views/saved-view.ts';
import type {MonitorState} from './state.ts';
import {newColumn} from './transitions/column.ts';
import {pinsSet} from './transitions/screen.ts';
import {NO_COMMANDS} from './user-commands.ts';
import {byView, type ViewName} from './views.ts';

/** The first settings of a column, from the configuration. */
export interface ColumnStart {
	readonly sortBy?: FieldName;
	readonly sortOrder?: SortOrder;
	/** A filter line. */
	readonly filter?: string;
	readonly limit?: number;
	/** The fields of its rows, in this order; empty for the default fields. */
	readonly fields?: readonly string[];
	/** Only these chains; empty for every chain. */
	readonly chains?: readonly string[];
}

/** The sources of the state of a start. */
export interface Start {
	readonly size: MonitorState['size'];
	readonly nowMs: number;
	/** The service's time (in a recording the recorded time) minus this machine's, ms. Default 0. */
	readonly skewMs?: number;
	readonly service: MonitorState['service'];
	readonly theme: string;
	readonly display?: Display;
	readonly readOnly?: boolean;
	readonly visit?: MonitorState['visit'];
	/** Keys of the configuration. */
	readonly keys?: MonitorState['keys'];
	/** Commands of the configuration. */
	readonly commands?: MonitorState['commands'];
	/** Whether the first-run tour is shown to a user who has not seen it. */
	readonly hasTour?: boolean;
	readonly columns?: Readonly<Partial<Record<ViewName, ColumnStart>>>;
	/** The columns that are shown, from left to right; undefined for those of the last run. */
	readonly shownViews?: ShownViews;
	readonly choices?: Choices;
	/** Alert rules of the configuration. */
	readonly rules?: readonly AlertRule[];
}

const DEFAULT_KEYS: MonitorState['keys'] = {};
/** The default model's limit (contract gaps 3.2). */
const LIMIT = 50;

/** The state before the first data of the service. */
export function initialState({
	size,
	nowMs,
	skewMs = 0,
	service,
	theme,
	display = DEFAULT_DISPLAY,
	readOnly = false,
	visit,
	keys = DEFAULT_KEYS,
	commands = NO_COMMANDS,
	columns = {},
	choices = NO_CHOICES,
	shownViews = choices.shownViews ?? DEFAULT_VIEWS,
	rules = [],
	hasTour = false,
}: Start): MonitorState {
	const column = (view: ViewName) => {
		const defaults = DEFAULT_SAVED_VIEW.columns[view];
		const start = columns[view] ?? {};
		const {
			sortBy = defaults.sortBy,
			sortOrder = defaults.sortOrder,
			filter,
			limit = LIMIT,
			chains = [],
			fields,
		} = start;
		return newColumn(view, {
			sortBy,
			sortOrder,
			window: defaults.window,
			filter: filterOf(filter),
			limit,
			chains,
			scope: choices.scope ?? FULL_SCOPE,
			...(fields && {fields}),
		});
	};
	const state: MonitorState = {
		nowMs,
		size,
		pageRows: 1,
		columns: byView(column),
		focus: shownViews[0]!,
		shownViews,
		scope: choices.scope ?? FULL_SCOPE,
		known: FULL_SCOPE,
		modes: [{kind: 'list'}],
		count: '',
		paused: false,
		skewMs,
		pins: new Map(),
		hidden: choices.hidden,
		watchedPredictions: choices.watchedPredictions,
		savedViews: choices.savedViews,
		alerts: {
			...NO_ALERTS,
			rules: [...rules, ...choices.alerts.filter(rule => !rules.some(r => ruleText(r) === ruleText(rule)))],
		},
		promotions: [],
		moved: new Map(),
		theme: choices.theme ?? theme,
		...(hasTour && !choices.tourSeen && {tour: 0}),
		...(choices.tourSeen && {tourSeen: true}),
		...(choices.theme !== undefined && {chosenTheme: choices.theme}),
		density: 'auto',
		display,
		service,
		readOnly,
		...(visit && {visit}),
		keys,
		commands,
	};
	return pinsSet(state, choices.pins);
}

function filterOf(text: string | undefined): ColumnFilter {
	return (text === undefined ? undefined : columnFilterOf(text)) ?? {text: ''};
}
