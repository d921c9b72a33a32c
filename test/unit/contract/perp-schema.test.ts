import {describe, expect, test} from 'vitest';
import {
	cancelOrderBodySchema,
	closePositionBodySchema,
	createOrderBodySchema,
	editOrderBodySchema,
	envelopeSchema,
	indexOfPosition,
	perpExecuteBodySchema,
	updateMarginBodySchema,
	withdrawBodySchema,
} from '../../../source/contract/perp.ts';
import {schemaRefusesAt} from './refusal.ts';

const signed = {timestamp: 1_790_000_000_000, signature: `0x${'ab'.repeat(65)}`};
const onA = {...signed, dex: 'dexA', chainId: 'evm:42161'};
const onB = {...signed, dex: 'dexB', chainId: 'dexB:304'};

describe('the bodies of perp payloads (spec 4.7, contract gaps 5.2)', () => {
	test.each([
		['cancel an order on dexA', cancelOrderBodySchema(), {...onA, orderIndex: '3', orderType: 'tp'}],
		['cancel without a type', cancelOrderBodySchema(), {...onA, orderIndex: '3'}],
		['cancel on dexB', cancelOrderBodySchema(), {...onB, orderIndex: '0', marketId: '7'}],
		['close half', closePositionBodySchema(), {...onA, marketId: '1', positionId: '0', closePercentage: 50}],
		['close an amount', closePositionBodySchema(), {...onB, marketId: '1', amountRaw: '100'}],
		['clear a stop-loss', editOrderBodySchema(), {...onA, positionId: '0', newSl: 0}],
		['add margin on dexB', updateMarginBodySchema(), {...onB, usdcAmount: 5, increase: true}],
		['change leverage on dexA', updateMarginBodySchema(), {...onA, positionId: '0', newLeverage: 3}],
		['withdraw', withdrawBodySchema(), {...onB, amountUsdc: '12.5'}],
		[
			'a market order',
			createOrderBodySchema(),
			{...signed, baseToken: 'ETH', quote: 'USD', leverage: 2, long: true, reduceOnly: false, collateralAmount: 10},
		],
	])('%s', (_, schema, body) => {
		expect(schemaRefusesAt(schema, body)).toBeUndefined();
	});

	test.each([
		['orderIndex as a number', cancelOrderBodySchema(), {...onA, orderIndex: 3}, 'orderIndex'],
		['a negative orderIndex', cancelOrderBodySchema(), {...onA, orderIndex: '-1'}, 'orderIndex'],
		['dexB without a market', cancelOrderBodySchema(), {...onB, orderIndex: '1'}, 'marketId'],
		[
			'dexB with a type',
			cancelOrderBodySchema(),
			{...onB, orderIndex: '1', marketId: '1', orderType: 'sl'},
			'orderType',
		],
		['an unknown exchange', cancelOrderBodySchema(), {...onA, dex: 'dexC', orderIndex: '1'}, 'dex'],
		['a timestamp as text', cancelOrderBodySchema(), {...onA, timestamp: '1', orderIndex: '1'}, 'timestamp'],
		['a short signature', cancelOrderBodySchema(), {...onA, signature: '0x12', orderIndex: '1'}, 'signature'],
		[
			'to close both ways',
			closePositionBodySchema(),
			{...onB, marketId: '1', amountRaw: '1', closePercentage: 5},
			'closePercentage',
		],
		['to close neither way', closePositionBodySchema(), {...onB, marketId: '1'}, 'closePercentage'],
		['more than all', closePositionBodySchema(), {...onB, marketId: '1', closePercentage: 101}, 'closePercentage'],
		['to edit nothing', editOrderBodySchema(), {...onB}, 'newTp'],
		['dexA without a position', editOrderBodySchema(), {...onA, newTp: 1}, 'positionId'],
		['dexB margin without an amount', updateMarginBodySchema(), {...onB, increase: true}, 'usdcAmount'],
		['nothing to withdraw', withdrawBodySchema(), {...onB, amountUsdc: '0'}, 'amountUsdc'],
		[
			'a limit order without a price',
			createOrderBodySchema(),
			{
				...signed,
				baseToken: 'E',
				quote: 'U',
				leverage: 2,
				long: true,
				reduceOnly: false,
				collateralAmount: 1,
				orderType: 'limit',
			},
			'openPrice',
		],
	])('%s is refused', (_, schema, body, path) => {
		expect(schemaRefusesAt(schema, body)).toBe(path);
	});
});

describe('envelope and execution (spec 2.5, 4.9)', () => {
	const envelope = {action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', transport: 'evm-tx', payloadStr: '{}'};

	test('an envelope goes into the body of execute unchanged', () => {
		expect(envelopeSchema().parse(envelope)).toEqual(envelope);
		expect(schemaRefusesAt(perpExecuteBodySchema(), {...envelope, ...signed, signedTx: '0x02'})).toBeUndefined();
	});

	test.each([
		[{transport: 'pigeon'}, 'transport'],
		[{payloadStr: {}}, 'payloadStr'],
		[{signedTx: 'hex'}, 'signedTx'],
		[{action: 'steal'}, 'action'],
	])('%j is refused at %s', (change, path) => {
		expect(schemaRefusesAt(perpExecuteBodySchema(), {...envelope, ...signed, ...change})).toBe(path);
	});
});

test.each([
	['pos-dexA-ETH-USD-USDC-0xabc-12', '12'],
	['pos-dexA-ETH-USD-USDC-0xabc-', undefined],
	['12', undefined],
])('the index in the id %s is %s', (id, index) => {
	expect(indexOfPosition(id)).toBe(index);
});
