import {afterEach, expect, test} from 'vitest';
import {deliveryLine} from '../../../../source/commands/webhook/delivery-text.ts';
import {type Delivery, openReceiver, type Receiver} from '../../../../source/commands/webhook/receiver.ts';
import {signDelivery} from '../../../../source/service/webhook/signature.ts';

const SECRET = `whsec_${'5'.repeat(64)}`;
const BODY = JSON.stringify({type: 'swap', amountUSD: 12});
const nowS = () => Math.floor(Date.now() / 1000);

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

/** A receiver, what it took, and what it refused. */
async function open({secret = Promise.resolve(SECRET), isFull = false} = {}) {
	const taken: Delivery[] = [];
	const refused: string[] = [];
	receiver = await openReceiver({
		host: '127.0.0.1',
		port: 0,
		secret,
		onDelivery: delivery => !isFull && taken.push(delivery) > 0,
		onRefused: why => void refused.push(why),
	});
	const {url} = receiver;
	const post = async (headers: Record<string, string>, body = BODY) =>
		(await fetch(url, {method: 'POST', headers, body})).status;
	return {url, taken, refused, post};
}

const signed = (secret = SECRET, timeS = nowS(), body = BODY) => ({
	'x-webhook-signature': signDelivery(secret, timeS, body),
});

test('only a recent, unchanged delivery signed with the secret is accepted', async () => {
	const {post, taken, refused, url} = await open();
	expect(await post({...signed(), 'x-webhook-id': 'w', 'x-webhook-delivery': 'd'})).toBe(200);
	expect(await post({})).toBe(401);
	expect(await post(signed(`whsec_${'6'.repeat(64)}`))).toBe(401);
	expect(await post(signed(), BODY.replace('12', '13'))).toBe(401);
	expect(await post({'x-webhook-signature': 't=1,v1=short'})).toBe(401);
	expect(await post(signed(SECRET, nowS() - 3600))).toBe(401);
	expect((await fetch(url)).status).toBe(405);
	expect(taken).toEqual([{webhook: 'w', delivery: 'd', isRepeat: false, body: JSON.parse(BODY)}]);
	expect(refused).toEqual(['missing', 'wrong', 'wrong', 'wrong', 'old']);
});

test('a repeated delivery is marked as one, and what is not JSON or larger than any delivery is refused', async () => {
	const {post, taken} = await open();
	const headers = {...signed(), 'x-webhook-delivery': 'd'};
	expect([await post(headers), await post(headers)]).toEqual([200, 200]);
	expect(taken.map(({isRepeat}) => isRepeat)).toEqual([false, true]);
	expect(await post(signed(SECRET, nowS(), 'no json'), 'no json')).toBe(400);
	const large = JSON.stringify('x'.repeat(1 << 20));
	expect(await post(signed(SECRET, nowS(), large), large)).toBe(413);
	expect(taken).toHaveLength(2);
});

test('a delivery that overtakes the secret waits for it', async () => {
	const {promise, resolve} = Promise.withResolvers<string>();
	const {post, taken} = await open({secret: promise});
	const status = post(signed());
	resolve(SECRET);
	expect(await status).toBe(200);
	expect(taken).toHaveLength(1);
});

test('a delivery that is refused for now gets 503, and its next attempt is not a repeat', async () => {
	const full = await open({isFull: true});
	expect(await full.post({...signed(), 'x-webhook-delivery': 'd'})).toBe(503);
});

test('a port in use is reported', async () => {
	const {url} = await open();
	const options = {host: '127.0.0.1', port: Number(new URL(url).port), secret: Promise.resolve('')};
	await expect(openReceiver({...options, onDelivery: () => true, onRefused() {}})).rejects.toMatchObject({
		code: 'not-listening',
		why: expect.stringContaining('already in use'),
	});
});

test('a delivery is one line, with any content', () => {
	// The time of day where the test runs.
	const at = new Date(2026, 0, 1, 12, 30, 5).getTime();
	const line = (body: unknown) => deliveryLine({isRepeat: false, body}, at);
	const token = {
		action: 'created',
		chainId: 'evm:8453',
		symbol: 'A\u001b[2JB',
		name: 'x\ny\u202e',
		tokenAddress: '0x1',
	};
	expect(line({type: 'launchpad', ...token})).toBe('12:30:05  launchpad   Base      created  AB  x y�  0x1\n');
	expect(line({data: {chainId: 'solana:solana', amount: 1500, tokenSymbol: 'PEPE', from: 'a', to: 'b'}})).toBe(
		'12:30:05  transfer    Solana    1.50K PEPE  a to b\n',
	);
	for (const odd of [null, 5, 'text', [], {}, {type: 'new kind', x: '\n'}, {type: 7}, {type: 'swap', amountUSD: 'x'}])
		expect(line(odd)).toMatch(/^12:30:05 [^\p{Cc}]+\n$/u);
});
