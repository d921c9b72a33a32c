import {spawn} from 'node:child_process';
import {join} from 'node:path';

// `npm run torture -- kill [ROUNDS] [SEED]`: one of the long trials beside this file, in a process of its own. It prints
// figures, and ends with 1 when one of them is not what it should be.
const [name = '', ...rest] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (!/^(kill|trades|soak|replicas|ssh)$/.test(name)) {
	console.error(
		'Say which: npm run torture -- kill [ROUNDS] [SEED], npm run torture -- trades [ROUNDS] [SEED], npm run torture -- soak [MINUTES], npm run torture -- ssh [MINUTES], or npm run torture -- replicas [SECONDS] [SEED] [STAGE]',
	);
	process.exitCode = 2;
} else {
	const child = spawn(process.execPath, ['--expose-gc', file, ...rest], {stdio: 'inherit'});
	child.on('exit', code => {
		process.exitCode = code ?? 1;
	});
}
