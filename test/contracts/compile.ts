import {writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {compile} from '../../source/tools/compile-contracts.ts';

const HERE = new URL('./', import.meta.url);

/**
 * Compiles the contracts of this folder, stand-ins for launchpads and the coins of a followed chain, and gives the text of
 * `artifacts.generated.ts`: of each its ABI and its init code. The same sources give the same text on every machine.
 * @throws Error with the compiler's own words when a source does not compile or compiles with a warning
 */
export function compileStandIns(): string {
	const files = compile({'*': {'*': ['abi', 'evm.bytecode.object']}}, {}, HERE);
	const contracts = Object.values(files)
		.flatMap(file => Object.entries(file))
		.filter(([, {evm}]) => evm.bytecode.object !== '')
		.sort(([a], [b]) => (a < b ? -1 : 1));
	return [
		'// Made by test/contracts/compile.ts. Do not edit.',
		...contracts.map(([name, {abi, evm}]) => {
			const rows = abi.map(item => `\t\t${JSON.stringify(item)},`).join('\n');
			return `export const ${name} = {\n\tabi: [\n${rows}\n\t],\n\tinit: '0x${evm.bytecode.object}',\n} as const;`;
		}),
	]
		.join('\n\n')
		.concat('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	writeFileSync(new URL('artifacts.generated.ts', HERE), compileStandIns());
}
