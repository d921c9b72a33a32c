import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import {describe, expect, test} from 'vitest';
import {parseSparkline} from '../../../source/client/lookups/sparkline.ts';
import {fc} from '../../helpers/properties.ts';
import {clientForEachTest} from '../client-for-each-test.ts';

const given = clientForEachTest();

const json = (body: unknown) => ({type: 'application/json', body: JSON.stringify(body)});
const svg = (content: string, root = '') =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4" ${root}>${content}</svg>`;

describe('a price line', () => {
	test.each([
		['a polyline', '<polyline points="0,4 1,2 2,0 3,4"/>'],
		['a polyline with blanks only', '<polyline fill="none" points=" 0 4 1 2\n2 0 3 4 "/>'],
		['absolute lines', '<path d="M0 4L1 2L2 0L3 4"/>'],
		['relative lines without repeated letters', '<path d="m0,4l1-2 1-2 1 4"/>'],
		['M going on as L', '<path d="M0 4 1 2 2 0 3 4"/>'],
		[
			'an area under it beside the line',
			'<path d="M0 4 0 4 1 2 2 0 3 4 3 4Z"/><path fill="none" d="M0 4 1 2 2 0 3 4"/>',
		],
		[
			'the line first and a longer area after it',
			"<path d='M0 4 1 2 2 0 3 4'/><path d='M0 4 0 4 1 2 1.5 1 2 0 3 4 3 4 0 4z'/>",
		],
		[
			'axes and texts around it',
			'<!-- <path d="M0 0 9 9 9 9 9 9 9 9"/> --><text x="1">M0 0</text><path d="M0 4H4"/><path d="M0 4 1 2 2 0 3 4"/>',
		],
	])('is read from %s', (_name, content) => {
		expect(parseSparkline(svg(content))).toEqual({points: [0, 0.5, 1, 0], min: 0, max: 1, last: 0, unit: 'relative'});
	});

	test('is read from curves, which end where they should', () => {
		for (const d of [
			'M0 4C1 4 1 0 2 0S3 4 4 4',
			'M0 4c1 0 1-4 2-4s1 4 2 4',
			'M0 4Q1 4 2 0T4 -4',
			'M0 4A1 1 0 0 1 2 0L4 0',
			'M0 4H2V0H4',
		]) {
			const line = parseSparkline(svg(`<path d="${d}"/>`));
			expect(line?.points[0], d).toBe(0);
			expect(line?.points.length, d).toBeGreaterThan(2);
			expect(
				line?.points.every(point => point >= 0 && point <= 1),
				d,
			).toBe(true);
		}
	});

	test('has even steps in time, also when its points have not', () => {
		const line = parseSparkline(svg('<polyline points="0,0 1,1 2,2 10,10"/>'));
		expect(line?.points.map(point => Math.round(point * 100) / 100)).toEqual([1, 0.67, 0.33, 0]);
	});

	test('is in dollars when the picture says its scale', () => {
		const line = parseSparkline(
			svg('<polyline points="0,4 1,0 2,2"/>', 'data-min="10" data-max="20" data-last="15.5"'),
		);
		expect(line).toEqual({points: [10, 20, 15], min: 10, max: 20, last: 15.5, unit: 'usd'});
		expect(parseSparkline(svg('<polyline points="0,4 1,0"/>', 'data-min="x" data-max="20"'))?.unit).toBe('relative');
	});

	test('that is flat lies in the middle', () => {
		expect(parseSparkline(svg('<polyline points="0,3 1,3"/>'))?.points).toEqual([0.5, 0.5]);
	});

	test('is not found in a picture without one', () => {
		for (const text of [
			'',
			'hello',
			'<svg',
			'<html><body>no</body></html>',
			svg(''),
			svg('<path d=""/>'),
			svg('<path d="M1 1"/>'),
			svg('<polyline points="a b c"/>'),
			svg('<path d="M0 0 L1e999 4"/>'),
		]) {
			expect(parseSparkline(text), text).toBeUndefined();
		}
	});

	test('no text makes reading throw, give nonsense, or outlast this test', () => {
		const piece = fc.constantFrom(
			'<path d="',
			'<polyline points="',
			'"/>',
			'M',
			'l',
			'C',
			'z',
			'1',
			'-2',
			'.5',
			'1e3',
			' ',
			',',
			'<!--',
			'-->',
			'<svg data-min="1" data-max="2">',
			'<',
			'>',
			"'",
			'=',
			'd',
			'é',
		);
		fc.assert(
			fc.property(fc.array(piece, {maxLength: 60}), pieces => {
				const line = parseSparkline(pieces.join(''));
				expect(line?.points.every(Number.isFinite) ?? true).toBe(true);
			}),
			{numRuns: 3_000},
		);
		for (const text of [
			'<'.repeat(1e6),
			'<path '.repeat(2e5),
			`<path d="${'M'.repeat(1e6)}"/>`,
			`<path d="M0 0${' 1 1'.repeat(2e5)}"/>`,
			`<a ${'x='.repeat(5e5)}`,
			`<path d="${'1'.repeat(1e6)}"/>`,
		]) {
			parseSparkline(text);
		}
	});

	test('is fetched from the service’s own address', async () => {
		given.server.pages.set('/x.svg', {type: 'image/svg+xml', body: svg('<polyline points="0,1 1,0"/>')});
		for (const url of [`${given.server.url}/x.svg`, '/x.svg']) {
			given.server.pages.set('/api/1/market/sparkline', json({url}));
			expect(await given.client.sparkline({asset: 'PEPE', timeFrame: '24h'})).toMatchObject({points: [0, 1]});
		}
		expect(given.server.requests[0]?.path).toBe('/api/1/market/sparkline?asset=PEPE&timeFrame=24h');
	});

	test('is never fetched from this machine or its network because the service says so', async () => {
		let connections = 0;
		const other = createServer(socket => {
			connections++;
			socket.destroy();
		});
		await once(other.listen(0, '127.0.0.1'), 'listening');
		const {port} = other.address() as AddressInfo;
		for (const url of [
			`http://127.0.0.1:${port}/admin?shutdown=1`,
			`https://127.0.0.1:${port}/admin`,
			`https://localhost:${port}/admin`,
			`https://[::ffff:127.0.0.1]:${port}/admin`,
			`https://2130706433:${port}/admin`,
			'https://169.254.169.254/latest/meta-data',
			'http://example.com/x.svg',
		]) {
			given.server.pages.set('/api/1/market/sparkline', json({url}));
			await expect(given.client.sparkline({asset: 'a'}), url).rejects.toMatchObject({code: 'address-refused'});
		}
		// Nor by a redirect from the service itself.
		given.server.pages.set('/api/1/market/sparkline', json({url: '/moved.svg'}));
		const headers = {location: `http://127.0.0.1:${port}/admin`};
		given.server.httpFaults.push({path: '/moved.svg', fault: {kind: 'answer', status: 302, headers}});
		await expect(given.client.sparkline({asset: 'a'})).rejects.toMatchObject({code: 'service-refused', status: 302});
		expect(connections).toBe(0);
		other.close();
	});

	test('of an unknown asset is undefined; other failures are errors', async () => {
		expect(await given.client.sparkline({asset: 'nobody'})).toBeUndefined();
		for (const body of [
			{},
			{url: 'file:///etc/passwd'},
			{url: 'data:image/svg+xml,<svg/>'},
			{url: '//evil.example/x'},
			{url: 7},
		]) {
			given.server.pages.set('/api/1/market/sparkline', json(body));
			await expect(given.client.sparkline({asset: 'a'})).rejects.toMatchObject({code: 'wrong-answer'});
		}
		given.server.pages.set('/api/1/market/sparkline', json({url: '/x.svg'}));
		given.server.pages.set('/x.svg', {type: 'image/svg+xml', body: 'x'.repeat(600 * 1024)});
		await expect(given.client.sparkline({asset: 'a'})).rejects.toMatchObject({code: 'wrong-answer'});
		given.server.pages.set('/x.svg', {type: 'image/png', body: '\x89PNG'});
		await expect(given.client.sparkline({asset: 'a'})).rejects.toMatchObject({code: 'wrong-answer'});
	});
});

describe('wallet labels', () => {
	const record = (walletAddress: string) => ({
		walletAddress,
		labels: ['sniper'],
		walletMetadata: null,
		platform: null,
		fundingInfo: null,
	});

	test('are requested in batches of 100', async () => {
		const addresses = Array.from({length: 250}, (_, i) => `0xAA${i}`);
		given.server.pages.set(
			'/api/1/wallet/labels',
			json({data: [record('0xaa0'), record('0xaa249'), null, {walletAddress: 7}]}),
		);
		const labels = await given.client.labels(addresses, {token: '0xT'});
		expect(
			given.server.requests.map(({body}) => (JSON.parse(body) as {walletAddresses: string[]}).walletAddresses.length),
		).toEqual([100, 100, 50]);
		expect(labels.size).toBe(250);
		expect(labels.get('0xAA0')?.labels).toEqual(['sniper']);
	});

	test.each([
		['no record', []],
		['no list in the record', [{walletAddress: 'a', labels: null}]],
		['text in place of a list', [{walletAddress: 'a', labels: 'sniper'}]],
	])('are not reported with %s, which is not the same as having none', async (_, data) => {
		given.server.pages.set('/api/1/wallet/labels', json({data: [...data, {...record('b'), labels: []}]}));
		const labels = await given.client.labels(['a', 'b']);
		expect(labels.get('a')).not.toHaveProperty('labels');
		expect(labels.get('b')).toHaveProperty('labels', []);
	});

	test('are remembered for a while, for each token apart', async () => {
		given.server.pages.set('/api/1/wallet/labels', json({data: [record('a')]}));
		await given.client.labels(['a'], {token: 'x'});
		await given.client.labels(['a', 'a'], {token: 'x'});
		expect(given.server.requests).toHaveLength(1);
		await given.client.labels(['a'], {token: 'y'});
		await given.client.labels(['a'], {token: 'x', maxAgeMs: -1});
		expect(given.server.requests).toHaveLength(3);
	});

	test('are clean, and links only http(s)', async () => {
		given.server.pages.set(
			'/api/1/wallet/labels',
			json({
				data: [
					{
						walletAddress: 'a',
						labels: ['dev\u001b[31m', 7, null, 'x'.repeat(1_000)],
						walletMetadata: {
							entityName: 'Acme\u202e',
							entityLabels: null,
							entityWebsite: 'javascript:1',
							entityTwitter: 'acme',
							entityGithub: null,
						},
						platform: {id: 'p', name: 'P', logo: 'http://p.io/l.png'},
						fundingInfo: {
							from: 'b',
							date: '2025-11-21T08:00:00Z',
							formattedAmount: '1.5',
							currency: {symbol: 'SOL', decimals: 9},
							fromWalletTag: 'Exchange',
						},
					},
				],
			}),
		);
		const labels = (await given.client.labels(['a'])).get('a');
		expect(labels).toMatchObject({
			entity: {name: 'Acme\uFFFD', labels: [], twitter: 'https://x.com/acme'},
			platform: {id: 'p', name: 'P', logo: 'http://p.io/l.png'},
			funding: {
				from: 'b',
				date: Date.UTC(2025, 10, 21, 8),
				amount: 1.5,
				fromTag: 'Exchange',
				currency: {symbol: 'SOL', decimals: 9},
			},
		});
		expect(labels?.labels?.slice(0, 2)).toEqual(['dev', '7']);
		expect(labels?.labels?.[2]?.length).toBeLessThanOrEqual(65);
		expect(labels?.entity).not.toHaveProperty('website');
	});

	test('for no wallets there is no request', async () => {
		expect((await given.client.labels([])).size).toBe(0);
		expect(given.server.requests).toHaveLength(0);
	});
});

test('one token is requested with all its fields and nothing else', async () => {
	given.server.put('token', {address: '0xAb', market_cap: 7});
	given.server.put('token', {address: '0xother', market_cap: 8});
	expect(await given.client.fetchToken({chainId: 'evm:8453', address: '0xaB'})).toMatchObject({market_cap: 7});
	expect(JSON.parse(given.server.requests[0]!.body)).toMatchObject({
		assetMode: true,
		views: [{chainId: 'evm:8453', includeTokens: ['0xaB'], filters: {created_at: {lt: '1970-01-02T00:00:00.000Z'}}}],
	});
});

test('a token that is not in the response is unknown, unless the response has tokens that nobody asked for', async () => {
	const token = {chainId: 'evm:1', address: '0xAb'};
	given.server.put('token', {address: '0xaB', market_cap: 7});
	expect(await given.client.fetchToken(token)).toBeUndefined();
	given.server.put('token', {address: '0xother', market_cap: 8});
	await expect(given.client.fetchToken(token)).rejects.toMatchObject({
		code: 'wrong-answer',
		why: 'it has other tokens, not the one asked for',
	});
});
