import type {AddressInfo} from 'node:net';
import fastify, {type FastifyInstance} from 'fastify';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ExecuteRefused} from '../../../source/service/bridge/bridge-errors.ts';
import {bridgeRoutes} from '../../../source/service/bridge/routes.ts';
import {createCredits} from '../../../source/service/credits.ts';
import {Refused} from '../../../source/service/http-error.ts';
import type {ServiceContext} from '../../../source/service/service-context.ts';

/** The route of execute over real HTTP, with a preset bridge and callers by header. */
let app: FastifyInstance;
let url: string;
let executes: () => Promise<object>;
let done: number;

async function open(credits: number | undefined): Promise<void> {
	app = fastify();
	app.decorateRequest('caller', '');
	app.addHook('onRequest', async request => {
		request.caller = String(request.headers['authorization']);
	});
	app.setErrorHandler((error, _, reply) =>
		reply.code(error instanceof Refused ? error.statusCode : 500).send({error: (error as Error).message}),
	);
	const once = async () => {
		const result = await executes();
		done++;
		return result;
	};
	const bridge = async () => ({execute: once});
	bridgeRoutes.register(app, {money: {bridge}, credits: createCredits(credits)} as unknown as ServiceContext);
	await app.listen({port: 0, host: '127.0.0.1'});
	url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/2/bridge/execute`;
}
beforeEach(() => {
	done = 0;
	executes = async () => ({status: 'pending'});
});
afterEach(() => app.close());

const ADDRESS = `0x${'1'.repeat(40)}`;
const BODY = {
	originChainId: 'evm:8453',
	intentId: 'i',
	authority: ADDRESS,
	calls: [{to: ADDRESS, value: '0', data: '0x'}],
	batchNonce: '1',
	deadline: '1',
	gasToken: ADDRESS,
	minBalance: '1',
	batchSignature: `0x${'1'.repeat(130)}`,
};

async function execute(key = 'a', body: object = BODY): Promise<number> {
	const headers = {'content-type': 'application/json', authorization: key};
	return (await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)})).status;
}

test('an execute costs one credit of its key, and is refused with 402 when none is left', async () => {
	await open(2);
	expect([await execute(), await execute(), await execute()]).toEqual([200, 200, 402]);
	expect(done).toBe(2);
	expect(await execute('b')).toBe(200);
});

test('what sent nothing costs nothing; what may have been sent costs its credit', async () => {
	await open(1);
	for (const check of ['expired-quote', 'bad-batch-signature', 'already-submitted', 'send-failed'] as const) {
		executes = async () => Promise.reject(new ExecuteRefused(check, check));
		expect(await execute()).toBe(new ExecuteRefused(check, '').statusCode);
	}
	executes = async () => Promise.reject(new ExecuteRefused('no-answer', 'no answer'));
	expect([await execute(), await execute()]).toEqual([504, 402]);
});

test('of two at once with one credit left, one is done', async () => {
	await open(1);
	expect((await Promise.all([execute(), execute()])).toSorted()).toEqual([200, 402]);
	expect(done).toBe(1);
});

test('without a limit nothing runs out', async () => {
	await open(undefined);
	for (let i = 0; i < 5; i++) expect(await execute()).toBe(200);
});
