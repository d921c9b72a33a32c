import {expect, test} from 'vitest';
import {narrowImports} from '../../../source/tools/narrow-imports.ts';

/** The files that a module imports from, from node_modules on, by name. */
function importsOf(text: string): Record<string, string> {
	const found = narrowImports(text).matchAll(/import \{(\w+)(?: as \w+)?\} from '([^']+)';/g);
	return Object.fromEntries([...found].map(([, name, from]) => [name, from!.replace(/^.*node_modules\//, '')]));
}

test.each([
	[
		"import {getAddress, keccak256} from 'viem';",
		{getAddress: /^viem\/.*getAddress\.js$/, keccak256: /^viem\/.*keccak256\.js$/},
	],
	["import {privateKeyToAddress} from 'viem/accounts';", {privateKeyToAddress: /^viem\/.*privateKeyToAddress\.js$/}],
	// viem has it from another package, behind whose barrel it is looked up, too.
	["import {parseAbi, type Hex} from 'viem/utils';", {parseAbi: /^abitype\/.*parseAbi\.js$/}],
	["import {isHex as isBytes} from 'viem/utils';", {isHex: /^viem\/.*isHex\.js$/}],
])('%s is from the files that define the names', (text, files) => {
	expect(importsOf(text)).toEqual(
		Object.fromEntries(Object.entries(files).map(([name, file]) => [name, expect.stringMatching(file)])),
	);
});

test.each(["import type {Hex} from 'viem';", "import {join} from 'node:path';", "import {format} from 'date-fns';"])(
	'%s stays as it is',
	text => expect(narrowImports(text)).toBe(text),
);
