import {expect, onTestFinished, test} from 'vitest';
import {count, metricsAddress, newCounts, serveMetrics} from '../../../../source/commands/ssh/metrics.ts';

test.each([
	['127.0.0.1:9090', '127.0.0.1', 9090],
	['localhost:0', 'localhost', 0],
	['[::1]:65535', '::1', 65_535],
])('%s is an address for figures', (text, host, port) => {
	expect(metricsAddress(text)).toEqual({host, port});
});

test.each(['9090', ':9090', 'localhost', 'localhost:', 'localhost:65536', 'localhost:x', '::1:9090', 'a:b:1'])(
	'%s is no such address',
	text => {
		expect(() => metricsAddress(text)).toThrow("--metrics can't be used");
	},
);

test('figures and health are served, health until the server drains', async () => {
	const counts = newCounts();
	for (const kind of ['left', 'left', 'idle']) count(counts.ended, kind);
	let isDraining = false;
	const gauges = () => ({viewers: 3, views: 4, isDraining});
	const served = await serveMetrics({host: '127.0.0.1', port: 0}, counts, gauges);
	onTestFinished(served.close);
	const get = async (path: string) => {
		const response = await fetch(`http://127.0.0.1:${served.port}${path}`);
		return [response.status, await response.text()] as const;
	};
	expect(await get('/health')).toEqual([200, 'ok\n']);
	const [, text] = await get('/metrics?x=1');
	expect(text).toMatch(/viewers 3\n/);
	expect(text).toMatch(/\{[^}]*"left"[^}]*\} 2\n/);
	expect((await get('/'))[0]).toBe(404);
	isDraining = true;
	expect(await get('/health')).toEqual([503, 'draining\n']);
	await expect(serveMetrics({host: '127.0.0.1', port: served.port}, counts, gauges)).rejects.toThrow(
		`--metrics 127.0.0.1:${served.port} can't be listened on`,
	);
});
