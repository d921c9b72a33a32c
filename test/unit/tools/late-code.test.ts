import {globSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

const LIST = 'source/trading/late-code.ts';

/** Late code that no step after the first signature needs. */
const NOT_NEEDED: Readonly<Record<string, string>> = {
	'@noble/hashes/scrypt.js': 'opens a wallet, which comes before',
	'source/trading/bridge/flow.ts': 'the flow itself',
	'source/trading/trade/policy.ts': 'the rules of the flow, loaded with it',
	'source/trading/perp/flow.ts': 'the flow itself',
	'source/trading/prediction/flow.ts': 'the flow itself',
	'source/trading/bridge/journal-fold.ts': 'takes up what an earlier run left',
	'source/trading/perp/journal-fold.ts': 'takes up what an earlier run left',
	'source/trading/prediction/journal-fold.ts': 'takes up what an earlier run left',
	'source/client/wire/coverage.ts': 'tells what a service covers',
	'source/client/stream/socket.ts': 'the feed',
	'source/net-guard.ts': 'documents and pictures of tokens',
};

/** What a file imports when it is first needed: paths from the root, and packages. */
function lateImports(file: string): string[] {
	const text = readFileSync(join(ROOT, file), 'utf8');
	return Array.from(text.matchAll(/\bimport\('([^']+)'\)(?!\.|\[)/g), ([, name]) =>
		name!.startsWith('.') ? normalize(join(dirname(file), name!)) : name!,
	);
}

test('all code that a money flow may need after a signature is loaded before the first one', () => {
	const listed = lateImports(LIST);
	const files = globSync(['source/trading/**/*.ts', 'source/client/**/*.ts', 'source/proxy*.ts'], {cwd: ROOT});
	const late = new Set(
		files
			.filter(file => file !== LIST)
			.flatMap(lateImports)
			.filter(name => !name.startsWith('node:')),
	);
	expect([...late].filter(name => !listed.includes(name)).sort()).toEqual(Object.keys(NOT_NEEDED).sort());
	expect(listed.filter(name => !late.has(name))).toEqual([]);
});
