import {createServer, type ServerResponse} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {createMetadataFetch, type MetadataFetchOptions} from '../../../source/service/follow/metadata-fetch.ts';
import type {Profile} from '../../../source/service/market/events.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';

/* Documents that tokens name, read from a server of our own, with all that a hostile one may answer. */

const CONTENT = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
const DOCUMENT = {
	name: 'Pepe',
	description: 'a frog',
	image: 'https://img.example.org/pepe.png',
	twitter: 'https://x.com/pepe',
	website: 'https://pepe.example.org',
	telegram: 'https://t.me/pepe',
};
const PROFILE = {
	description: 'a frog',
	logo: 'https://img.example.org/pepe.png',
	twitter: 'https://x.com/pepe',
	website: 'https://pepe.example.org',
	telegram: 'https://t.me/pepe',
};

interface Site {
	readonly url: string;
	readonly paths: readonly string[];
	/** Connections that were begun, whatever was said on them. */
	connections(): number;
}

async function site(answer: (response: ServerResponse, path: string) => void): Promise<Site> {
	const paths: string[] = [];
	let connections = 0;
	const server = createServer((request, response) => {
		paths.push(request.url!);
		answer(response, request.url!);
	});
	server.on('connection', () => connections++);
	const {url, close} = await listenOnLoopback(server);
	onTestFinished(close);
	return {url, paths, connections: () => connections};
}

async function read(uri: string, options: MetadataFetchOptions = {allowPrivate: true}): Promise<Profile | undefined> {
	const fetch = createMetadataFetch(options);
	onTestFinished(() => fetch.close());
	return fetch.read(uri);
}

test('a document gives description, links, and the address of its image', async () => {
	const {url} = await site(response => response.end(JSON.stringify(DOCUMENT)));
	expect(await read(`${url}/a.json`)).toEqual(PROFILE);
});

test('links may stand one level deeper, and what is missing or of another kind is unknown', async () => {
	const document = {description: 5, image: {}, twitter: '', extensions: {twitter: '@pepe', website: ['x']}};
	const {url} = await site(response => response.end(JSON.stringify(document)));
	expect(await read(url)).toEqual({twitter: '@pepe'});
});

test('a document of ipfs:// is asked of the gateway alone, which may be on this machine', async () => {
	const {url, paths} = await site(response => response.end(JSON.stringify({...DOCUMENT, image: `ipfs://${CONTENT}`})));
	expect(await read(`ipfs://${CONTENT}`, {})).toBeUndefined();
	expect(await read(`ipfs://${CONTENT}/0.json`, {ipfsGateway: `${url}/`})).toEqual({
		...PROFILE,
		logo: `${url}/ipfs/${CONTENT}`,
	});
	expect(paths).toEqual([`/ipfs/${CONTENT}/0.json`]);
});

test.each([
	`ipfs://${CONTENT}/../../api/v0/shutdown`,
	`ipfs://${CONTENT}/%2e%2e/%2e%2e/api`,
	`ipfs://${CONTENT}/a?b=c`,
	`ipfs://${CONTENT}@evil.example/`,
	'ipfs://../api/v0/shutdown',
	'ipfs://',
])('an ipfs address leads nowhere else at the gateway: %s', async uri => {
	const {url, paths} = await site(response => response.end(JSON.stringify(DOCUMENT)));
	expect(await read(uri, {ipfsGateway: url})).toBeUndefined();
	expect(paths).toEqual([]);
});

test('nothing on this machine or without TLS is asked, by name or by number, and a gateway that is there opens nothing', async () => {
	const {url, connections} = await site(response => response.end(JSON.stringify(DOCUMENT)));
	const {port} = new URL(url);
	const addresses = ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '[::ffff:127.0.0.1]', 'user:word@localhost'];
	for (const host of addresses) {
		for (const scheme of ['http', 'https']) {
			expect(await read(`${scheme}://${host}:${port}/a.json`, {ipfsGateway: url}), `${scheme} ${host}`).toBeUndefined();
		}
	}
	for (const odd of ['file:///etc/hostname', 'data:application/json,{"description":"x"}', 'not an address', '']) {
		expect(await read(odd, {allowPrivate: true}), odd).toBeUndefined();
	}
	expect(connections()).toBe(0);
});

test.each(['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost'])(
	'a redirect of the gateway to this machine is refused: %s',
	async host => {
		const inner = await site(response => response.end(JSON.stringify(DOCUMENT)));
		const location = `${host}:${new URL(inner.url).port}/secret`;
		const outer = await site(response => response.writeHead(302, {location}).end('moved'));
		expect(await read(`ipfs://${CONTENT}`, {ipfsGateway: outer.url})).toBeUndefined();
		expect(outer.paths).toHaveLength(1);
		expect(inner.connections()).toBe(0);
	},
);

test('redirects are followed a few times, and not for ever', async () => {
	const {url, paths} = await site((response, path) => {
		const left = Number(path.slice(1));
		if (left === 0) response.end(JSON.stringify(DOCUMENT));
		else response.writeHead(302, {location: `/${left - 1}`}).end('moved');
	});
	expect(await read(`${url}/3`)).toEqual(PROFILE);
	expect(await read(`${url}/50`)).toBeUndefined();
	expect(paths).toHaveLength(8);
});

const HUGE = 300_000;

test.each<readonly [string, (response: ServerResponse) => void]>([
	['huge, with its length', response => response.end(JSON.stringify({description: 'x'.repeat(HUGE)}))],
	[
		'huge, in pieces',
		response => {
			response.write('{"description":"');
			const more = () => {
				while (response.writable && response.write('x'.repeat(16_384)));
				response.once('drain', more);
			};
			more();
		},
	],
	['no JSON', response => response.end('<html>')],
	['cut JSON', response => response.end('{"description":"a')],
	['a list', response => response.end('[{"description":"a"}]')],
	['null', response => response.end('null')],
	['no UTF-8', response => response.end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
	['deep JSON', response => response.end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
	['said to be compressed', response => response.setHeader('content-encoding', 'gzip').end(JSON.stringify(DOCUMENT))],
	['refused', response => response.writeHead(403).end(JSON.stringify(DOCUMENT))],
	['a redirect without an address', response => response.writeHead(302).end()],
	['a redirect to another scheme', response => response.writeHead(302, {location: 'file:///etc/hostname'}).end()],
	['cut', response => response.destroy()],
])('an answer that is %s says nothing', async (_, answer) => {
	const {url} = await site(answer);
	expect(await read(url)).toBeUndefined();
});

test('an answer that never comes, or comes byte by byte, is given up', async () => {
	const silent = await site(() => {});
	const slow = await site(response => {
		response.write('{"description":"');
		const timer = setInterval(() => response.write('x'), 20);
		response.on('close', () => clearInterval(timer));
	});
	expect(await read(silent.url, {allowPrivate: true, timeoutMs: 200})).toBeUndefined();
	expect(await read(slow.url, {allowPrivate: true, timeoutMs: 200})).toBeUndefined();
});

test('deep JSON inside a document costs nothing, and long texts are cut or left out', async () => {
	const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
	const {url} = await site(response =>
		response.end(`{"deep":${deep},"description":"${'d'.repeat(5000)}","website":"https://e.org/${'w'.repeat(600)}"}`),
	);
	const profile = await read(url);
	expect(profile).toEqual({description: 'd'.repeat(1000)});
});

test('after its end nothing is read any more', async () => {
	const {url, paths} = await site(response => response.end(JSON.stringify(DOCUMENT)));
	const fetch = createMetadataFetch({allowPrivate: true});
	await fetch.close();
	expect(await fetch.read(url)).toBeUndefined();
	expect(paths).toEqual([]);
});
