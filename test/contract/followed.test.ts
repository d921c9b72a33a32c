import {readdirSync} from 'node:fs';
import {afterAll, beforeAll, describe} from 'vitest';
import {startFollowed} from './followed-target.ts';
import {checkInstead} from './target.ts';

/* The contract again, all files beside this one, on a service whose market is that of two chains. */

let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
	const followed = await startFollowed();
	close = followed.close;
	checkInstead(followed.service);
});
afterAll(() => close?.());

const OTHERS = readdirSync(import.meta.dirname).filter(
	name => name.endsWith('.test.ts') && !/^(followed|replica)\.test/.test(name),
);

for (const name of OTHERS) {
	describe(`on a followed market: ${name}`, async () => {
		await import(/* @vite-ignore */ `./${name}`);
	});
}
