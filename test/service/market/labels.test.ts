import {expect, test} from 'vitest';
import {walletLabelsSchema} from '../../../source/contract/labels.ts';
import {Engine} from '../../../source/service/market/engine.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {type Directory, walletRecord} from '../../../source/service/market/labels.ts';
import {CHAIN, fund, launch, START_MS, trade, transfer} from './make-events.ts';

const DIRECTORY: Directory = {
	entityOf: address =>
		address === 'Exchange'
			? {
					name: 'Harbor',
					logo: 'harbor.png',
					type: 'exchange',
					labels: ['cex'],
					description: null,
					twitter: null,
					website: null,
				}
			: undefined,
	platform: id => (id === 'bot-app' ? {id, name: 'Bot App', logo: 'bot.png'} : undefined),
};
const DAY_MS = 86_400_000;

function record(events: readonly MarketEvent[], wallet: string, token?: string): Record<string, unknown> {
	const engine = new Engine(START_MS);
	for (const event of events) engine.apply(event);
	engine.advance(START_MS + 60_000);
	const found = walletRecord(
		engine,
		DIRECTORY,
		wallet,
		token === undefined ? undefined : engine.catalog.token(CHAIN, token),
	);
	expect(walletLabelsSchema().parse(found)).toEqual(found);
	return found;
}

const labels = (events: readonly MarketEvent[], wallet: string, token?: string): unknown =>
	record(events, wallet, token)['labels'];

test('a sniper bought within three blocks after the launch, in that token and not in another', () => {
	const events = [
		launch(),
		launch({token: 'Other'}),
		trade('Ann', 'buy', {block: 103}),
		trade('Bob', 'buy', {block: 104}),
		trade('Ann', 'buy', {token: 'Other'}),
	];
	expect(labels(events, 'Ann', 'Token')).toEqual(['sniper']);
	expect(labels(events, 'Bob', 'Token')).toEqual([]);
	expect(labels(events, 'Ann', 'Other')).toEqual([]);
	expect(labels(events, 'Ann')).toEqual(['sniper']);
});

test('bundlers bought in the launch block and have one funder', () => {
	const old = START_MS - 60 * DAY_MS;
	const events = [
		fund('Ann', 'Boss', old),
		fund('Bob', 'Boss', old),
		fund('Cid', 'Else', old),
		launch(),
		...['Ann', 'Bob', 'Cid'].map(wallet => trade(wallet, 'buy', {block: 100})),
	];
	expect(labels(events, 'Ann', 'Token')).toEqual(['bundler']);
	expect(labels(events, 'Bob', 'Token')).toEqual(['bundler']);
	expect(labels(events, 'Cid', 'Token')).toEqual(['sniper']);
});

test('two wallets of one funder that buy in different blocks are no bundle', () => {
	const old = START_MS - 60 * DAY_MS;
	const events = [
		fund('Ann', 'Boss', old),
		fund('Bob', 'Boss', old),
		launch(),
		trade('Ann', 'buy', {block: 100}),
		trade('Bob', 'buy', {block: 101}),
	];
	expect(labels(events, 'Bob', 'Token')).toEqual(['sniper']);
});

test('insiders were given tokens or money by the deployer; he himself is dev', () => {
	const events = [
		fund('Kid', 'Dev', START_MS - 60 * DAY_MS),
		launch({reserveToken: 900}),
		transfer('Dev', 'Friend', 10),
		trade('Kid', 'buy'),
		transfer('Friend', 'Stranger', 5),
	];
	expect(labels(events, 'Friend', 'Token')).toEqual(['insider']);
	expect(labels(events, 'Kid', 'Token')).toEqual(['insider']);
	expect(labels(events, 'Stranger', 'Token')).toEqual([]);
	expect(labels(events, 'Dev', 'Token')).toEqual(['dev']);
});

test('fresh is who was first funded less than a day ago, or 30 days', () => {
	const events = [
		fund('New', 'Exchange', START_MS - DAY_MS / 2),
		fund('Recent', 'Exchange', START_MS - 20 * DAY_MS),
		fund('Old', 'Exchange', START_MS - 40 * DAY_MS),
		launch(),
	];
	for (const wallet of ['New', 'Recent', 'Old']) events.push(trade(wallet, 'buy') as never);
	expect(labels(events, 'New')).toEqual(['freshTrader', 'freshTrader30d']);
	expect(labels(events, 'Recent')).toEqual(['freshTrader30d']);
	expect(labels(events, 'Old')).toEqual([]);
});

test('a pro trades much, a smart trader wins', () => {
	const events: MarketEvent[] = [launch()];
	for (let n = 0; n < 40; n++) {
		const timeMs = START_MS + n * 60_000;
		events.push(
			trade('Winner', 'buy', {timeMs, valueUSD: 300}),
			trade('Winner', 'sell', {timeMs: timeMs + 30_000, valueUSD: 400}),
		);
		events.push(
			trade('Loser', 'buy', {timeMs, valueUSD: 400}),
			trade('Loser', 'sell', {timeMs: timeMs + 30_000, valueUSD: 300}),
		);
	}
	expect(labels(events, 'Winner')).toEqual(['proTrader', 'smartTrader']);
	expect(labels(events, 'Loser')).toEqual(['proTrader']);
});

test('a pool is a liquidity pool, an unknown wallet has no labels, and each address is returned as given', () => {
	expect(record([launch()], 'CurvePool')).toMatchObject({walletAddress: 'CurvePool', labels: ['liquidityPool']});
	expect(record([launch()], 'Nobody')).toEqual({
		walletAddress: 'Nobody',
		labels: [],
		walletMetadata: null,
		platform: null,
		fundingInfo: null,
	});
});

test('the record has the funder of the wallet, when and how, and the trading platform', () => {
	const {fundingInfo, platform} = record(
		[fund('Ann', 'Exchange', START_MS - 5000), launch(), trade('Ann', 'buy', {platform: 'bot-app'})],
		'Ann',
	);
	expect(platform).toEqual({id: 'bot-app', name: 'Bot App', logo: 'bot.png'});
	expect(fundingInfo).toMatchObject({
		from: 'Exchange',
		date: new Date(START_MS - 5000).toISOString(),
		chainId: CHAIN,
		txHash: 'tx of Ann',
		formattedAmount: 1.5,
		currency: {symbol: 'SOL', decimals: 9},
		fromWalletTag: 'Harbor',
		fromWalletLogo: 'harbor.png',
		fromWalletMetadata: {entityName: 'Harbor', entityLabels: ['cex'], extra: {}},
	});
	expect(record([launch(), trade('Ann', 'buy')], 'Exchange')['walletMetadata']).toMatchObject({
		entityName: 'Harbor',
		entityType: 'exchange',
	});
});

test('money that comes later does not change who funded a wallet first', () => {
	const events = [
		fund('Ann', 'First', START_MS - 9000),
		fund('Ann', 'Second', START_MS - 5000),
		launch(),
		trade('Ann', 'buy'),
	];
	expect(record(events, 'Ann')['fundingInfo']).toMatchObject({from: 'First'});
});

test('a bot stays one, however many fast trips it makes', () => {
	const engine = new Engine(START_MS);
	engine.apply(launch({supply: 1e6}));
	for (let n = 0; n < 600; n++) {
		const at = {timeMs: START_MS + n * 1000, block: 1000 + n};
		engine.apply(trade('Ann', n % 2 === 0 ? 'buy' : 'sell', at));
	}
	const ann = engine.wallets.find('Ann')!;
	expect(engine.wallets.isBot(ann)).toBe(true);
	expect(engine.wallets.fastTrips[ann]).toBe(255);
});
