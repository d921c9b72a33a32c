import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {COMMAND_LINE} from '../../source/commands/command-table.ts';
import {meaningProblems} from '../../source/commands/config/meaning.ts';
import {readCommandLine} from '../../source/commands/line/command-line.ts';
import {loadConfig} from '../../source/config/config.ts';
import {readConfigText} from '../../source/config/config-file.ts';
import {parseFilterLine} from '../../source/monitor/filter/filter-line.ts';
import {ROOT} from '../../source/tools/bundle.ts';
import {PAGES} from '../../source/tools/docs-parts.ts';

const PAGE_TEXTS = await Promise.all(PAGES.map(page => readFile(join(ROOT, page), 'utf8')));
const ALL = PAGE_TEXTS.join('\n');

/** The blocks of a language. */
const blocks = (language: string) =>
	Array.from(ALL.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')), ([, text]) => text!);

/** The arguments that a shell would pass to `pulsetop`, for each line in which it is a command. */
function callsIn(text: string): string[][] {
	return [...text.matchAll(/(?:^|[|;&(] *)pulsetop\b((?:"[^"]*"|'[^']*'|[^\n|;&)#<>"'])*)/gm)].map(([, rest]) =>
		// A descriptor before `<` belongs to the shell.
		// So do a substitution at the end and its first half, where the line was cut.
		Array.from(
			rest!
				.replace(/ \$\([^"]*$/, '')
				.replace(/ \d$/, '')
				.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
			([, a, b, c]) => a ?? b ?? c!,
		),
	);
}

const calls = [
	...blocks('sh').flatMap(callsIn),
	...Array.from(ALL.matchAll(/`(pulsetop [^`]*)`/g), ([, text]) => text!).flatMap(callsIn),
];

test('the pages show the program at work', () => {
	expect(calls.length).toBeGreaterThan(20);
	expect(blocks('toml').length).toBeGreaterThan(3);
});

test.each(calls.map(args => [args.join(' '), args] as const))(
	'pulsetop %s is a command with flags that it has',
	(_, args) => {
		// A table cell or a sentence may name a command without what it works on.
		const needed = /^(?:token|labels|sparkline|record|replay|schema|completion)$/.test(args.join(' ')) ? ['x'] : [];
		const {path, flags} = readCommandLine([...args, ...needed], COMMAND_LINE);
		for (const name of ['filter', 'rule']) {
			for (const line of [flags.values()[name] ?? []].flat()) {
				if (path.some(command => command.name === 'webhook')) continue;
				expect(parseFilterLine(String(line).replace(/^@\w+ /, '')), String(line)).toMatchObject({ok: true});
			}
		}
	},
);

test.each(blocks('toml').map(text => [text.split('\n')[0], text]))(
	'the configuration that begins with %s is right',
	async (_, text) => {
		const home = await mkdtemp(join(tmpdir(), 'pulsetop-'));
		const file = join(home, 'config.toml');
		try {
			await writeFile(file, text!);
			await loadConfig({flags: {config: file}, env: {HOME: home}});
			expect(await meaningProblems(await readConfigText(text!, file))).toEqual([]);
		} finally {
			await rm(home, {recursive: true});
		}
	},
);

test('no recipe gives curl a body of which the service decides whether it is a file', () => {
	// `-d` and `--data` read the file that follows an `@`, and a token's symbol may begin with one.
	for (const [line] of ALL.matchAll(/^.*\bcurl\b.*$/gm))
		expect(line).not.toMatch(/\s(-d|--data|--data-binary)\s+\\?["']\$/);
	expect(ALL).toContain('--data-raw');
});
