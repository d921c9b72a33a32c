import {expect, test} from 'vitest';
import type {Address} from '../../../../../source/service/follow/evm/venue.ts';
import type {TransferLog} from '../../../../../source/service/follow/evm/venue-reader.ts';
import {netFlows, walletOfTrade} from '../../../../../source/service/follow/evm/wallet-of-trade.ts';
import {builtTransfer} from '../../../../helpers/built-log.ts';

const POOL: Address = `0x${'aa'.repeat(20)}`;
const ROUTER: Address = `0x${'bb'.repeat(20)}`;
const ANN: Address = `0x${'01'.repeat(20)}`;
const BOB: Address = `0x${'02'.repeat(20)}`;
const TAXES: Address = `0x${'03'.repeat(20)}`;

function moved(from: Address, to: Address, amount: bigint): TransferLog {
	return builtTransfer({token: `0x${'ee'.repeat(20)}`, from, to, amount});
}

function walletOf(side: 'buy' | 'sell', amountToken: bigint, transfers: readonly TransferLog[], isOnly = true) {
	return walletOfTrade({side, amountToken, isOnly}, netFlows(transfers), address => address === POOL);
}

test("a buy is the wallet's that keeps the tokens, however many hands they go through", () => {
	expect(walletOf('buy', 10n, [moved(POOL, ROUTER, 10n), moved(ROUTER, BOB, 10n), moved(BOB, ANN, 10n)])).toBe(ANN);
});

test("a sale is the wallet's that had the tokens", () => {
	expect(walletOf('sell', 10n, [moved(ANN, ROUTER, 10n), moved(ROUTER, POOL, 10n)])).toBe(ANN);
});

test('of a taxed buy it is the wallet with more than half', () => {
	expect(walletOf('buy', 100n, [moved(POOL, ANN, 90n), moved(POOL, TAXES, 10n)])).toBe(ANN);
	expect(walletOf('buy', 100n, [moved(POOL, ANN, 50n), moved(POOL, BOB, 50n)])).toBeNull();
});

test("of several trades in a transaction each is the wallet's with exactly its tokens", () => {
	const transfers = [moved(POOL, ANN, 70n), moved(POOL, BOB, 30n)];
	expect(walletOf('buy', 70n, transfers, false)).toBe(ANN);
	expect(walletOf('buy', 30n, transfers, false)).toBe(BOB);
	expect(walletOf('buy', 31n, transfers, false)).toBeNull();
});

test('tokens that nobody keeps belong to nobody', () => {
	expect(walletOf('buy', 10n, [moved(POOL, ROUTER, 10n), moved(ROUTER, POOL, 10n)])).toBeNull();
	expect(walletOf('buy', 10n, [])).toBeNull();
});
