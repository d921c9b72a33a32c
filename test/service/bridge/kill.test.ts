import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeEach, expect, test} from 'vitest';
import type {Quote} from '../../../source/contract/bridge.ts';
import {waitFor} from '../chain/practice.ts';
import {ask} from '../helpers/http-client.ts';
import {type Service, walletOf} from './wire-wallet.ts';

const directory = mkdtempSync(join(tmpdir(), 'pulsetop-kill-'));
let service: Service;
let child: ChildProcess | undefined;
/** Each test goes on with the service that the one before it has started again. */
beforeEach(async () => {
	if (child === undefined || child.exitCode !== null || child.signalCode !== null) service = await start();
});
afterAll(async () => {
	child?.kill('SIGKILL');
	// The chains end a moment after their parent, and save themselves.
	await new Promise(resolve => setTimeout(resolve, 200));
	await rm(directory, {recursive: true, force: true, maxRetries: 5});
});

async function start(): Promise<Service> {
	child = fork(new URL('./service-process.ts', import.meta.url), [directory], {
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const [{url}] = (await once(child, 'message')) as [{url: string}];
	return {url, apiKeys: ['test-key']};
}

async function kill(): Promise<void> {
	const gone = once(child!, 'exit');
	child!.kill('SIGKILL');
	await gone;
}

const execute = (service: Service, body: unknown) => ask(service as never, 'POST', '/api/2/bridge/execute', {body});
const status = async (service: Service, id: string) =>
	(await ask(service as never, 'GET', `/api/2/bridge/status/${id}`)).json.data;

test('killed right after an execute was answered: the transfer arrives after the next start, and 409 meets a second execute', async () => {
	const wallet = await walletOf(service);
	const quote = (await wallet.quote()).json.data as Quote;
	const body = await wallet.sign(quote);
	expect((await execute(service, body)).status).toBe(200);
	await kill();
	service = await start();
	const again = await execute(service, body);
	expect([again.status, again.json.intentId]).toEqual([409, quote.intentId]);
	await waitFor(async () => (await status(service, quote.intentId)).status === 'settled');
});

test.each([0, 4, 8, 16])(
	'killed %i ms into an execute: it happened once or not at all, and the status says which',
	async delayMs => {
		const first = await walletOf(service);
		const quote = (await first.quote()).json.data as Quote;
		const body = await first.sign(quote);
		const response = execute(service, body).catch(() => undefined);
		await new Promise(resolve => setTimeout(resolve, delayMs));
		await kill();
		await response;
		service = await start();
		const wallet = await walletOf(service, {user: first.user, fund: false});
		const balance = async () =>
			BigInt(await wallet.rpc('eth_call', [balanceCall(wallet.contracts['usdc']!, wallet.user.address), 'latest']));
		if ((await status(service, quote.intentId)).message === 'Quoted, not submitted.') {
			// It was cut off before the claim: the same body goes through now, once.
			expect(await balance()).toBe(1_000_000_000n);
			expect((await execute(service, body)).status).toBe(200);
		} else {
			expect((await execute(service, body)).status).toBe(409);
		}
		// A claim whose batch was not sent ends as failed a moment after the start.
		const end = await waitFor(async () => {
			const row = await status(service, quote.intentId);
			return ['settled', 'failed'].includes(row.status) && row.status;
		});
		expect(await balance()).toBe(end === 'settled' ? 950_000_000n : 1_000_000_000n);
	},
);

function balanceCall(to: string, holder: string) {
	return {to, data: `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`};
}
