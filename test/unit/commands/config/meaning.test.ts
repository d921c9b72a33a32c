import {expect, test} from 'vitest';
import {assertMeaningful, meaningProblems} from '../../../../source/commands/config/meaning.ts';
import type {Config} from '../../../../source/config/config.ts';
import {readConfigText} from '../../../../source/config/config-file.ts';

/** Everything that is wrong in a configuration, as a person reads it. */
async function problemsOf(text: string): Promise<readonly string[]> {
	const problems = await meaningProblems(await readConfigText(text, 'c.toml'));
	return problems.map(({message, why}) => `${message}. ${why}`);
}

test('good filters, sorts, rules and names of fields pass', async () => {
	const text = `
[columns.new]
filter = "mcap>5k -kw:test"
sort = "volume_1h asc"
fields = ["mcap", "age", "buyers5m", "vol:1h"]
[columns.bonded]
sort = "age"
[alerts]
rules = ["@bonded mcap>100k", "kw:elon age<5m"]
[provider.aliases]
vaultAddress = "safeAddress"
holders_count = "owners"
marketCap = "cap"
`;
	expect(await problemsOf(text)).toEqual([]);
});

test('every mistake of a filter is reported with its line and position', async () => {
	expect(await problemsOf('[columns.bonding]\n\nfilter = "mcap>5k holders>x hldrz<3"')).toEqual([
		expect.stringMatching(
			/^The value of columns\.bonding\.filter can't be used\. Line 3 of c\.toml, at character 17 of the text: /,
		),
		expect.stringMatching(/ Line 3 of c\.toml, at character 19 of the text: .*“hldrz”/),
	]);
});

test.each([
	['nonsense', '"nonsense" is not a field. Name a figure'],
	['symbol', 'Nothing can be sorted by symbol. Name a figure'],
	['volume_1h sideways', '"volume_1h sideways" is not a field.'],
	['volum_1h', '"volum_1h" is not a field. The nearest is "volume_1h".'],
])('the sort %s is reported with its line', async (sort, words) => {
	const [problem] = await problemsOf(`[columns.new]\nsort = "${sort}"`);
	expect(problem).toContain(`The value of columns.new.sort can't be used. Line 2 of c.toml: ${words}`);
});

test('a rule among several is reported with its own line and position', async () => {
	const text = '[alerts]\nrules = [\n\t"mcap>5k",\n\t"@bondid mcap>1k",\n\t"@new mcap>5k dev<x",\n]';
	expect(await problemsOf(text)).toEqual([
		'The alert rule "@bondid mcap>1k" can\'t be used. Line 4 of c.toml: @bondid is no column: write @new, @bonding, @bonded, @trending or @all.',
		expect.stringMatching(
			/^The alert rule "@new mcap>5k dev<x" can't be used\. Line 5 of c\.toml, at character 18 of the text: /,
		),
	]);
});

test('an unknown field of a row is reported with its line', async () => {
	expect(await problemsOf('[columns.new]\nfields = [\n\t"mcap",\n\t"holdrs",\n]')).toEqual([
		"The value of columns.new.fields can't be used. Line 4 of c.toml: holdrs is no field; the nearest is holders.",
	]);
});

test('an unknown field of the service is reported with the nearest one', async () => {
	expect(await problemsOf('[provider]\naliases.holder_count = "owners"\naliases.zzzzzzzzz = "x"')).toEqual([
		'"holder_count" in provider.aliases is not a field. Line 2 of c.toml: The nearest is "holders_count".',
		'"zzzzzzzzz" in provider.aliases is not a field. Line 3 of c.toml: Name a field of the service: holders_count, vaultAddress.',
	]);
});

test('the monitor refuses the first of them', async () => {
	const file = await readConfigText('[columns.new]\nsort = "symbol"\nfilter = "x<>"', 'c.toml');
	await expect(assertMeaningful({file: {...file, exists: true}} as Pick<Config, 'file'>)).rejects.toMatchObject({
		code: 'config',
		next: 'fix-input',
		why: expect.stringContaining('Line 2 of c.toml'),
	});
});

test('addresses of streams that do not pair with those of the service are reported with their line', async () => {
	const two = 'base-url = ["http://a", "http://b"]';
	expect(await problemsOf(`[service]\n${two}\nstream-url = ["ws://a", "ws://b"]`)).toEqual([]);
	expect(await problemsOf('[service]\nstream-url = "ws://a"')).toEqual([]);
	expect(await problemsOf(`[service]\n${two}\nstream-url = "ws://a"`)).toEqual([
		expect.stringMatching(/^The value of service\.stream-url can't be used\. Line 3 of c\.toml: it has 1 address and /),
	]);
});
