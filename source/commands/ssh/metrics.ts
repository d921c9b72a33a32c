import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {listenWords} from '../../connection-words.ts';
import {MetricsPage, writeProcess} from '../../service/metrics/metrics-page.ts';
import {UsageError} from '../line/usage-error.ts';

/** Counts of a server of screens since its start. */
export interface SshCounts {
	/** Connections that are over, by why they ended. */
	readonly ended: Map<string, number>;
	/** Newcomers that were refused before a byte was sent, by the limit. */
	readonly refused: Map<string, number>;
	/** People who were in, by `guest` or `key`. */
	readonly logins: Map<string, number>;
	/** Bytes to connections that are over. */
	bytes: number;
}

export function newCounts(): SshCounts {
	return {ended: new Map(), refused: new Map(), logins: new Map(), bytes: 0};
}

/** One more of a kind. */
export function count(counts: Map<string, number>, kind: string): void {
	counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** Figures of the moment. */
export interface SshGauges {
	readonly viewers: number;
	/** Views that the service is asked for. */
	readonly views: number;
	readonly isDraining: boolean;
}

/** The address of `--metrics`: `127.0.0.1:9090`. @throws UsageError */
export function metricsAddress(text: string): {readonly host: string; readonly port: number} {
	const [, host = '', port = ''] = /^(\[[\da-f:]+\]|[^:]+):(\d{1,5})$/i.exec(text) ?? [];
	if (host === '' || Number(port) > 65_535)
		throw new UsageError("--metrics can't be used", 'Write the address and the port to listen on: 127.0.0.1:9090.');
	return {host: host.replace(/^\[|\]$/g, ''), port: Number(port)};
}

/**
 * Serves the figures in the text form of Prometheus at `/metrics`, and `/health`: 200, or 503 while the server drains.
 * @returns the port, and an end
 */
export async function serveMetrics(
	{host, port}: {readonly host: string; readonly port: number},
	counts: SshCounts,
	gauges: () => SshGauges,
): Promise<{readonly port: number; readonly close: () => void}> {
	const server = createServer((request, response) => {
		const {pathname} = new URL(request.url ?? '/', 'http://localhost');
		const now = gauges();
		if (pathname === '/health')
			response.writeHead(now.isDraining ? 503 : 200).end(now.isDraining ? 'draining\n' : 'ok\n');
		else if (pathname === '/metrics') {
			response.setHeader('content-type', 'text/plain; version=0.0.4');
			response.end(metricsText(counts, now));
		} else response.writeHead(404).end();
	});
	server.listen(port, host);
	// It is rejected with the server's error.
	await once(server, 'listening').catch(error => {
		throw new UsageError(`--metrics ${host}:${port} can't be listened on`, `${listenWords(error, port)}.`);
	});
	server.on('error', () => {});
	return {
		port: (server.address() as AddressInfo).port,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

function metricsText(counts: SshCounts, {viewers, views}: SshGauges): string {
	const page = new MetricsPage();
	const counted = (name: string, help: string, label: string, of: Map<string, number>): void => {
		const family = page.family(`pulsetop_ssh_${name}`, 'counter', help);
		for (const [kind, value] of of) family.add(value, {[label]: kind});
	};
	page.family('pulsetop_ssh_viewers', 'gauge', 'People who look now.').add(viewers);
	page.family('pulsetop_ssh_shared_views', 'gauge', 'Different filters and sorts of all viewers.').add(views);
	counted('connections_total', 'Connections that are over, by why.', 'end', counts.ended);
	counted('logins_total', 'People who were in, with a key or as guests.', 'kind', counts.logins);
	counted('refused_total', 'Newcomers that a limit refused.', 'limit', counts.refused);
	page.family('pulsetop_ssh_bytes_total', 'counter', 'Bytes to connections that are over.').add(counts.bytes);
	writeProcess(page);
	return page.text();
}
