import type {Entry} from '../../contract/entry.ts';
import type {Column} from '../columns/column.ts';
import {hidingOf} from '../hides/hides.ts';
import {withLoss} from '../resumed.ts';
import {headOf, shownMs} from '../select.ts';
import {type MonitorState, topMode} from '../state.ts';
import {modeChanged, noticed} from '../transitions/screen.ts';
import {VIEWS, type ViewName} from '../views.ts';
import {type Alert, type AlertRule, matchesRule, ruleText} from './alert-rules.ts';

/** How many alerts and how many matches are kept, the newest. */
const MAX_RECENT = 100;
const MAX_MATCHED = 5000;

const mark = (rule: AlertRule, key: string): string => `${ruleText(rule)} ${key}`;

/** Tokens that came into the views while the stream was lost, and left them again. */
export type MissedInViews = ReadonlyMap<ViewName, {readonly missed?: readonly Entry[]}>;

/**
 * Raises an alert for each token that started to match a rule between two states, once for each rule. The first rows of a
 * column, also after another filter or sort, raise none: they may have matched before. Nor do any while alerts are muted.
 * @param nowMs local Unix ms
 * @param changes with the tokens that came and went while the stream was lost: they raise alerts like rows
 */
export function alertsRaised(
	before: MonitorState,
	after: MonitorState,
	nowMs: number,
	changes: MissedInViews = new Map(),
): MonitorState {
	const {rules, isMuted} = after.alerts;
	if (rules.length === 0) return after;
	const matched = new Set(after.alerts.matched);
	const raised: Alert[] = [];

	function raise(rule: string, entry: Entry, view: ViewName): void {
		const {key, chain_id: chainId, address, symbol = address} = entry;
		raised.push({rule, key, chainId, address, symbol, view, atMs: shownMs(after, nowMs), entry});
	}

	for (const [view, {missed = []}] of changes) {
		const was = headOf(before.columns[view]);
		for (const entry of missed) {
			const met = rulesMet(rules, entry, was, nowMs + after.skewMs);
			const fresh = met.rules.filter(rule => !matched.has(mark(rule, entry.key)));
			for (const rule of met.rules) matched.add(mark(rule, entry.key));
			if (isMuted || hidingOf(entry, after.hidden)) continue;
			if (met.isAnyOf && fresh.length === met.rules.length) raise(met.isAnyOf, entry, view);
			else if (!met.isAnyOf) for (const rule of fresh) raise(ruleText(rule), entry, view);
		}
	}
	for (const view of VIEWS) {
		const [was, is] = [headOf(before.columns[view]), headOf(after.columns[view])];
		if (was.rows === is.rows) continue;
		const isFirst = isMuted === true || !hadRows(was);
		for (const [key, {entry, departed}] of is.rows) {
			if (departed || was.rows.get(key)?.entry === entry) continue;
			for (const rule of rules) {
				if (matched.has(mark(rule, key)) || !matchesRule(rule, entry, view, nowMs + after.skewMs)) continue;
				matched.add(mark(rule, key));
				if (isFirst || hidingOf(entry, after.hidden)) continue;
				raise(ruleText(rule), entry, view);
			}
		}
	}
	if (matched.size === after.alerts.matched.size) return after;
	const mode = topMode(after);
	const isListed = mode.kind === 'alerts';
	const alerts = {
		...after.alerts,
		matched: matched.size <= MAX_MATCHED ? matched : newestOf(matched, after),
		recent: [...raised.toReversed(), ...after.alerts.recent].slice(0, MAX_RECENT),
		rung: after.alerts.rung + raised.length,
		unseen: isListed ? 0 : after.alerts.unseen + raised.length,
	};
	const next = {...after, alerts};
	const [newest] = alerts.recent;
	if (raised.length === 0 || !newest) return next;
	// The open list shows the alert instead of a notice; its mark stays on the same alert.
	if (isListed) {
		const last = rules.length + alerts.recent.length - 1;
		const index = mode.index < rules.length ? mode.index : Math.min(mode.index + raised.length, last);
		return modeChanged(next, {...mode, index});
	}
	const more = raised.length > 1 ? ` and ${raised.length - 1} more` : '';
	return noticed(next, {
		text: withLoss(
			next,
			`Alert: ${newest.symbol}${more} (${newest.view.toUpperCase()}) matches ${newest.rule}.`,
			nowMs,
		),
		hint: '{alerts.open} to view.',
		tone: 'warn',
		atMs: nowMs,
		isEvent: true,
	});
}

/** Whether rows of the column's request had come: later tokens are new, also after a failure in between. */
function hadRows({status}: Column): boolean {
	return status.kind === 'ready' || (status.kind === 'failed' && status.wasReady === true);
}

/**
 * The rules met by a token that entered a column and left. Its figures are the present ones: the token may no longer meet any rule.
 * Where the column's filter consists of the rules alone, as in `pulsetop watch`, the token met a rule when it entered.
 */
function rulesMet(
	all: readonly AlertRule[],
	entry: Entry,
	column: Column,
	nowMs: number,
): {readonly rules: readonly AlertRule[]; readonly isAnyOf?: string} {
	const rules = all.filter(rule => matchesRule(rule, entry, column.view, nowMs));
	if (rules.length > 0) return {rules};
	const possible = all.filter(({where, isOff}) => !isOff && (where === 'all' || where === column.view));
	const [only] = possible;
	if (only === undefined || column.filter.text !== anyOf(possible)) return {rules};
	return {rules: possible, isAnyOf: possible.length === 1 ? ruleText(only) : column.filter.text};
}

/** The filter line for tokens that meet any of the rules. */
export function anyOf(rules: readonly AlertRule[]): string {
	return rules.map(({line}) => `(${line})`).join(' | ');
}

/** The newest marks, and those of tokens that are in a column: without its mark a token would ring again. */
function newestOf(matched: ReadonlySet<string>, {columns}: MonitorState): ReadonlySet<string> {
	const all = [...matched];
	const isShown = (text: string): boolean => {
		const key = text.slice(text.lastIndexOf(' ') + 1);
		return VIEWS.some(view => headOf(columns[view]).rows.has(key));
	};
	const old = all.slice(0, -MAX_MATCHED).filter(isShown);
	return new Set([...old, ...all.slice(-MAX_MATCHED)]);
}

/** A rule was added or replaced an equal one. Tokens that match it now are known and raise no alert. @param nowMs local Unix ms */
export function ruleAdded(state: MonitorState, rule: AlertRule, nowMs: number): MonitorState {
	const others = state.alerts.rules.filter(known => ruleText(known) !== ruleText(rule));
	const matched = new Set(state.alerts.matched);
	for (const view of VIEWS) {
		for (const [key, {entry}] of headOf(state.columns[view]).rows)
			if (matchesRule(rule, entry, view, nowMs + state.skewMs)) matched.add(mark(rule, key));
	}
	return {...state, alerts: {...state.alerts, rules: [...others, rule], matched}};
}

/**
 * The configuration was read again: a new rule starts like one that was added, a rule that was there keeps its state, also
 * switched off. The user's own rules stay behind them.
 */
export function configuredRulesSet(state: MonitorState, rules: readonly AlertRule[], nowMs: number): MonitorState {
	const known = new Map(state.alerts.rules.map(rule => [ruleText(rule), rule]));
	const fresh = rules.filter(rule => !known.has(ruleText(rule)));
	const {alerts, ...rest} = fresh.reduce((next, rule) => ruleAdded(next, rule, nowMs), state);
	const configured = rules.map(rule => ({...rule, isOff: known.get(ruleText(rule))?.isOff ?? rule.isOff}));
	const names = new Set(configured.map(ruleText));
	const own = state.alerts.rules.filter(rule => !rule.isConfigured && !names.has(ruleText(rule)));
	return {...rest, alerts: {...alerts, rules: [...configured, ...own]}};
}

/** A rule was removed. @param text as `ruleText` gives it */
export function ruleRemoved(state: MonitorState, text: string): MonitorState {
	return {...state, alerts: {...state.alerts, rules: state.alerts.rules.filter(rule => ruleText(rule) !== text)}};
}

/** A rule was switched on or off. Switched on, it starts like a new rule. */
export function ruleToggled(state: MonitorState, text: string, nowMs: number): MonitorState {
	const rule = state.alerts.rules.find(known => ruleText(known) === text);
	if (!rule) return state;
	const toggled = {...rule, isOff: !rule.isOff};
	const rules = state.alerts.rules.map(known => (known === rule ? toggled : known));
	const added = ruleAdded(state, toggled, nowMs);
	return {...added, alerts: {...added.alerts, rules}};
}

/** Changes from now on raise no alert, as while the embedded service replays the day before. */
export function alertsMuted(state: MonitorState): MonitorState {
	return {...state, alerts: {...state.alerts, isMuted: true}};
}

/** Changes from now on raise alerts again. */
export function alertsUnmuted(state: MonitorState): MonitorState {
	const {isMuted: _, ...alerts} = state.alerts;
	return {...state, alerts};
}

/** The list of alerts was opened. */
export function alertsSeen(state: MonitorState): MonitorState {
	return state.alerts.unseen === 0 ? state : {...state, alerts: {...state.alerts, unseen: 0}};
}
