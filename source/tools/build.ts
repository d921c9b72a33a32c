import {bundle} from './bundle.ts';

try {
	const {files, bytes, ms} = await bundle();
	console.log(`dist: ${files} files, ${Math.round(bytes / 1000)} kB, in ${Math.round(ms)} ms`);
} catch (error) {
	// esbuild's message lists every place; its stack is about esbuild.
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
