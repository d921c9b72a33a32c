import * as z from 'zod';
import {type DexB, DexBRefused} from './dex-b.ts';
import {accountMessage} from './dex-b-messages.ts';
import {EnvelopeMismatch} from './envelope.ts';
import type {Execution} from './execution.ts';
import {perpMarket} from './markets.ts';
import {checkL1Signature, readPayload, refuseOtherAccount} from './payload-reading.ts';
import type {OrderStatus} from './process-response.ts';

const ACCOUNT = z.looseObject({
	accountIndex: z.int(),
	apiKeyIndex: z.int().min(0),
	wallet: z.string(),
	L1Sig: z.string(),
});
const INDEX = z.string().regex(/^\d{1,15}$/);
const RAW = z.string().regex(/^\d{1,40}$/);
const CHANGE = z.string().regex(/^-?\d{1,40}$/);
const ORDER = z.looseObject({
	orderType: z.enum(['market', 'limit', 'stop_limit']),
	long: z.boolean(),
	collateralRaw: RAW,
	leverageX100: z.int(),
	price: RAW,
	tp: RAW,
	sl: RAW,
});

/** The result, as an answer has it. */
interface Detail {
	readonly txHash: null;
	readonly type: string;
	readonly status: string;
	readonly orderStatuses?: OrderStatus[];
}

/** Carries out an action on dexB's books: complete when this returns. @throws DexBRefused, Refused, EnvelopeMismatch */
export async function executeOnBooks(dexB: DexB, {body, content, signer}: Execution): Promise<Detail> {
	const {payload} = content;
	const {action} = body;
	const done = (orderStatuses?: OrderStatus[]): Detail => ({
		txHash: null,
		type: action,
		status: 'success',
		...(orderStatuses ? {orderStatuses} : {}),
	});
	if (action === 'create-account') {
		const {L1Sig, ...fields} = readPayload(ACCOUNT, payload, 'payload');
		checkL1Signature(accountMessage({...fields, wallet: signer}), L1Sig, signer);
		if ((await dexB.account(signer))?.accountIndex !== fields.accountIndex)
			throw new DexBRefused('the account has another index');
		await dexB.register(signer, fields.apiKeyIndex);
		return done();
	}
	const {accountIndex} = readPayload(z.looseObject({accountIndex: z.int()}), payload, 'payload');
	if ((await dexB.registered(signer)).accountIndex !== accountIndex) refuseOtherAccount();
	const position = () => Number(readPayload(z.looseObject({positionId: INDEX}), payload, 'payload').positionId);
	switch (action) {
		case 'cancel-order': {
			const {orderIndex} = readPayload(z.looseObject({orderIndex: INDEX}), payload, 'payload');
			await dexB.cancel(signer, body.marketId ?? '', Number(orderIndex));
			return done([{orderId: orderIndex, status: 'cancelled', type: 'order'}]);
		}
		case 'create-order': {
			const order = readPayload(ORDER, payload, 'payload');
			const market = perpMarket(body.marketId ?? '');
			if (market === undefined) throw new DexBRefused('there is no such market');
			const {tradeIndex, stage} = await dexB.place(signer, {
				market,
				kind: ({market: 'market', limit: 'limit', stop_limit: 'stop'} as const)[order.orderType],
				isLong: order.long,
				collateralRaw: BigInt(order.collateralRaw),
				leverageX100: order.leverageX100,
				price: BigInt(order.price),
				takeProfit: BigInt(order.tp),
				stopLoss: BigInt(order.sl),
			});
			return done([
				{orderId: String(tradeIndex), status: stage === 'position' ? 'filled' : 'open', type: order.orderType},
			]);
		}
		case 'close-position': {
			const {shareBps} = readPayload(z.looseObject({shareBps: z.string().regex(/^\d{1,5}$/)}), payload, 'payload');
			if (BigInt(shareBps) === 0n || BigInt(shareBps) > 10_000n) throw new DexBRefused('there is no such part');
			const {stage} = await dexB.close(signer, position(), BigInt(shareBps));
			return done([{orderId: String(position()), status: stage === 'closed' ? 'closed' : 'reduced', type: 'position'}]);
		}
		case 'edit-order': {
			const {tp, sl} = readPayload(z.looseObject({tp: RAW, sl: RAW}), payload, 'payload');
			await dexB.edit(signer, position(), {takeProfit: BigInt(tp), stopLoss: BigInt(sl)});
			return done();
		}
		case 'update-margin': {
			const {changeRaw} = readPayload(z.looseObject({changeRaw: CHANGE}), payload, 'payload');
			await dexB.moveMargin(signer, position(), BigInt(changeRaw));
			return done();
		}
		default:
			throw new EnvelopeMismatch('action', `${action} is no action of dexB's books`);
	}
}
