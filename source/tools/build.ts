import {bundle} from './bundle.ts';

const {files, bytes, ms} = await bundle();
console.log(`dist: ${files} files, ${Math.round(bytes / 1000)} kB, in ${Math.round(ms)} ms`);
