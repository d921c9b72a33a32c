import {encodeFunctionData, type Hex} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {endpointOf} from '../../../source/contract/endpoints.ts';
import {envelopeSchema} from '../../../source/contract/perp.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {newUser} from '../chain/practice.ts';
import {ask, expectError} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {dexBTraderOf, MARKET_ORDER, traderOf, WAITING_ORDER} from './trader.ts';

let service: RunningService;
beforeAll(async () => {
	service = await startService({market: new TinyMarket(), chains: {chainIds: [8453, 42161]}});
});
afterAll(() => service.close());

const DEX_A = {dex: 'dexA', chainId: 'evm:42161'};
const DEX_B = {dex: 'dexB', chainId: 'dexB:304'};
const indexOf = (row: {id: string}) => row.id.split('-').at(-1)!;

test('dexA: an order is placed, listed and cancelled with two signatures; the collateral is back', async () => {
	const trader = await traderOf(service);
	const placed = await trader.carryOut('create-order', {...WAITING_ORDER, tp: 120_000, sl: 40_000});
	expect(placed.json).toMatchObject({
		success: true,
		data: {executionDetails: [{type: 'create-order', status: 'success'}]},
	});
	const [row] = await trader.rows('unfilled');
	endpointOf('perpUnfilled')
		.response()
		.parse({data: [row]});
	expect(row).toMatchObject({
		exchange: 'dexA',
		chainId: 'evm:42161',
		marketId: 'BTC-USD',
		side: 'BUY',
		type: 'LIMIT',
		entryPriceQuote: 50_000,
		currentLeverage: 10,
		amountUSD: 500,
		amountRaw: '500000000',
		tp: [{price: 120_000}],
		sl: [{price: 40_000}],
	});
	expect(await trader.balance()).toBe(950_000_000n);

	const built = await trader.payload('cancel-order', {...DEX_A, orderIndex: indexOf(row), orderType: 'order'});
	const envelope = envelopeSchema().parse(built.json.data);
	expect(envelope).toMatchObject({action: 'cancel-order', ...DEX_A, transport: 'evm-tx'});
	const content = JSON.parse(envelope.payloadStr);
	expect(content).toMatchObject({
		action: 'cancel-order',
		...DEX_A,
		transport: 'evm-tx',
		payload: {type: 'evm', orderType: 'order'},
	});
	expect(content.payload.data).toMatchObject({
		from: trader.user.address,
		value: '0',
		chainId: 42161,
		nonce: await trader.nonce(),
	});
	const executed = await trader.execute(await trader.prepared(envelope));
	endpointOf('perpExecute').response().parse(executed.json);
	expect(executed.json.data).toEqual({
		success: true,
		executionDetails: [
			{
				txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
				type: 'cancel-order',
				status: 'success',
				orderStatuses: [{orderId: indexOf(row), status: 'cancelled', type: 'order'}],
			},
		],
	});
	expect(await trader.rows('unfilled')).toEqual([]);
	expect(await trader.balance()).toBe(1_000_000_000n);
});

test('dexA: a position opens at the market, loses its take-profit and stop-loss one by one, and closes', async () => {
	const trader = await traderOf(service);
	await trader.carryOut('create-order', {...MARKET_ORDER, tp: 500_000, sl: 10_000, maxSlippageP: 1});
	const [row] = await trader.rows('open');
	expect(row).toMatchObject({side: 'BUY', tp: [{price: 500_000}], sl: [{price: 10_000}]});
	expect(row.liquidationPriceQuote).toBeCloseTo(row.entryPriceQuote * 0.91, 0);
	const target = {...DEX_A, orderIndex: indexOf(row)};
	expect((await trader.carryOut('cancel-order', {...target, orderType: 'tp'})).status).toBe(200);
	expect((await trader.rows('open'))[0]).toMatchObject({tp: [], sl: [{price: 10_000}]});
	expect((await trader.carryOut('cancel-order', {...target, orderType: 'sl'})).status).toBe(200);
	const position = {...DEX_A, positionId: indexOf(row), marketId: 'BTC-USD'};
	expect((await trader.carryOut('edit-order', {...position, newTp: 400_000})).status).toBe(200);
	expect((await trader.rows('open'))[0]).toMatchObject({tp: [{price: 400_000}], sl: []});
	expect((await trader.carryOut('update-margin', {...position, newLeverage: 5})).status).toBe(200);
	expect((await trader.rows('open'))[0]).toMatchObject({currentLeverage: 5});
	expect((await trader.carryOut('close-position', {...position, closePercentage: 50})).status).toBe(200);
	expect((await trader.rows('open'))[0].amountUSD).toBeCloseTo(row.amountUSD / 2, 0);
	expect((await trader.carryOut('close-position', {...position, closePercentage: 100})).status).toBe(200);
	expect(await trader.rows('open')).toEqual([]);
});

test('dexB: five units make an account, a message an API key, and then orders are placed and cancelled without gas', async () => {
	const trader = await traderOf(service);
	const deposit = {...DEX_B, originChainId: 'evm:42161'};
	expectError(
		await trader.payload('create-order', {...WAITING_ORDER, dexes: ['dexB']}),
		500,
		'could not build create-order payload',
		/./,
	);
	expectError(await trader.payload('create-account', DEX_B), 400, 'create-account payload generation failed', /./);
	expectError(
		await trader.payload('deposit', {...deposit, amountUsdc: '4.99'}),
		400,
		'deposit payload generation failed',
		/./,
	);
	expect((await trader.carryOut('deposit', {...deposit, amountUsdc: '100'})).json).toMatchObject({success: true});
	expectError(
		await trader.payload('create-order', {...WAITING_ORDER, dexes: ['dexB']}),
		500,
		'could not build create-order payload',
		/./,
	);
	expect((await trader.carryOut('create-account', DEX_B)).json).toMatchObject({success: true});
	const placed = await trader.carryOut('create-order', {...WAITING_ORDER, dexes: ['dexB']});
	const {orderId} = placed.json.data.executionDetails[0].orderStatuses[0];
	const [row] = await trader.rows('unfilled', '&dex=dexB');
	endpointOf('perpUnfilled')
		.response()
		.parse({data: [row]});
	expect([row.exchange, row.chainId, indexOf(row)]).toEqual(['dexB', 'dexB:304', orderId]);

	const built = await trader.payload('cancel-order', {...DEX_B, orderIndex: orderId, marketId: 'BTC-USD'});
	expect(built.json.data).toMatchObject({transport: 'offchain-api', marketId: 'BTC-USD'});
	const executed = await trader.execute(await trader.prepared(built.json.data));
	expect(executed.json.data.executionDetails).toEqual([
		{
			txHash: null,
			type: 'cancel-order',
			status: 'success',
			orderStatuses: [{orderId, status: 'cancelled', type: 'order'}],
		},
	]);
	expect(await trader.rows('unfilled', '&dex=dexB')).toEqual([]);
	const later = await trader.payload('cancel-order', {...DEX_B, orderIndex: orderId, marketId: 'BTC-USD'});
	expectError(later, 400, 'cancel-order payload generation failed', /./);
});

test('dexB: a position is opened, edited, given margin, closed, and its money withdrawn to the chain', async () => {
	const trader = await dexBTraderOf(service);
	expect(await trader.balance()).toBe(500_000_000n);
	await trader.carryOut('create-order', {...MARKET_ORDER, dexes: ['dexB'], tp: 500_000});
	const [row] = await trader.rows('open', '&chainIds=dexB:304');
	const position = {...DEX_B, marketId: 'BTC-USD', positionId: indexOf(row)};
	expect((await trader.carryOut('edit-order', {...position, newSl: 20_000})).status).toBe(200);
	expect((await trader.rows('open'))[0]).toMatchObject({tp: [{price: 500_000}], sl: [{price: 20_000}]});
	expect((await trader.carryOut('update-margin', {...position, usdcAmount: 25, increase: true})).status).toBe(200);
	const [grown] = await trader.rows('open');
	expect([grown.collateral, grown.amountRaw]).toEqual([expect.closeTo(row.collateral + 25, 6), row.amountRaw]);
	expectError(
		await trader.carryOut('update-margin', {...position, usdcAmount: 1000, increase: false}),
		400,
		/^the exchange refused: the position has less collateral/,
	);
	expect((await trader.carryOut('close-position', {...position, amountRaw: row.amountRaw})).status).toBe(200);
	expect(await trader.rows('open')).toEqual([]);
	expectError(
		await trader.payload('withdraw', {...DEX_B, amountUsdc: '5000'}),
		400,
		'withdraw payload generation failed',
		/./,
	);
	const executed = await trader.carryOut('withdraw', {...DEX_B, amountUsdc: '490.5'});
	expect(executed.json).toMatchObject({
		success: true,
		data: {executionDetails: [{type: 'withdraw', status: 'success'}]},
	});
	expect(await trader.balance()).toBe(990_500_000n);
});

test('dexB: one signed withdrawal pays once', async () => {
	const trader = await dexBTraderOf(service);
	const {json} = await trader.payload('withdraw', {...DEX_B, amountUsdc: '10'});
	const body = await trader.prepared(json.data);
	expect((await trader.execute(body)).status).toBe(200);
	expectError(await trader.execute(body), 400, 'the exchange refused: this withdrawal was made before');
	expect(await trader.balance()).toBe(510_000_000n);
});

test('dexB: one deposit is credited once, however often its transaction is submitted', async () => {
	const trader = await traderOf(service);
	const {json} = await trader.payload('deposit', {...DEX_B, originChainId: 'evm:42161', amountUsdc: '100'});
	const body = await trader.prepared(json.data);
	const answers = [await trader.execute(body), await trader.execute(body)];
	expect(answers.map(({status}) => status)).toEqual([200, 200]);
	await trader.carryOut('create-account', DEX_B);
	expectError(
		await trader.payload('withdraw', {...DEX_B, amountUsdc: '100.01'}),
		400,
		'withdraw payload generation failed',
		/./,
	);
	expect((await trader.payload('withdraw', {...DEX_B, amountUsdc: '100'})).status).toBe(200);
});

test('dexB: a message signed by another account moves nothing', async () => {
	const trader = await dexBTraderOf(service);
	const {json} = await trader.payload('withdraw', {...DEX_B, amountUsdc: '10'});
	const content = JSON.parse(json.data.payloadStr);
	content.payload.L1Sig = await newUser().signMessage({message: content.payload.MessageToSign});
	delete content.payload.MessageToSign;
	const forged = await trader.execute({...json.data, payloadStr: JSON.stringify(content)});
	expectError(forged, 403, 'L1Sig is not the signature of the account over its message');
	for (const L1Sig of ['0x', 'nonsense', `0x${'11'.repeat(65)}`]) {
		content.payload.L1Sig = L1Sig;
		const broken = await trader.execute({...json.data, payloadStr: JSON.stringify(content)});
		expectError(broken, 403, 'L1Sig is not the signature of the account over its message');
	}
	const more = JSON.parse((await trader.prepared(json.data))['payloadStr'] as string);
	more.payload.amountRaw = '500000000';
	const raised = await trader.execute({...json.data, payloadStr: JSON.stringify(more)});
	expectError(raised, 403, 'L1Sig is not the signature of the account over its message');
	expect(await trader.balance()).toBe(500_000_000n);
});

test.each([
	['dexA, an index that never was', {...DEX_A, orderIndex: '999', orderType: 'order'}],
	['dexA, a take-profit that is not there', {...DEX_A, orderIndex: '0', orderType: 'tp'}],
	['dexA, an index beyond every number', {...DEX_A, orderIndex: '9'.repeat(90)}],
	['dexA on another chain', {...DEX_A, chainId: 'evm:8453', orderIndex: '0'}],
	['dexB without an account', {...DEX_B, orderIndex: '1', marketId: 'BTC-USD'}],
])('cancel-order fails with the text of the spec: %s', async (_, fields) => {
	const trader = await traderOf(service);
	expectError(await trader.payload('cancel-order', fields), 400, 'cancel-order payload generation failed', /./);
});

test('an order of another market, and one of another wallet, cannot be cancelled', async () => {
	const [trader, other] = [await dexBTraderOf(service), await dexBTraderOf(service)];
	const placed = await trader.carryOut('create-order', {...WAITING_ORDER, dexes: ['dexB']});
	const {orderId} = placed.json.data.executionDetails[0].orderStatuses[0];
	const failed = 'cancel-order payload generation failed';
	expectError(
		await trader.payload('cancel-order', {...DEX_B, orderIndex: orderId, marketId: 'ETH-USD'}),
		400,
		failed,
		/./,
	);
	expectError(
		await other.payload('cancel-order', {...DEX_B, orderIndex: orderId, marketId: 'BTC-USD'}),
		400,
		failed,
		/./,
	);
	const {json} = await trader.payload('cancel-order', {...DEX_B, orderIndex: orderId, marketId: 'BTC-USD'});
	expectError(await other.execute(json.data), 403, /built for another account/);
	expect(await trader.rows('unfilled', '&dex=dexB')).toHaveLength(1);
});

test('an unsupported action of dexA is refused with the text of that action, or 501 for a missing one', async () => {
	const trader = await traderOf(service);
	expectError(
		await trader.payload('withdraw', {...DEX_A, amountUsdc: '1'}),
		400,
		'withdraw payload generation failed',
		/./,
	);
	const deposit = {...DEX_A, originChainId: 'evm:42161', amountUsdc: '10'};
	expectError(await trader.payload('deposit', deposit), 400, 'deposit payload generation failed', /./);
	expectError(await trader.payload('create-account', DEX_A), 501, 'create-account payload generation failed', /./);
	expectError(
		await trader.payload('create-order', {...WAITING_ORDER, baseToken: 'NONE'}),
		500,
		'could not build create-order payload',
		/./,
	);
	const position = {...DEX_A, marketId: 'BTC-USD', positionId: '7'};
	expectError(
		await trader.payload('close-position', {...position, closePercentage: 10}),
		400,
		'close-position payload generation failed',
		/./,
	);
	expectError(
		await trader.payload('edit-order', {...position, newTp: 1}),
		400,
		'edit-order payload action failed',
		/./,
	);
	expectError(
		await trader.payload('update-margin', {...position, newLeverage: 2}),
		400,
		'update-margin payload action failed',
		/./,
	);
});

test('what cannot be built says why: the permission, the balance or the leverage that is missing', async () => {
	const poor = await traderOf(service, {funded: false});
	const {usdc, perpExchange} = poor.contracts as {usdc: Hex; perpExchange: Hex};
	const place = (fields = {}) => poor.payload('create-order', {...WAITING_ORDER, ...fields});
	const failed = 'could not build create-order payload';
	expectError(
		await place(),
		500,
		failed,
		`the account lets ${perpExchange} take 0 USDC and 50 USDC are needed: call approve of ${usdc} first`,
	);
	await ask(service, 'POST', '/dev/faucet', {body: {chainId: 'evm:42161', address: poor.user.address}});
	const data = encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [perpExchange, 10n ** 12n]});
	await poor.send(usdc, data);
	expectError(await place(), 500, failed, `the account holds 0 USDC and 50 USDC are needed`);
	expectError(await place({leverage: 1000}), 500, failed, `the call would revert: BadLeverage(100000)`);
	expectError(await place({baseToken: 'NONE'}), 500, failed, `there is no such market`);
	expectError(
		await poor.payload('create-order', {...WAITING_ORDER, dexes: ['dexB']}),
		500,
		failed,
		`the wallet has no account: a deposit makes one`,
	);
	const order = {...DEX_A, orderIndex: '7', orderType: 'order'};
	expectError(
		await poor.payload('cancel-order', order),
		400,
		'cancel-order payload generation failed',
		'the call would revert: NotAnOrder(7)',
	);
});

test('numbers out of range are refused with the same text, not with a fault', async () => {
	const trader = await dexBTraderOf(service);
	const failed = 'could not build create-order payload';
	for (const dexes of [['dexA'], ['dexB']]) {
		for (const patch of [{collateralAmount: 1e30}, {openPrice: 1e30}, {leverage: 1e30}, {tp: 1e21}]) {
			expectError(await trader.payload('create-order', {...WAITING_ORDER, dexes, ...patch}), 500, failed, /./);
		}
	}
	await trader.carryOut('create-order', {...MARKET_ORDER, dexes: ['dexB']});
	const close = (amountRaw: string | number) =>
		trader.payload('close-position', {...DEX_B, marketId: 'BTC-USD', amountRaw});
	for (const amountRaw of ['nonsense', '-5', 1.5, 0, '9'.repeat(39)]) {
		expectError(await close(amountRaw), 400, 'close-position payload generation failed', /./);
	}
});

test('dexB: orders with impossible figures are refused when they come back', async () => {
	const trader = await dexBTraderOf(service);
	const {json} = await trader.payload('create-order', {...WAITING_ORDER, dexes: ['dexB']});
	const content = JSON.parse(json.data.payloadStr);
	const send = (patch: object) =>
		trader.execute({...json.data, payloadStr: JSON.stringify({...content, payload: {...content.payload, ...patch}})});
	expectError(await send({price: '-1'}), 400, 'payload.price is not as it was built');
	expectError(await send({collateralRaw: '999999999999'}), 400, 'the exchange refused: the balance is too small');
	expectError(await send({collateralRaw: '0'}), 400, 'the exchange refused: the collateral must be more than 0');
	expectError(await send({leverageX100: 100_000}), 400, 'the exchange refused: the leverage is not offered');
	expectError(await send({leverageX100: 99}), 400, 'the exchange refused: the leverage is not offered');
	expectError(await send({accountIndex: 9999}), 403, /built for another account/);
	expect(await trader.rows('unfilled', '&dex=dexB')).toEqual([]);
});

const cancelFields = {...DEX_A, orderIndex: '0'};

test.each([
	['30 s old and a little more', -30_500, 403, 'timestamp expired'],
	['35 s ahead', 35_000, 403, 'timestamp expired'],
])('a request whose timestamp is %s is refused', async (_, offMs, status, message) => {
	const trader = await traderOf(service, {funded: false});
	const timestamp = Date.now() + offMs;
	const signature = await trader.user.signMessage({message: `api/2/perp/payloads/cancel-order-${timestamp}`});
	const body = {...cancelFields, timestamp, signature};
	expectError(await ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body}), status, message);
});

test('a request that is 25 s old is accepted', async () => {
	const trader = await traderOf(service, {funded: false});
	const timestamp = Date.now() - 25_000;
	const signature = await trader.user.signMessage({message: `api/2/perp/payloads/cancel-order-${timestamp}`});
	const body = {...cancelFields, timestamp, signature};
	const response = await ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body});
	expectError(response, 400, 'cancel-order payload generation failed', /./);
});

test('a signature is valid for one request, with any outcome and in any spelling', async () => {
	const trader = await traderOf(service, {funded: false});
	const body = await trader.signed('cancel-order', cancelFields);
	const send = (signature: string) =>
		ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body: {...body, signature}});
	expectError(await send(body.signature), 400, 'cancel-order payload generation failed', /./);
	expectError(await send(body.signature), 403, 'signature already used');
	expectError(await send(`0x${body.signature.slice(2).toUpperCase()}`), 403, 'signature already used');
	const v = body.signature.slice(-2) === '1b' ? '00' : '01';
	expectError(await send(`${body.signature.slice(0, -2)}${v}`), 403, 'signature already used');
});

test('of many requests with one signature at the same moment, one is accepted', async () => {
	const trader = await traderOf(service, {funded: false});
	const body = await trader.signed('cancel-order', cancelFields);
	const answers = await Promise.all(
		Array.from({length: 10}, () => ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body})),
	);
	expect(answers.map(({status}) => status).sort()).toEqual([400, ...Array(9).fill(403)]);
});

test.each([
	['no timestamp', {timestamp: undefined}],
	['a timestamp as text', {timestamp: '1'}],
	['no signature', {signature: undefined}],
	['a short signature', {signature: '0x1234'}],
	['64 zero bytes and one', {signature: `0x${'00'.repeat(65)}`}],
	['no dex', {dex: undefined}],
	['an index that is no number', {orderIndex: '-1'}],
	['a market missing for dexB', {dex: 'dexB', chainId: 'dexB:304'}],
	['an order type for dexB', {dex: 'dexB', chainId: 'dexB:304', marketId: 'BTC-USD', orderType: 'order'}],
])('a request of a wrong shape is 400 zod validation failed: %s', async (_, patch) => {
	const trader = await traderOf(service, {funded: false});
	const body = {...(await trader.signed('cancel-order', cancelFields)), ...patch};
	expectError(
		await ask(service, 'POST', '/api/2/perp/payloads/cancel-order', {body}),
		400,
		'zod validation failed',
		/./,
	);
});

test('execute compares the envelope with its payload, and the transaction with both', async () => {
	const trader = await traderOf(service);
	const other = await traderOf(service);
	await trader.carryOut('create-order', WAITING_ORDER);
	const {json} = await trader.payload('cancel-order', {...DEX_A, orderIndex: '0'});
	const honest = await trader.prepared(json.data);
	const content = JSON.parse(json.data.payloadStr);
	const data = content.payload.data;
	const sign = (patch: object) => trader.signTransaction({...data, ...patch});
	const withPayload = (patch: object) =>
		JSON.stringify({...content, payload: {...content.payload, data: {...data, ...patch}}});

	for (const [field, value] of [
		['action', 'create-order'],
		['dex', 'dexB'],
		['chainId', 'evm:8453'],
		['transport', 'offchain-api'],
		['marketId', 'BTC-USD'],
	] as const) {
		expectError(
			await trader.execute({...honest, [field]: value}),
			400,
			`${field} of the envelope is not that of payloadStr`,
		);
	}
	expectError(await trader.execute({...honest, payloadStr: '{'.repeat(3)}), 400, 'payloadStr is not JSON');
	expectError(await trader.execute({...honest, payloadStr: '{}'}), 400, /does not hold an envelope/);
	expectError(await trader.execute({...honest, signedTx: undefined}), 400, 'signedTx is required for evm-tx');
	expectError(await trader.execute({...honest, signedTx: '0x02aabb'}), 400, 'signedTx is not a signed transaction');
	for (const [field, value] of [
		['gas', '99999'],
		['nonce', 77],
		['maxFeePerGas', '77777777777'],
		['callData', `${data.callData.slice(0, -1)}7`],
		['to', trader.contracts['usdc']],
	] as const) {
		const response = await trader.execute({...honest, signedTx: await sign({[field]: value})});
		expectError(response, 400, `${field} of signedTx is not that of the payload`);
	}
	const elsewhere = {to: trader.contracts['usdc']};
	const passed = await trader.execute({...honest, payloadStr: withPayload(elsewhere), signedTx: await sign(elsewhere)});
	expectError(passed, 400, 'payload.data is not a call of cancel-order on dexA');
	const gap = {nonce: data.nonce + 3};
	const later = await trader.execute({...honest, payloadStr: withPayload(gap), signedTx: await sign(gap)});
	expectError(later, 400, /^nonce of signedTx is \d+, the account's next is \d+$/);
	expectError(await other.execute(honest), 403, 'signedTx is not signed by the signer of the request');
	const stolen = await other.execute({...honest, signedTx: await other.signTransaction(data)});
	expectError(stolen, 403, 'the payload was built for another account than the signer of the request');
	expect(await trader.rows('unfilled')).toHaveLength(1);
	expect((await trader.execute(honest)).status).toBe(200);
});

test('execute refuses a signature over another payload, an old one, and one that was used', async () => {
	const trader = await traderOf(service);
	await trader.carryOut('create-order', WAITING_ORDER);
	const {json} = await trader.payload('cancel-order', {...DEX_A, orderIndex: '0'});
	const body = await trader.signedExecute(await trader.prepared(json.data));
	const send = (patch: object) => ask(service, 'POST', '/api/2/perp/execute-v2', {body: {...body, ...patch}});
	expectError(
		await send({payloadStr: `${body['payloadStr']} `}),
		403,
		'signedTx is not signed by the signer of the request',
	);
	expectError(await send({timestamp: Number(body['timestamp']) - 40_000}), 403, 'timestamp expired');
	expectError(await send({signature: '0x'}), 400, 'zod validation failed', /./);
});

test('a cancel of an order that no longer exists reports the error of the chain', async () => {
	const trader = await traderOf(service);
	await trader.carryOut('create-order', WAITING_ORDER);
	const {json} = await trader.payload('cancel-order', {...DEX_A, orderIndex: '0'});
	const honest = await trader.prepared(json.data);
	// The same order is cancelled by hand first; the transaction of the payload then takes the next nonce.
	const content = JSON.parse(json.data.payloadStr);
	await trader.send(content.payload.data.to, content.payload.data.callData);
	expectError(await trader.execute(honest), 400, /^the transaction was not sent: nonce too low/);
	content.payload.data.nonce = await trader.nonce();
	const late = {
		...honest,
		payloadStr: JSON.stringify(content),
		signedTx: await trader.signTransaction(content.payload.data),
	};
	expectError(await trader.execute(late), 400, 'the execution failed: NotAnOrder(0)');
});

test('one signed transaction that is submitted twice is sent once', async () => {
	const trader = await traderOf(service);
	await trader.carryOut('create-order', WAITING_ORDER);
	const {json} = await trader.payload('cancel-order', {...DEX_A, orderIndex: '0'});
	const honest = await trader.prepared(json.data);
	const [first, second] = [await trader.execute(honest), await trader.execute(honest)];
	expect([first.status, second.status]).toEqual([200, 200]);
	expect(second.json).toEqual(first.json);
});

test('listings are sorted, cut into pages, filtered by exchange, and refuse what is no wallet', async () => {
	const trader = await dexBTraderOf(service);
	for (let i = 0; i < 3; i++)
		await trader.carryOut('create-order', {...WAITING_ORDER, dexes: ['dexB'], collateralAmount: 10 + i});
	await trader.carryOut('create-order', WAITING_ORDER);
	const all = await trader.rows('unfilled', '&order=asc');
	expect(all).toHaveLength(4);
	expect(await trader.rows('unfilled', '&order=asc&limit=2')).toEqual([
		expect.objectContaining({id: all[0].id}),
		expect.objectContaining({id: all[1].id}),
	]);
	expect((await trader.rows('unfilled', '&order=asc&limit=2&offset=2')).map((row: {id: string}) => row.id)).toEqual([
		all[2].id,
		all[3].id,
	]);
	const ids = async (query: string) => (await trader.rows('unfilled', query)).map((row: {id: string}) => row.id);
	expect(await ids(`&order=asc&cursor=${all[1].id}`)).toEqual([all[2].id, all[3].id]);
	expect(await ids(`&order=asc&cursor=${all[2].id}&cursorDirection=before`)).toEqual([all[0].id, all[1].id]);
	expect((await trader.rows('unfilled', '&dex=dexA')).map((row: {exchange: string}) => row.exchange)).toEqual(['dexA']);
	expect(await trader.rows('unfilled', '&chainIds=evm:1,evm:2')).toEqual([]);
	const older = await ask(service, 'GET', `/api/2/wallet/perp/orders?wallet=${trader.user.address}&dex=dexA`);
	expect(older.json.data).toHaveLength(1);
	expectError(
		await ask(service, 'GET', '/api/2/wallet/positions/perp/open?wallet=me'),
		400,
		/wallet must be an EVM address/,
	);
});

test('the socket shows a wallet its orders, and the set without the one that was cancelled', async () => {
	const trader = await traderOf(service);
	await trader.carryOut('create-order', WAITING_ORDER);
	const socket = await StreamClient.open(service.streamUrl);
	const subscribe = (wallet: string) =>
		socket.send({
			event: 'perp-positions-unfilled',
			authorization: service.apiKeys[0],
			data: {wallet, subscriptionTracking: true, subscriptionId: 'p1'},
		});
	subscribe('me');
	expect(await socket.next(frame => frame['event'] === 'error')).toMatchObject({
		message: expect.stringContaining('data.wallet must be'),
	});
	subscribe(trader.user.address);
	const full = await socket.next(frame => frame['event'] === 'perp-positions-unfilled' && frame['data'].length === 1);
	expect(full).toMatchObject({subscriptionId: 'p1', data: [{exchange: 'dexA', type: 'LIMIT'}]});
	await trader.carryOut('cancel-order', {...DEX_A, orderIndex: '0'});
	await socket.next(frame => frame['event'] === 'perp-positions-unfilled' && frame['data'].length === 0);
	await socket.close();
});

test('an unknown process is 404', async () => {
	expectError(await ask(service, 'GET', '/api/2/perp/check-process?processId=none'), 404, 'There is no such process');
});
