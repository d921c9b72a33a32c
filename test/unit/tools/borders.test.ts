import {execFile} from 'node:child_process';
import {cp, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

/* The borders between rooms, as biome.json has them, on a small tree of files that each import one thing. */

const REFUSED: readonly (readonly [string, string])[] = [
	['source/errors.ts', "import {x} from './contract/x.ts'"],
	['source/config/x.ts', "import {x} from '../ui/x.ts'"],
	['source/chains/x.ts', "import {x} from '../service/follow/x.ts'"],
	['source/rpc/x.ts', "import {x} from '../service/chain/x.ts'"],
	['source/text.ts', "import {x} from './rpc/x.ts'"],
	['source/ui/rpc.ts', "import {x} from '../rpc/x.ts'"],
	['source/contract/x.ts', "import {x} from '../client/x.ts'"],
	['source/terminal/x.ts', "import {x} from '../contract/x.ts'"],
	['source/client/http/x.ts', "import {x} from '../../monitor/x.ts'"],
	['source/service/x.ts', "import {x} from '../client/x.ts'"],
	['source/service/log/x.ts', "import {x} from '../follow/x.ts'"],
	['source/service/perp/x.ts', "import {x} from '../bridge/x.ts'"],
	['source/service/bridge/x.ts', "import {x} from '../prediction/x.ts'"],
	['source/service/prediction/x.ts', "import {x} from '../../client/x.ts'"],
	['source/monitor/x.ts', "import {x} from '../trading/x.ts'"],
	['source/trading/x.ts', "import {x} from '../monitor/x.ts'"],
	['source/trading/perp/x.ts', "import {x} from '../bridge/checks.ts'"],
	['source/trading/bridge/x.ts', "import {x} from '../prediction/x.ts'"],
	['source/trading/bridge/y.ts', "import {x} from '../trade/x.ts'"],
	['source/trading/trade/x.ts', "import {x} from '../perp/x.ts'"],
	['source/trading/trade/x.ts', "import {x} from '../../monitor/x.ts'"],
	['source/trading/prediction/x.ts', "import {x} from '../../monitor/x.ts'"],
	['source/ssh/x.ts', "import {x} from '../trading/x.ts'"],
	['source/ssh/late.ts', "export const x = import('../service/x.ts')"],
	['source/ui/ssh.ts', "import {x} from '../ssh/x.ts'"],
	['source/ui/x.ts', "import {x} from '../client/x.ts'"],
	['source/ui/detail/client.ts', "import {type y, x} from '../../client/x.ts'"],
	['source/ui/detail/late-client.ts', "export const x = import('../../client/x.ts')"],
	['source/ui/detail/value.ts', "import {x} from '../../contract/filter.ts'"],
	['source/ui/detail/mixed.ts', "import {type y, x} from '../../contract/filter.ts'"],
	['source/ui/detail/late.ts', "export const x = import('../../contract/filter.ts')"],
];
const ALLOWED: readonly (readonly [string, string])[] = [
	['source/cli.ts', "import {x} from './commands/x.ts'"],
	['source/client/a.ts', "import {x} from '../contract/x.ts'"],
	['source/service/perp/a.ts', "import {x} from '../chain/x.ts'"],
	['source/service/perp/b.ts', "import {x} from '../../contract/bridge.ts'"],
	['source/trading/trade/b.ts', "import {x} from '../bridge/x.ts'"],
	['source/trading/perp/a.ts', "import {x} from '../check.ts'"],
	['source/trading/trade/a.ts', "import {x} from '../../chains/x.ts'"],
	['source/service/follow/b.ts', "import {x} from '../log/x.ts'"],
	['source/service/log/a.ts', "import {x} from '../market/x.ts'"],
	['source/service/follow/c.ts', "import {x} from '../../rpc/x.ts'"],
	['source/rpc/a.ts', "import {x} from '../chains/x.ts'"],
	['source/service/follow/a.ts', "import {x} from '../../chains/x.ts'"],
	['source/monitor/a.ts', "import {x} from '../client/x.ts'"],
	['source/ui/a.ts', "import type {x} from '../contract/filter.ts'"],
	['source/ui/b.ts', "import {type x, type y} from '../contract/filter.ts'"],
	['source/ui/e.ts', "import type {x} from '../client/client.ts'"],
	['source/ui/c.ts', "import {x} from '../contract/fields.ts'"],
	['source/ssh/a.ts', "import {x} from '../ui/x.ts'"],
	['source/ui/d.ts', "import {x} from '../monitor/x.ts'"],
];

/** Files in which something is refused. */
let refused: ReadonlySet<string>;
beforeAll(async () => {
	const directory = await mkdtemp(join(tmpdir(), 'pulsetop-borders-'));
	try {
		for (const file of ['biome.json', '.gitignore', 'source/tools/ui-takes-types.grit']) {
			await cp(join(ROOT, file), join(directory, file), {recursive: true});
		}
		await cp(
			join(ROOT, 'node_modules/@biomejs/biome/configuration_schema.json'),
			join(directory, 'node_modules/@biomejs/biome/configuration_schema.json'),
		);
		for (const [file, text] of [...REFUSED, ...ALLOWED]) {
			await mkdir(dirname(join(directory, file)), {recursive: true});
			await writeFile(join(directory, file), `${text};\n`);
		}
		const biome = join(ROOT, 'node_modules/.bin/biome');
		const args = [
			'lint',
			'--only=style/noRestrictedImports',
			'--only=plugin',
			'--reporter=json',
			'--max-diagnostics=none',
		];
		const report = await new Promise<string>(resolve =>
			execFile(biome, args, {cwd: directory, maxBuffer: 1e8}, (_, stdout) => resolve(stdout)),
		);
		const {diagnostics} = JSON.parse(report.slice(report.indexOf('{'))) as {
			diagnostics: {location?: {path?: string | {file: string}}}[];
		};
		refused = new Set(
			diagnostics.map(({location}) => (typeof location?.path === 'object' ? location.path.file : location?.path) ?? ''),
		);
	} finally {
		await rm(directory, {recursive: true});
	}
});

describe('the lint rules of the rooms', () => {
	test.each(REFUSED)('refuse in %s: %s', file => expect(refused).toContain(file));
	test.each(ALLOWED)('allow in %s: %s', file => expect(refused).not.toContain(file));
});
