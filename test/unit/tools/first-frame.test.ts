import {join} from 'node:path';
import {build} from 'esbuild';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

/** The packages, and the modules of the program, that are loaded with a module, what it imports later left out. */
async function loadedWith(module: string): Promise<{packages: readonly string[]; modules: ReadonlySet<string>}> {
	const {metafile} = await build({
		entryPoints: [join(ROOT, module)],
		absWorkingDir: ROOT,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		packages: 'external',
		outdir: 'nowhere',
		metafile: true,
		write: false,
	});
	const [entry] = Object.entries(metafile.outputs).find(([, {entryPoint}]) => entryPoint === module)!;
	const seen = new Set([entry]);
	const packages = new Set<string>();
	const modules = new Set<string>();
	for (const output of seen) {
		for (const input of Object.keys(metafile.outputs[output]!.inputs)) modules.add(input);
		for (const {path, kind, external} of metafile.outputs[output]!.imports) {
			if (kind !== 'import-statement') continue;
			if (external !== true) seen.add(path);
			else if (!path.startsWith('node:')) packages.add(path);
		}
	}
	return {packages: [...packages].sort(), modules};
}

test('the first frame waits for no package but those that draw it', async () => {
	expect((await loadedWith('source/commands/monitor/screen.ts')).packages).toEqual([
		'date-fns/format',
		'get-east-asian-width',
		'ink',
		'react',
		'react/jsx-runtime',
		'string-width',
	]);
	expect((await loadedWith('source/cli.ts')).packages).toEqual([]);
});

test.each([
	'source/cli.ts',
	'source/commands/monitor/screen.ts',
	'source/threads/service-and-feeds.ts',
	'source/client/remote/serve-feeds.ts',
	'source/service/worker-service.ts',
	'source/trading/chain-reader.ts',
])('%s connects through no proxy and trusts no file before one is configured', async module => {
	const {modules} = await loadedWith(module);
	expect(modules).toContain(module);
	expect(modules).not.toContain('source/proxy-connection.ts');
	expect(modules).not.toContain('source/ca-file.ts');
});

test('what the screens of viewers are made of holds no key, signs nothing and reads no journal', async () => {
	const {modules, packages} = await loadedWith('source/commands/ssh/serve-ssh.ts');
	const money = [...modules].filter(module => module.startsWith('source/trading/'));
	// How a value is computed and what a trade is of: figures, without a key or a file.
	expect(money.sort()).toEqual(['source/trading/positions/value.ts', 'source/trading/trade/target.ts']);
	expect(packages.filter(name => /viem|noble|secp256k1|postgres|fastify/.test(name))).toEqual([]);
});
