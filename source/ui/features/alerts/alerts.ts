import {readAlertRule, ruleText} from '../../../monitor/alerts/alert-rules.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import {VIEWS} from '../../../monitor/views.ts';
import type {MenuItem} from '../../feature.ts';
import {feature} from '../../feature.ts';
import {clock} from '../../format.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {filterCompletions} from '../filter/filter-argument.ts';
import {createAlertActions} from './alert-actions.ts';

/** The forms of an alert rule, beside its keys. */
const RULES = [
	['a rule', 'Any filter line: mcap>100k dev<5%, kw:elon age<5m. It rings once for each token that comes to match.'],
	['one token', 'Its address and what is waited for: address:ADDRESS mcap>100k.'],
	['a price move', 'The change over a window: chg5m>50 (up 50 % in 5 minutes), chg1h<-30.'],
] as const;

/** Rules that ring when a token comes to match, and what rang. */
export const alerts = feature({
	name: 'alerts',
	actions: createAlertActions,
	modes: {
		alerts: {
			help: 'alerts',
			menu: {
				title: 'Alert rules and recent alerts',
				items: (_, {state}) => alertItems(state),
				source: state => state.alerts,
				empty: 'No rule yet: {alerts.new} adds one, such as mcap>100k dev<5%',
				isFilled: ({alerts: {rules, recent}}) => rules.length + recent.length > 0,
				accept: ({id}, _, a) => a.accept(Number(id)),
			},
			remove: {
				label: 'remove rule',
				when: state => markedRule(state)?.isConfigured === false,
				run: a => a.removeRule(),
			},
		},
		alertRule: {
			help: 'alerts',
			typesLine: true,
			promptRows: 2,
			accepts: 'add it',
			accept: (_, a) => a.acceptRule(),
			fields: {label: 'column', move: (by, a) => a.nextPlace(by)},
			complete: a => a.complete(),
		},
	},
	help: {alerts: {title: 'ALERTS ({alerts.open})', rank: 40, notes: RULES}},
	commands: [
		{
			word: 'alert',
			usage: 'alert [@new|@bonding|@bonded|@trending] FILTER',
			help: 'Ring when a token comes to match.',
			problem: argument => {
				const read = readAlertRule(argument);
				return read.ok ? undefined : read.problem;
			},
			completions: argument => {
				const line = /^(?:@\w*\s+)?(.*)$/.exec(argument)?.[1] ?? '';
				const before = argument.slice(0, argument.length - line.length);
				if (argument.startsWith('@') && before === '')
					return VIEWS.filter(view => `@${view}`.startsWith(argument)).map(view => ({argument: `@${view} `, note: ''}));
				return filterCompletions(line).map(({argument: rest, note}) => ({argument: before + rest, note}));
			},
			run: (argument, a) => a.addRule(argument),
		},
	],
	bindings: [
		{
			id: 'alerts.open',
			keys: ['A'],
			modes: BROWSE,
			group: 'View',
			label: 'alerts',
			title: 'Alerts',
			help: 'Alert rules and recent alerts.',
			hint: 72,
			run: a => a.open(),
		},
		{
			id: 'alerts.new',
			keys: ['n', 'a'],
			modes: ['alerts'],
			group: 'Menu',
			label: 'new rule',
			help: 'New rule: a filter line. It rings when a token comes to match.',
			hint: 7,
			run: a => a.openRule(),
		},
		{
			id: 'alerts.test',
			keys: ['t'],
			modes: ['alerts'],
			group: 'Menu',
			label: 'test',
			help: 'Test the marked rule: ring the bell, the desktop message and the command once, with a token of the screen.',
			hint: 9,
			hintWhen: state => markedRule(state) !== undefined,
			run: a => a.testRule(),
		},
	],
});

function markedRule(state: MonitorState): MonitorState['alerts']['rules'][number] | undefined {
	const mode = topMode(state);
	return mode.kind === 'alerts' ? state.alerts.rules[mode.index] : undefined;
}

/** Rules first, then the alerts that came, the newest first. The id is the place in that list. */
function alertItems({alerts: {rules, recent}}: MonitorState): readonly MenuItem[] {
	const lines = [
		...rules.map(rule => ({
			label: `rule  ${ruleText(rule)}`,
			note: `${rule.isOff ? 'off' : 'on'}${rule.isConfigured ? ', from the configuration' : ''}`,
			isCurrent: !rule.isOff,
		})),
		...recent.map(({symbol, view, rule, atMs}) => ({label: `${clock(atMs)}  ${symbol} in ${view}`, note: rule})),
	];
	return lines.map((line, at) => ({id: String(at), ...line}));
}
