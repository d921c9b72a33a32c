import {afterAll, beforeAll, expect, test} from 'vitest';
import {OUTPUT_SCHEMAS, type OutputName} from '../../source/commands/reference/output-schemas.ts';
import {expectShape} from '../helpers/output-shape.ts';
import {type RunningServe, runCli, runShell, startServe} from '../helpers/program.ts';

let service: RunningServe;
let token: {readonly address: string; readonly chain_id: string; readonly deployer: string};
beforeAll(async () => {
	service = await startServe(['--no-auth', '--seed', '7']);
	const listed = await runCli(['feed', '--base-url', service.url, '--view', 'bonded', '--limit', '1', '--json']);
	token = JSON.parse(listed.stdout).views.bonded.tokens[0];
});
afterAll(() => service.stop());

const COMMANDS: readonly (readonly [OutputName, () => readonly string[]])[] = [
	['feed', () => ['feed', '--limit', '100']],
	['token', () => ['token', token.address, '--chain', token.chain_id]],
	['labels', () => ['labels', token.deployer, token.address, '--token', token.address]],
	['sparkline', () => ['sparkline', token.address, '--chain', token.chain_id]],
	['positions', () => ['positions']],
	['trades', () => ['positions', '--history']],
	['doctor', () => ['doctor']],
	['config-show', () => ['config', 'show', '--api-key', 'k']],
	['config-validate', () => ['config', 'validate', '/dev/null']],
];

test.each(COMMANDS)('what %s prints with --json is as its schema says, and nothing else', async (name, args) => {
	const outcome = await runCli([...args(), '--base-url', service.url, '--json']);
	expect(outcome).toMatchObject({code: 0, stderr: ''});
	expectShape(name, JSON.parse(outcome.stdout));
});

test('each line of feed in lines, and of feed that follows, is as its schema says', async () => {
	const lines = await runCli(['feed', '--base-url', service.url, '--format', 'jsonl']);
	for (const line of lines.stdout.trimEnd().split('\n')) expectShape('feed-line', JSON.parse(line));
	const followed = await runCli(['feed', '--base-url', service.url, '--follow', '--limit', '20'], {
		onStdout: (text, {stop}) => {
			if (text.includes('"type":"change"') && text.includes('"type":"total"')) stop();
		},
	});
	for (const line of followed.stdout.trimEnd().split('\n')) expectShape('feed-follow', JSON.parse(line));
});

test('every failure with --json matches its schema', async () => {
	for (const args of [['fed'], ['feed', '--base-url', 'http://127.0.0.1:1'], ['feed', '--filter', 'x>']]) {
		expectShape('error', JSON.parse((await runCli([...args, '--json'])).stderr));
	}
});

test('schema lists the names, and prints the JSON Schema of each', async () => {
	const names = (await runCli(['schema'])).stdout.trimEnd().split('\n');
	expect(names).toEqual(Object.keys(OUTPUT_SCHEMAS));
	const printed = await runShell(`for name in ${names.join(' ')}; do pulsetop schema "$name"; done`);
	const schemas = printed.stdout
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line));
	expect(schemas).toHaveLength(names.length);
	for (const {$schema} of schemas) expect($schema).toContain('json-schema.org');
});

test('an unknown schema is a usage error that names the nearest', async () => {
	const outcome = await runCli(['schema', 'labls']);
	expect(outcome.code).toBe(2);
	expect(outcome.stderr).toContain('The nearest is "labels".');
});
