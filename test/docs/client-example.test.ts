import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

/* The program that the page of the service shows, run as another developer would: with viem, the address and the key, and no file of this project. */

const PAGE = await readFile(new URL('../../source/docs/service.md', import.meta.url), 'utf8');
const PROGRAM = /^```js\n(.*?)^```/ms.exec(PAGE)![1]!;

let service: RunningService;
let home: string;
beforeAll(async () => {
	service = await startService({market: new TinyMarket()});
	// Where viem is found, as in a project of one's own.
	home = await mkdtemp(new URL('../../node_modules/.readme-', import.meta.url).pathname);
});
afterAll(async () => {
	await service.close();
	await rm(home, {recursive: true});
});

test('the program of the page makes a sponsored transfer from evm:56 to evm:4663', async () => {
	const file = join(home, 'transfer.mjs');
	await writeFile(file, PROGRAM);
	const {stdout, stderr} = await promisify(execFile)(process.execPath, [file, service.url, service.apiKeys[0]!], {
		timeout: PATIENCE_MS * 3,
		env: {PATH: process.env['PATH']},
	});
	expect(stderr).toBe('');
	expect(stdout).toMatch(/^(filled|settled) 49\.\d+\n$/);
});

test('each call of this program is in /openapi.json, where it needs the key', async () => {
	const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
		paths: Record<string, Record<string, {security?: unknown[]; requestBody?: unknown}>>;
	};
	const paths = Array.from(PROGRAM.matchAll(/[`'](?:\$\{url\})?(\/(?:dev|api)\/[^`'?]*)/g), ([, path]) =>
		path!.replace(/\$\{origin\}/, '{chainId}').replace(/\$\{quote\.intentId\}/, '{intentId}'),
	);
	expect(paths.length).toBeGreaterThan(5);
	for (const path of paths) {
		const [operation] = Object.values(document.paths[path] ?? {});
		expect(operation?.security, path).toHaveLength(2);
	}
	expect(document.paths['/dev/faucet']!['post']!.requestBody).toBeDefined();
});
