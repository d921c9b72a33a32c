import type {Client} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {PHASES, VIEWS} from '../../monitor/views.ts';
import type {Exec} from '../../ssh/transport.ts';
import {feedOutput} from '../feed/feed.ts';
import {readViews} from '../feed/once.ts';
import {requestFor} from '../feed/view-request.ts';
import type {Command, Flag, Grammar} from '../line/command.ts';
import {readCommandLine} from '../line/command-line.ts';

/*
 * What `ssh host WORDS` does: a table of its own, without a shell. No word and no flag names a file, an address or a key.
 */

const JSON_FLAG: Flag = {name: 'json', help: 'Print JSON.'};
const FEED: Command = {
	name: 'feed',
	summary: 'the three views as a table or JSON',
	flags: [
		{name: 'view', value: 'VIEW', choices: VIEWS, repeats: true, help: 'Only this view; may be repeated.'},
		{name: 'filter', value: 'FILTER', help: 'Only what matches.'},
		{name: 'sort', value: 'FIELD', help: 'Sort by a field.'},
		{name: 'limit', value: 'N', help: 'Rows per view, 1 to 100.'},
	],
};
const HELP: Command = {name: 'help', summary: 'these lines', flags: []};
const VERSION: Command = {name: 'version', summary: 'the version of the server', flags: []};
const WORDS: Grammar = {commands: [FEED, HELP, VERSION], globalFlags: [JSON_FLAG], defaultCommand: HELP};

const HELP_TEXT = `pulsetop over SSH
  ssh -t HOST                 the live monitor
  ssh HOST feed [--view new|bonding|bonded|trending] [--filter "mcap>50k"]
                [--sort "volume_1h desc"] [--limit N] [--json]
  ssh HOST version
`;
/** No program of this name (as shells have it). */
const UNKNOWN = 127;
const WRONG = 2;

/** Carries out a command that came over SSH. @returns its exit code */
export async function runWords(
	{command, stdout, stderr}: Exec,
	{config, client, version}: {readonly config: Config; readonly client: Client; readonly version: string},
): Promise<number> {
	const argv = wordsOf(command);
	const [word = 'help'] = argv;
	if (!WORDS.commands.some(({name}) => name === word)) {
		stderr.write('There is no such command here, try: ssh HOST help\n');
		return UNKNOWN;
	}
	try {
		const {path, flags} = readCommandLine(argv, WORDS);
		const isJSON = flags.has('json');
		switch (path[0]?.name) {
			case 'version':
				stdout.write(isJSON ? `${JSON.stringify({version})}\n` : `${version}\n`);
				return 0;
			case 'feed': {
				const names = flags.has('view') ? VIEWS.filter(view => flags.all('view').includes(view)) : PHASES;
				const views = Object.fromEntries(names.map(name => [name, requestFor(name, config, flags)]));
				const read = await readViews(client, {assetMode: true, views}, {totals: isJSON});
				const {table, document} = feedOutput(read, client.clock.nowMs(), {width: 100, ascii: false});
				stdout.write(isJSON ? `${JSON.stringify(document)}\n` : table());
				return 0;
			}
			default:
				stdout.write(HELP_TEXT);
				return 0;
		}
	} catch (error) {
		const {what, why, advice} = explain(error);
		stderr.write(`pulsetop: ${what}\n  ${why}\n  ${advice}\n`);
		return WRONG;
	} finally {
		await client.close();
	}
}

/** The words of a command, with quotes as in a shell and nothing else of one. */
function wordsOf(command: string): readonly string[] {
	const words = command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/g);
	return Array.from(words, ([, double, single, plain = '']) => single ?? (double ?? plain).replace(/\\(.)/g, '$1'));
}
