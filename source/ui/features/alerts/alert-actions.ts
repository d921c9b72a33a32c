import {readAlertRule, ruleText} from '../../../monitor/alerts/alert-rules.ts';
import {alertsSeen, ruleAdded, ruleRemoved, ruleToggled} from '../../../monitor/alerts/alert-transitions.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import {VIEWS} from '../../../monitor/views.ts';
import type {Context} from '../../feature.ts';
import {completeClause} from '../filter/filter-argument.ts';
import {createLookUp} from '../token/look-up.ts';

/** Where a rule can be for, in the order in which the prompt offers it. */
const PLACES = ['all', ...VIEWS] as const;

/** The actions of alert rules and of the list of alerts. */
export function createAlertActions({store, monitor}: Context) {
	const {apply, get} = store;
	const withToken = createLookUp({store, monitor});

	/** The rule that the marked line of the list stands for; undefined on a line that is an alert. */
	function markedRule(): MonitorState['alerts']['rules'][number] | undefined {
		const mode = topMode(get());
		return mode.kind === 'alerts' ? get().alerts.rules[mode.index] : undefined;
	}

	function add(text: string): void {
		const read = readAlertRule(text);
		if (!read.ok) {
			monitor.notify(`The rule can't be used: ${read.problem}.`, 'bad');
			return;
		}
		apply(state => ruleAdded(state, read.rule, monitor.nowMs()));
		monitor.saveChoices();
		monitor.notify(`An alert rings when a token comes to match ${ruleText(read.rule)}.`, 'good');
	}

	return {
		close: monitor.leaveMode,
		open: () => {
			const {rules, recent, unseen} = get().alerts;
			monitor.enterMode({kind: 'alerts', index: unseen > 0 && recent.length > 0 ? rules.length : 0});
			apply(alertsSeen);
		},
		addRule: add,
		openRule: () => monitor.enterMode({kind: 'alertRule', where: 'all', edit: editOf('')}),
		nextPlace: (by: number) =>
			monitor.changeMode(mode =>
				mode.kind === 'alertRule'
					? {...mode, where: PLACES[(PLACES.indexOf(mode.where) + by + PLACES.length) % PLACES.length]!}
					: mode,
			),
		complete: () => completeClause(monitor),
		acceptRule: () => {
			const mode = topMode(get());
			if (mode.kind !== 'alertRule') return;
			const text = `@${mode.where} ${mode.edit.text}`;
			// A line with a mistake stays open: the message below it points at the place.
			if (!readAlertRule(text).ok) return;
			monitor.leaveMode();
			add(text);
		},
		/** Enter in the list: switches a rule on or off, opens the token of an alert. */
		accept: (index: number) => {
			monitor.leaveMode();
			const {rules, recent} = get().alerts;
			const rule = rules[index];
			if (!rule) {
				const alert = recent[index - rules.length];
				if (alert) withToken(`${alert.address} ${alert.chainId}`, monitor.openDetailOf);
				return;
			}
			monitor.enterMode({kind: 'alerts', index});
			apply(state => ruleToggled(state, ruleText(rule), monitor.nowMs()));
			monitor.saveChoices();
		},
		/** Rings once for the marked rule, with the first token on screen or a made-up one. */
		testRule: () => {
			const rule = markedRule();
			if (!rule) return monitor.notify('Put the mark on a rule to test it.', 'warn');
			const state = get();
			const [entry] = VIEWS.flatMap(view => [...state.columns[view].rows.values()].slice(0, 1)).map(row => row.entry);
			const done = monitor.tryAlert({
				rule: ruleText(rule),
				key: entry?.key ?? 'test',
				chainId: entry?.chain_id ?? 'test',
				address: entry?.address ?? 'test',
				symbol: entry?.symbol ?? 'TEST',
				view: rule.where === 'all' ? 'new' : rule.where,
				atMs: monitor.nowMs(),
			});
			monitor.notify(`Test of ${ruleText(rule)}: ${done ?? 'nothing can ring here'}.`, 'good');
		},
		removeRule: () => {
			const rule = markedRule();
			if (!rule) return monitor.notify('Put the mark on a rule to remove it.', 'warn');
			if (rule.isConfigured)
				return monitor.notify('This rule stands in the configuration file.', 'warn', '{menu.accept} switches it off.');
			apply(state => ruleRemoved(state, ruleText(rule)));
			monitor.saveChoices();
			monitor.notify(`Removed the alert ${ruleText(rule)}.`);
		},
	};
}
