import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {COMMAND_LINE} from '../../source/commands/command-table.ts';
import type {Command} from '../../source/commands/line/command.ts';
import {runHere} from '../helpers/commands-here.ts';
import {type Outcome, runCli} from '../helpers/program.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/* How each command ends: its exit code, and the code of its error in JSON. */

const TOKEN = '0x00000000000000000000000000000000000000a1';
/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:1';

interface End {
	/** Operands and flags that are right. */
	readonly given?: readonly string[];
	readonly exit: number;
	/** Undefined: it prints a document. */
	readonly error?: string;
	/** What it needs to know of no configuration file: a wrong one changes nothing. */
	readonly readsNoFile?: true;
}

const DONE: End = {exit: 0};
const UNREACHABLE = {exit: 69, error: 'service-unreachable'} as const;
/** Money is confirmed at a terminal. */
const NO_TERMINAL = {exit: 2, error: 'usage'} as const;
const NO_WALLET = {exit: 2, error: 'wallet-name'} as const;

/** Without a terminal and a wallet, and with a service that is away. Commands that wait for it until they are stopped are not here. */
const ENDS: Readonly<Record<string, End>> = {
	monitor: UNREACHABLE,
	feed: UNREACHABLE,
	replay: {given: ['/none.rec'], exit: 1, error: 'recording-unreadable'},
	token: {given: [TOKEN, '--chain', 'base'], ...UNREACHABLE},
	labels: {given: [TOKEN], ...UNREACHABLE},
	sparkline: {given: [TOKEN, '--chain', 'base'], ...UNREACHABLE},
	buy: {given: [`base:${TOKEN}`, '--amount', '5'], ...NO_TERMINAL},
	sell: {given: [`base:${TOKEN}`, '--all'], ...NO_TERMINAL},
	positions: DONE,
	'bridge quote': {given: ['--from', `base:${TOKEN}`, '--to', 'arbitrum', '--amount', '1'], ...NO_WALLET},
	'bridge execute': {given: ['--from', `base:${TOKEN}`, '--to', 'arbitrum', '--amount', '1'], ...NO_TERMINAL},
	'bridge status': {given: ['abcdefg-hijklmn-opq'], ...UNREACHABLE},
	'bridge list': DONE,
	'perp orders': NO_WALLET,
	'perp cancel': {given: ['1'], ...NO_TERMINAL},
	'perp practice-order': {exit: 3, error: 'practice-wall'},
	'market show': {given: ['platformA:1001'], ...UNREACHABLE},
	'market status': {given: [TOKEN], ...UNREACHABLE},
	'market deploy': NO_TERMINAL,
	'market deposit': NO_TERMINAL,
	'market withdraw': NO_TERMINAL,
	'webhook list': UNREACHABLE,
	'webhook create': {given: ['mine', '--url', 'https://a.example/', '--show-secret'], ...UNREACHABLE},
	'webhook update': {given: ['w1', '--no-filter'], ...UNREACHABLE},
	'webhook delete': {given: ['w1'], ...UNREACHABLE},
	'webhook deliveries': {given: ['w1'], ...UNREACHABLE},
	'webhook listen': UNREACHABLE,
	'follow check': {given: [AWAY], exit: 69},
	'follow coverage': {given: [AWAY], exit: 69, error: 'node-unanswered'},
	'wallet list': DONE,
	'wallet create': {given: ['main'], ...NO_TERMINAL},
	'wallet import': {given: ['main', '/none'], ...NO_TERMINAL},
	'wallet limits': DONE,
	'wallet pins': DONE,
	'wallet log': DONE,
	'wallet fund': {exit: 3, error: 'practice-wall'},
	'config path': {...DONE, readsNoFile: true},
	'config show': DONE,
	'config validate': {given: ['/none.toml'], exit: 2, readsNoFile: true},
	'config template': {...DONE, readsNoFile: true},
	doctor: {exit: 1, readsNoFile: true},
	schema: {given: ['feed'], ...DONE, readsNoFile: true},
	completion: {given: ['bash'], ...DONE, readsNoFile: true},
	man: {...DONE, readsNoFile: true},
};
const WAITING = ['serve', 'serve-ssh', 'watch', 'record'];

/** `bridge quote`: every command that runs. */
function runningCommands(commands: readonly Command[], above: readonly string[] = []): readonly string[] {
	return commands.flatMap(({name, subcommands}) =>
		subcommands === undefined ? [[...above, name].join(' ')] : runningCommands(subcommands, [...above, name]),
	);
}

/** The exit code, and the code of the error where one is printed. */
function endIn({code, stderr}: Pick<Outcome, 'code' | 'stderr'>): Pick<End, 'exit' | 'error'> {
	const line = stderr.split('\n').find(text => text.startsWith('{"error"'));
	const error = line && (JSON.parse(line) as {error: {code: string}}).error.code;
	return {exit: code!, ...(error !== undefined && {error})};
}

test('the table has every command', () => {
	const names = [...Object.keys(ENDS), ...WAITING].toSorted();
	expect(names).toEqual(runningCommands(COMMAND_LINE.commands).toSorted());
});

describe.each(Object.entries(ENDS))('%s', (name, {given = [], exit, error, readsNoFile}) => {
	const command = [...name.split(' '), ...given];
	const away = ['--base-url', AWAY, '--api-key', 'k'];
	const end = {exit, ...(error !== undefined && {error})};

	test(`ends with ${exit}${error === undefined ? '' : ` and ${error}`} where the service is away`, async () => {
		expect(endIn(await runCli([...command, ...away, '--json']))).toEqual(end);
	});

	test('refuses a flag that it does not have', async () => {
		const left = await runHere(temporaryDirectory(), ...command, '--no-such-flag', '--json');
		expect(endIn(left)).toEqual({exit: 2, error: 'usage'});
	});

	test(
		readsNoFile ? 'runs beside a wrong configuration' : 'refuses a wrong configuration before anything else',
		async () => {
			const home = temporaryDirectory();
			const file = join(home, 'config.toml');
			writeFileSync(file, '[ui]\ntheme = "purple"\n');
			const left = await runHere(home, ...command, ...away, '--config', file, '--json');
			expect(endIn(left)).toEqual(readsNoFile ? end : {exit: 2, error: 'config'});
		},
	);
});
