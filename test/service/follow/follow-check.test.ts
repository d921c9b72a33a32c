import {expect, onTestFinished, test, vi} from 'vitest';
import {COMMAND_LINE} from '../../../source/commands/command-table.ts';
import {followCheck} from '../../../source/commands/follow/check.ts';
import {Flags} from '../../../source/commands/line/flags.ts';
import {loadConfig} from '../../../source/config/config.ts';
import {type HostileNode, startHostileNode} from '../../helpers/hostile-node.ts';
import {expectShape} from '../../helpers/output-shape.ts';
import {PlayedChain} from '../../helpers/played-chain.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

interface Ran {
	readonly code: number;
	readonly stdout: string;
}

/** Runs the command as the program does. */
async function run(
	operands: readonly string[],
	flags: Readonly<Record<string, string | true>> = {},
	env = {},
): Promise<Ran> {
	let stdout = '';
	const write = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
		stdout += text;
		return true;
	});
	try {
		const given = new Flags(new Map(Object.entries(flags).map(([name, value]) => [name, [value]])));
		const home = temporaryDirectory();
		const readConfig = () => loadConfig({flags: {}, env: {HOME: home, ...env}});
		const code = await followCheck({flags: given, operands, readConfig, grammar: COMMAND_LINE});
		return {code, stdout};
	} finally {
		write.mockRestore();
	}
}

async function baseNode(): Promise<HostileNode> {
	const chain = new PlayedChain({chainId: 8453, startS: Math.floor(Date.now() / 1000) - 400});
	chain.mineEmpty(200);
	const node = await startHostileNode(chain);
	onTestFinished(() => node.close());
	node.lie(({method}) => (method === 'eth_call' ? {result: `0x${'0'.repeat(64)}`} : undefined));
	return node;
}

test('the nodes that are configured for a chain are checked, each with its own report', async () => {
	const [one, two] = await Promise.all([baseNode(), baseNode()]);
	const follow = `base=${one.url}/v2/SECRET-ONE,${two.wsUrl}/SECRET-TWO`;
	const {code, stdout} = await run(['base'], {}, {PULSETOP_FOLLOW: follow});
	expect(code).toBe(0);
	expect(stdout).toContain(`${new URL(one.url).host}\n  chain       base (8453)`);
	expect(stdout).toContain(`${new URL(two.url).host}\n`);
	expect(stdout).not.toContain('SECRET');
});

test('the document has every node, and the exit code is that of the worst', async () => {
	const node = await baseNode();
	const good = await run([node.url], {json: true});
	expect(good.code).toBe(0);
	expectShape('follow-check', JSON.parse(good.stdout));

	const wrong = await run([node.url], {json: true, chain: 'bnb'});
	expect(wrong.code).toBe(1);
	expect(JSON.parse(wrong.stdout).nodes[0].problems).toContain('it is a node of chain 8453, base, not of chain 56');

	await node.close();
	const closed = await run([node.url], {json: true});
	expect(closed.code).toBe(69);
	expectShape('follow-check', JSON.parse(closed.stdout));
});

test('what is no address and no chain is refused, without repeating what may be a key', async () => {
	await expect(run(['base'])).rejects.toThrow(/No node is configured for base/);
	await expect(run(['bse'])).rejects.toMatchObject({
		why: expect.stringContaining('"bse" is neither an address nor a chain'),
	});
	const refused = await run(['ftp://node.example/SECRET']).catch(error => `${error.message} ${error.why}`);
	expect(refused).toMatch(/^The address cannot be used/);
	expect(refused).not.toContain('SECRET');
	await expect(run([])).rejects.toThrow(/missing/);
});
