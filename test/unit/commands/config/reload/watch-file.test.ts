import {mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {watchFile} from '../../../../../source/commands/config/reload/watch-file.ts';

let folder = '';
let stop = (): void => {};
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'pulsetop-watch-'));
});
afterEach(async () => {
	stop();
	await rm(folder, {recursive: true, force: true});
});

/** Changes a watched file, and waits until the change is noticed. */
async function noticed(path: string, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
	let count = 0;
	stop = watchFile(path, () => {
		count++;
	});
	for (const step of steps) {
		const before = count;
		await step();
		await expect.poll(() => count).toBeGreaterThan(before);
	}
}

test('a file is noticed when it comes, is written again, is replaced as editors do, and goes', async () => {
	const path = join(folder, 'c.toml');
	await noticed(path, [
		() => writeFile(path, 'a'),
		() => writeFile(path, 'b'),
		async () => {
			await writeFile(join(folder, '.c.toml.swp'), 'c');
			await rename(join(folder, '.c.toml.swp'), path);
		},
		() => writeFile(path, 'd'),
		() => unlink(path),
		() => writeFile(path, 'e'),
	]);
});

test('a file whose directories are created later is noticed', async () => {
	const path = join(folder, 'config', 'pulsetop', 'c.toml');
	await noticed(path, [
		() => mkdir(join(folder, 'config', 'pulsetop'), {recursive: true}),
		() => writeFile(path, 'a'),
		() => writeFile(path, 'b'),
	]);
});

test('a link is noticed when its target is written, and when the link changes', async () => {
	await mkdir(join(folder, 'dotfiles'));
	await mkdir(join(folder, 'config'));
	const [one, other] = [join(folder, 'dotfiles', 'one.toml'), join(folder, 'dotfiles', 'other.toml')];
	const path = join(folder, 'config', 'c.toml');
	await writeFile(one, 'a');
	await writeFile(other, 'a');
	await symlink(one, path);
	await noticed(path, [
		() => writeFile(one, 'b'),
		async () => {
			await unlink(path);
			await symlink(other, path);
		},
		() => writeFile(other, 'b'),
	]);
});

test('changes of other files beside it are ignored', async () => {
	const path = join(folder, 'c.toml');
	const calls: string[] = [];
	stop = watchFile(path, () => calls.push('file'));
	const stopOther = watchFile(join(folder, 'other.toml'), () => calls.push('other'));
	await writeFile(join(folder, 'other.toml'), 'a');
	await expect.poll(() => calls).toContain('other');
	stopOther();
	await writeFile(path, 'a');
	await expect.poll(() => calls.at(-1)).toBe('file');
	expect(calls.indexOf('file')).toBeGreaterThan(calls.lastIndexOf('other'));
});
