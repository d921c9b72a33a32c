import {spawn} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';

// `npm run bench`: every *.bench.ts beside this file in turn, each in a process of its own, so that none pays for
// another's memory or warm code. Arguments choose: `npm run bench -- start paint` runs those two. Those with an equals sign go to
// the benches: `npm run bench -- replicas subscribers=300`.
const here = import.meta.dirname;
const settings = process.argv.slice(2).filter(word => word.includes('='));
const wanted = process.argv.slice(2).filter(word => !word.includes('='));
const benches = readdirSync(here)
	.filter(name => name.endsWith('.bench.ts'))
	.filter(name => wanted.length === 0 || wanted.some(word => name.startsWith(word)));

let failed = 0;
for (const name of benches) {
	console.log(`\n== ${name.replace('.bench.ts', '')}`);
	const code = await new Promise<number>(resolve => {
		const args = ['--expose-gc', join(here, name), ...settings];
		const child = spawn(process.execPath, args, {stdio: ['ignore', 'inherit', 'inherit']});
		child.on('exit', exitCode => resolve(exitCode ?? 1));
	});
	if (code !== 0) {
		failed++;
		console.log(`${name} ended with code ${code}`);
	}
}
process.exitCode = failed === 0 ? 0 : 1;
