import type {Client} from '../../client/client.ts';
import type {Feed, FeedRequest} from '../../client/feed/feed-events.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {PHASES, VIEWS} from '../../monitor/views.ts';
import type {Exec} from '../../ssh/transport.ts';
import type {VisitorChoices} from '../../ssh/visitor-choices.ts';
import {feedOutput} from '../feed/feed.ts';
import {asLines} from '../feed/follow.ts';
import {readViews} from '../feed/once.ts';
import {requestFor} from '../feed/view-request.ts';
import type {Command, Flag, Grammar} from '../line/command.ts';
import {type CommandLine, readCommandLine} from '../line/command-line.ts';
import {chainOf} from '../line/operands.ts';
import {UsageError} from '../line/usage-error.ts';
import {knownToken, tokenText} from '../lookups/token.ts';

/*
 * The commands of `ssh host WORDS`: a table of its own, without a shell. No word and no flag names a file, an address or a key.
 */

const JSON_FLAG: Flag = {name: 'json', help: 'Print JSON.'};
const COMMANDS: readonly Command[] = [
	{
		name: 'feed',
		summary: 'the views as a table, JSON, or a line for each change',
		flags: [
			{name: 'view', value: 'VIEW', choices: VIEWS, repeats: true, help: 'Only this view; may be repeated.'},
			{name: 'filter', value: 'FILTER', help: 'Only what matches.'},
			{name: 'sort', value: 'FIELD', help: 'Sort by a field.'},
			{name: 'limit', value: 'N', help: 'Rows per view, 1 to 100.'},
			{name: 'follow', help: 'Keep going: each change as one line of JSON.'},
		],
	},
	{
		name: 'token',
		summary: 'what is known of a token',
		operands: 'ADDRESS',
		flags: [{name: 'chain', value: 'CHAIN', help: 'The chain of an EVM address.'}],
	},
	{
		name: 'settings',
		summary: 'what is kept for your key',
		flags: [],
		subcommands: ['show', 'forget'].map(name => ({name, summary: `${name} it`, flags: []})),
	},
	{name: 'version', summary: 'the version of the server', flags: []},
	{name: 'help', summary: 'these lines', flags: []},
];
const WORDS: Grammar = {commands: COMMANDS, globalFlags: [JSON_FLAG], defaultCommand: COMMANDS.at(-1)!};

const HELP = `pulsetop over SSH
  ssh -t HOST                 the live monitor
  ssh HOST feed [--view new|bonding|bonded|trending] [--filter "mcap>50k"]
                [--sort "volume_1h desc"] [--limit N] [--json] [--follow]
  ssh HOST token ADDRESS [--chain base] [--json]
  ssh HOST settings show|forget
  ssh HOST version
`;
/** No program of this name (as shells have it). */
const UNKNOWN = 127;
const FAILED = 1;
/** Cells of a table: a client without a terminal has no width. */
const LOOK = {width: 120, ascii: false};
/** A reader that is slower than the feed gets full views later, in place of changes that pile up, bytes. */
const MAX_WAITING = 1_000_000;
const LOOK_MS = 100;

export interface WordsContext {
	readonly config: Config;
	readonly client: Client;
	readonly version: string;
	readonly choices: VisitorChoices;
}

/** Carries out a command that came over SSH. @returns its exit code */
export async function runWords(exec: Exec, context: WordsContext): Promise<number> {
	const argv = wordsOf(exec.command);
	const [word = 'help'] = argv;
	if (!COMMANDS.some(({name}) => name === word)) {
		exec.stderr.write('There is no such command here, try: ssh HOST help\n');
		return UNKNOWN;
	}
	try {
		const line = readCommandLine(argv, WORDS);
		const text = await answerTo(line, exec, context);
		if (text !== undefined) exec.stdout.write(text);
		return 0;
	} catch (error) {
		const {what, why, advice} = explain(error);
		exec.stderr.write(`pulsetop: ${what}\n  ${why}\n  ${advice}\n`);
		return FAILED;
	} finally {
		await context.client.close();
	}
}

/** The text of an answer; undefined where it was written already. */
async function answerTo(
	{path, flags, operands}: CommandLine,
	exec: Exec,
	{config, client, version, choices}: WordsContext,
): Promise<string | undefined> {
	const isJSON = flags.has('json');
	switch (path.map(({name}) => name).join(' ')) {
		case 'version':
			return isJSON ? `${JSON.stringify({version})}\n` : `${version}\n`;
		case 'feed': {
			const names = flags.has('view') ? VIEWS.filter(view => flags.all('view').includes(view)) : PHASES;
			const views = Object.fromEntries(names.map(name => [name, requestFor(name, config, flags)]));
			if (flags.has('follow')) return follow(client, {assetMode: true, views}, exec);
			const read = await readViews(client, {assetMode: true, views}, {totals: isJSON});
			const {table, document} = feedOutput(read, client.clock.nowMs(), {...LOOK, thresholds: config.risk});
			return isJSON ? `${JSON.stringify(document)}\n` : table();
		}
		case 'token': {
			const [address, ...others] = operands;
			if (address === undefined || others.length > 0 || !/^\w+$/.test(address))
				throw new UsageError('token takes one address', 'Write it after the word: token 0x… --chain base.');
			const chainId = chainOf(address, flags);
			const entry = await knownToken(client, {chainId, address});
			return isJSON ? `${JSON.stringify({schema: 'pulsetop.token/1', tokens: [entry]})}\n` : tokenText(entry, LOOK);
		}
		case 'settings show':
			return choices.text(exec.identity) ?? 'Nothing is kept for you.\n';
		case 'settings forget':
			return choices.forget(exec.identity) ? 'Forgotten.\n' : 'Nothing was kept for you.\n';
		default:
			return HELP;
	}
}

/** Writes each change as a line of JSON until the client leaves. */
async function follow(client: Client, request: FeedRequest, {stdout, closed}: Exec): Promise<undefined> {
	let isPaused = false;
	const feed: Feed = client.openFeed({
		request,
		onEvent: event => {
			for (const line of asLines(event)) stdout.write(`${JSON.stringify(line)}\n`);
			if (isPaused || stdout.writableLength < MAX_WAITING) return;
			isPaused = true;
			feed.pause();
		},
	});
	const looking = setInterval(() => {
		if (!isPaused || stdout.writableLength > 0) return;
		isPaused = false;
		feed.resume();
	}, LOOK_MS);
	await closed;
	clearInterval(looking);
	feed.close();
}

/** The words of a command, with quotes as in a shell and nothing else of one. */
function wordsOf(command: string): readonly string[] {
	const words = command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/g);
	return Array.from(words, ([, double, single, plain = '']) => single ?? (double ?? plain).replace(/\\(.)/g, '$1'));
}
