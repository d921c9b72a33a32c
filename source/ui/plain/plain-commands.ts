import type {Entry} from '../../contract/entry.ts';
import {explain} from '../../errors.ts';
import {ruleText} from '../../monitor/alerts/alert-rules.ts';
import {shownKeys} from '../../monitor/columns/shown-keys.ts';
import {listedViews} from '../../monitor/columns/shown-views.ts';
import {whyOf} from '../../monitor/columns/why.ts';
import {focused} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {VIEWS} from '../../monitor/views.ts';
import {nearest} from '../../nearest.ts';
import type {Store} from '../../store.ts';
import {type Actions, COMMANDS} from '../features.ts';
import {clock} from '../format.ts';
import type {Announcer, Loudness} from './announcer.ts';
import {
	describeColumn,
	describeDetails,
	describeFollowing,
	describeLink,
	describeToken,
	describeWhy,
} from './descriptions.ts';

export interface PlainOptions {
	readonly store: Store<MonitorState>;
	readonly actions: Actions;
	readonly announcer: Announcer;
	readonly say: (line: string) => void;
	readonly quit: () => void;
}

interface PlainCommand {
	readonly usage: string;
	readonly help: string;
	readonly run: (argument: string) => void | Promise<void>;
}

/** How many tokens `list` reads out by default. */
const PAGE = 10;
/** Commands of the palette that make sense without a screen. */
const SHARED = ['sort', 'filter', 'window', 'column', 'view', 'alert'];

/** The commands of the plain mode. @returns carries out one typed line */
export function createPlainCommands(options: PlainOptions): (line: string) => Promise<void> {
	const {store, actions, announcer, say, quit} = options;
	/** Numbers mean the tokens that were read out last. */
	let numbered: readonly string[] = [];
	let next = 0;

	function list(count: number): void {
		const state = store.get();
		const column = focused(state);
		const keys = shownKeys(state, state.focus);
		if (next === 0) {
			say(describeColumn(column));
			numbered = keys;
		}
		const page = numbered.slice(next, next + count);
		for (const [at, key] of page.entries()) {
			const row = column.rows.get(key);
			if (row) say(`${next + at + 1}. ${describeToken(store.get(), row.entry, column.window)}`);
		}
		next += page.length;
		say(next < numbered.length ? `${numbered.length - next} more: type more.` : 'That is all.');
	}

	/** The token that a number of the last list or an address stands for. */
	async function tokenOf(argument: string): Promise<Entry> {
		const key = /^\d{1,3}$/.test(argument) ? numbered[Number(argument) - 1] : undefined;
		return actions.monitor.lookUpToken(key ?? argument);
	}

	const commands: Readonly<Record<string, PlainCommand>> = {
		list: {
			usage: 'list [new|bonding|bonded|trending] [COUNT]',
			help: 'Read tokens of a column, numbered.',
			run: argument => {
				const words = argument.split(/\s+/);
				const view = VIEWS.find(name => words.includes(name));
				if (view) actions.monitor.focusView(view);
				next = 0;
				list(Number(words.find(word => /^\d+$/.test(word)) ?? PAGE));
			},
		},
		more: {usage: 'more', help: 'Go on with the list.', run: () => list(PAGE)},
		open: {
			usage: 'open NUMBER|ADDRESS',
			help: 'Everything about a token.',
			run: async argument => {
				const entry = await tokenOf(argument);
				for (const line of describeDetails(store.get(), entry)) say(line);
			},
		},
		why: {
			usage: 'why NUMBER|ADDRESS',
			help: 'Why a token is in each column or not.',
			run: async argument => {
				const entry = await tokenOf(argument);
				for (const line of describeWhy(whyOf(store.get(), entry, actions.monitor.nowMs()))) say(line);
			},
		},
		alerts: {
			usage: 'alerts',
			help: 'Alert rules, and what rang.',
			run: () => {
				const {rules, recent} = store.get().alerts;
				say(
					rules.length === 0 ? 'No alert rules. Type alert and a filter to add one.' : `${rules.length} alert rules.`,
				);
				for (const rule of rules) say(`${ruleText(rule)}, ${rule.isOff ? 'off' : 'on'}.`);
				for (const {symbol, view, rule, atMs} of recent.slice(0, PAGE))
					say(`${clock(atMs)} ${symbol} in ${view} matched ${rule}.`);
			},
		},
		status: {
			usage: 'status',
			help: 'The connection and the columns.',
			run: () => {
				const state = store.get();
				say(describeLink(state));
				const {embedded, follow} = state.service;
				if (embedded) say('This is practice: a simulated market.');
				if (follow) say(describeFollowing(follow, state.nowMs));
				for (const view of listedViews(state)) say(describeColumn(state.columns[view]));
			},
		},
		say: {
			usage: 'say news|alerts|off',
			help: 'How much is announced.',
			run: argument => {
				const loudness = (['news', 'alerts', 'off'] as const satisfies Loudness[]).find(word => word === argument);
				if (!loudness) return say('Write say news, say alerts or say off.');
				announcer.setLoudness(loudness);
				say(
					{
						news: 'Newcomers, bonded tokens and alerts are announced.',
						alerts: 'Bonded tokens and alerts are announced.',
						off: 'Only responses are announced.',
					}[loudness],
				);
			},
		},
		reload: {
			usage: 'reload',
			help: 'Read the configuration file again; a change of it is noticed by itself, too.',
			run: () => actions.monitor.reloadConfig(),
		},
		pause: {
			usage: 'pause',
			help: 'Pause the feed, or resume it.',
			run: () => {
				actions.monitor.togglePause();
				say(store.get().paused ? 'The feed is paused.' : 'The feed goes on.');
			},
		},
		help: {
			usage: 'help',
			help: 'These commands.',
			run: () => {
				for (const {usage, help} of [...Object.values(commands), ...shared]) say(`${usage}: ${help}`);
			},
		},
		quit: {usage: 'quit', help: 'Leave the program.', run: quit},
	};
	const shared = COMMANDS.filter(({word}) => SHARED.includes(word));

	async function runShared(word: string, argument: string): Promise<boolean> {
		const command = shared.find(candidate => candidate.word === word);
		if (!command) return false;
		const problem = command.problem(argument, store.get());
		if (problem !== undefined) {
			say(`That can't be done: ${problem}.`);
			return true;
		}
		command.run(argument, actions[command.feature as keyof Actions]);
		next = 0;
		if (word !== 'alert') say(describeColumn(focused(store.get())));
		return true;
	}

	return async line => {
		const [, word = '', argument = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? [];
		if (word === '') return;
		try {
			const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
			if (command) await command.run(argument);
			else if (!(await runShared(word, argument))) {
				const near = nearest(word, [...Object.keys(commands), ...SHARED]);
				say(`There is no command ${word}${near === undefined ? '' : `; the nearest is ${near}`}. Type help.`);
			}
		} catch (error) {
			const {what, why} = explain(error);
			say(`${what}: ${why}.`);
		}
	};
}
