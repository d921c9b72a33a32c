import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import {filesUnder} from '../../helpers/files-under.ts';
import {ask} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const SOURCE = new URL('../../../source/', import.meta.url).pathname;

test('a key that was used for everything is in no file of the service, whole or in any common spelling', async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-keys-'));
	const key = 'canary-key-7c1f0b5e';
	const service = await startService({market: new TinyMarket(), apiKeys: [key], dataDir});
	try {
		const body = {name: 'n', chainIds: ['evm:8453'], events: ['swap'], apiKey: key, url: 'https://example.com/'};
		expect((await ask(service, 'POST', '/api/1/webhook', {body})).status).toBe(200);
		expect((await ask(service, 'GET', `/api/1/webhook?apiKey=${key}`)).json.count).toBe(1);
		const stream = await StreamClient.open(service.streamUrl);
		stream.send({type: 'pulse-v2', authorization: key, payload: {assetMode: true}});
		await stream.next(frame => frame['event'] === 'subscribed');
		await stream.close();
		await service.close();
		const files = filesUnder(dataDir);
		expect(files.size).toBeGreaterThan(0);
		const spellings = [key, ...(['hex', 'base64', 'base64url'] as const).map(form => Buffer.from(key).toString(form))];
		for (const [name, bytes] of files) {
			for (const spelling of spellings) expect(bytes.includes(spelling), name).toBe(false);
		}
	} finally {
		await service.close();
		await rm(dataDir, {recursive: true});
	}
});

test('a keyword is a text and not a pattern, and a pathological pattern is not slow', async () => {
	const market = new TinyMarket();
	const slow = '(a+)+$';
	market.add({address: '0x1', symbol: 'ONE', description: `${'a'.repeat(50_000)}!`, created_at: 1});
	market.add({address: '0x2', symbol: 'TWO', description: `sold as ${slow}`, created_at: 2});
	const service = await startService({market, apiKeys: ['k']});
	try {
		const body = {assetMode: true, views: [{name: 'v', filters: {includeKeywords: [slow]}}]};
		const {json} = await ask(service, 'POST', '/api/2/pulse', {body});
		expect(json.v.data.map((entry: {symbol: string}) => entry.symbol)).toEqual(['TWO']);
	} finally {
		await service.close();
	}
});

test('no text is ever run as code, and no module is chosen by a text from outside', async () => {
	const files = (await readdir(SOURCE, {recursive: true})).filter(name => /\.tsx?$/.test(name));
	expect(files.length).toBeGreaterThan(300);
	const found: string[] = [];
	for (const name of files) {
		// Build tools are no part of the program.
		if (name.startsWith('tools/')) continue;
		const text = await readFile(join(SOURCE, name), 'utf8');
		for (const [code] of text.matchAll(
			/\beval\(|\bnew Function\b|['"]node:vm['"]|\bimport\((?!\s*['"`][^$]*?['"`]\))|\brequire\((?!['"])/g,
		)) {
			found.push(`${name}: ${code}`);
		}
	}
	expect(found).toEqual([]);
});
