import type {Entry} from '../../contract/entry.ts';
import {readEntry} from '../../contract/entry-reader.ts';
import {EVERYTHING, type Filter, matches} from '../../contract/filter.ts';
import {parseFilters} from '../../contract/filter-parse.ts';
import {keptByText} from '../../kept-by-text.ts';
import {mistakeText} from '../filter/clause.ts';
import {withViewOptions} from '../filter/compile.ts';
import {parseFilterLine} from '../filter/filter-line.ts';
import {VIEWS, type ViewName} from '../views.ts';

/** A rule that alerts when a token of a column, or of any column, starts to match a filter line. */
export interface AlertRule {
	readonly where: ViewName | 'all';
	/** A filter line without mistakes, not empty. */
	readonly line: string;
	readonly isOff: boolean;
	/** Whether the rule is from the configuration file, where it is changed. */
	readonly isConfigured: boolean;
}

/** A token that started to match a rule. */
export interface Alert {
	readonly rule: string;
	readonly key: string;
	readonly chainId: string;
	readonly address: string;
	readonly symbol: string;
	readonly view: ViewName;
	/** Local Unix ms; in a recording the recorded time. */
	readonly atMs: number;
	/** The token as it was then, or as it was when the stream was back; none in a test. */
	readonly entry?: Entry;
}

export interface AlertState {
	readonly rules: readonly AlertRule[];
	/** The newest first. */
	readonly recent: readonly Alert[];
	/** `rule key` of tokens that matched, also of those that matched when the rule or the rows were added: no more alerts for them. */
	readonly matched: ReadonlySet<string>;
	/** Alerts since the start of the program. */
	readonly rung: number;
	/** Alerts since the list was last opened. */
	readonly unseen: number;
	/** Tokens that match now are known and raise no alert, as while the service loads its history. */
	readonly isMuted?: boolean;
}

export const NO_ALERTS: AlertState = {rules: [], recent: [], matched: new Set(), rung: 0, unseen: 0};

export type ReadRule =
	| {readonly ok: true; readonly rule: AlertRule}
	/** `at` is the place of the mistake in the text, where it has one. */
	| {readonly ok: false; readonly problem: string; readonly at?: number};

/** Reads `[@new|@bonding|@bonded|@trending|@all] FILTER LINE`; without a column the rule is for all. */
export function readAlertRule(text: string, {isConfigured = false} = {}): ReadRule {
	const [, before = '', column = 'all', line = ''] = /^(\s*(?:@(\w*)\s*)?)(.*?)\s*$/.exec(text) ?? [];
	const where = (['all', ...VIEWS] as const).find(name => name === column);
	if (where === undefined)
		return {ok: false, problem: `@${column} is no column: write @new, @bonding, @bonded, @trending or @all`};
	if (line === '') return {ok: false, problem: 'a filter is needed: mcap>50k age<10m'};
	const parsed = parseFilterLine(line);
	if (!parsed.ok) {
		const mistake = parsed.errors[0]!;
		return {ok: false, problem: mistakeText(mistake, line), at: before.length + mistake.start};
	}
	return {ok: true, rule: {where, line, isOff: false, isConfigured}};
}

/** The rule as one text that `readAlertRule` reads. */
export function ruleText({where, line}: Pick<AlertRule, 'where' | 'line'>): string {
	return where === 'all' ? line : `@${where} ${line}`;
}

/** Whether a rule is on and a token of a column matches it. @param nowMs the service's clock, for ages */
export function matchesRule(rule: AlertRule, entry: Entry, view: ViewName, nowMs: number): boolean {
	if (rule.isOff || (rule.where !== 'all' && rule.where !== view)) return false;
	return matches(filterOf(rule.line), readEntry(entry), nowMs);
}

const filterOf = keptByText((line: string): Filter => {
	const parsed = parseFilterLine(line);
	return parsed.ok ? parseFilters(withViewOptions(parsed.filters, parsed.viewOptions), {mode: 'asset'}) : EVERYTHING;
});

/** Times of day without sound or notification, minutes from midnight; `from` may be after `to`, over midnight. */
export interface QuietHours {
	readonly from: number;
	readonly to: number;
}

/** Reads `23:00-07:00`; undefined for any other text. */
export function readQuietHours(text: string): QuietHours | undefined {
	const [, h1, m1, h2, m2] = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
	return h1 === undefined ? undefined : {from: Number(h1) * 60 + Number(m1), to: Number(h2) * 60 + Number(m2)};
}

/** Whether a moment lies in the quiet hours, by the local clock. */
export function isQuiet(hours: QuietHours | undefined, at: Date): boolean {
	if (!hours) return false;
	const minute = at.getHours() * 60 + at.getMinutes();
	return hours.from <= hours.to ? minute >= hours.from && minute < hours.to : minute >= hours.from || minute < hours.to;
}
