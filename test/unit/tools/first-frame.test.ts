import {join} from 'node:path';
import {build} from 'esbuild';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

/** The packages that are loaded with a module, what it imports later left out. */
async function packagesWith(module: string): Promise<readonly string[]> {
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
	for (const output of seen) {
		for (const {path, kind, external} of metafile.outputs[output]!.imports) {
			if (kind !== 'import-statement') continue;
			if (external !== true) seen.add(path);
			else if (!path.startsWith('node:')) packages.add(path);
		}
	}
	return [...packages].sort();
}

test('the first frame waits for no package but those that draw it', async () => {
	expect(await packagesWith('source/commands/monitor-screen.tsx')).toEqual([
		'date-fns/format',
		'get-east-asian-width',
		'ink',
		'react',
		'react/jsx-runtime',
		'string-width',
	]);
	expect(await packagesWith('source/cli.ts')).toEqual([]);
});
