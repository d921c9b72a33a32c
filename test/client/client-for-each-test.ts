import {afterEach, beforeEach} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import {PerverseServer} from './perverse-server.ts';

/** A perverse server and its client, both new for each test of the file. */
export function clientForEachTest(): {readonly server: PerverseServer; readonly client: Client} {
	let server: PerverseServer;
	let client: Client;
	beforeEach(async () => {
		server = await PerverseServer.start();
		client = createClient({baseUrl: server.url, apiKey: 'k-1234'});
	});
	afterEach(async () => {
		await client.close();
		await server.stop();
	});
	return {
		get server() {
			return server;
		},
		get client() {
			return client;
		},
	};
}
