import {expect, test} from 'vitest';
import {replayConfig} from '../../../../source/commands/recording/replay.ts';
import {followOf, MoneyMissing, serviceConfig, withoutFollowing} from '../../../../source/commands/service/followed.ts';
import {moneyModeOf, shownMode} from '../../../../source/commands/service/money-mode.ts';
import {openService} from '../../../../source/commands/service/open-service.ts';
import {loadConfig} from '../../../../source/config/config.ts';

const load = (flags: object) => loadConfig({flags: {...flags}, env: {HOME: '/nowhere'}});
const follow = 'base=wss://a.example/s3cret,https://b.example';

test('what is followed crosses to the service as plain data', async () => {
	const config = await load({follow: [follow, 'sol=https://c.example'], backfill: '90s'});
	const options = followOf(config);
	expect(options).toEqual({
		chains: [
			{chainId: 'evm:8453', name: 'base', urls: ['wss://a.example/s3cret', 'https://b.example']},
			{chainId: 'solana:solana', name: 'solana', urls: ['https://c.example']},
		],
		backfillMs: 90_000,
	});
	expect(structuredClone(options)).toEqual(options);
	expect(followOf(await load({}))).toBeUndefined();
	expect(followOf(withoutFollowing(config))).toBeUndefined();
	expect(followOf(replayConfig(config))).toBeUndefined();
});

test('what the configuration says of a chain crosses, too', async () => {
	const {follow: followed, ...others} = await load({});
	const node = {urls: ['wss://a.example'], confirmations: 2, tokens: 7, solUSD: 150, meteoraDbc: true};
	const chains = followOf({...others, follow: {...followed, solana: node}})!.chains;
	const {urls, confirmations, meteoraDbc} = node;
	expect(chains).toEqual([
		{chainId: 'solana:solana', name: 'solana', urls, confirmations, maxTokens: 7, nativeUSD: 150, meteoraDbc},
	]);
});

test('documents of tokens are read only where the configuration allows it', async () => {
	const {follow: followed, ...others} = await load({follow});
	const ipfsGateway = 'https://ipfs.example.com';
	const withFetch = (allowFetch: boolean) => followOf({...others, follow: {...followed, allowFetch, ipfsGateway}});
	expect(withFetch(true)).toMatchObject({allowFetch: true, ipfsGateway});
	expect(Object.keys(withFetch(false)!)).toEqual(['chains']);
});

test('without a money service no command finds practice money beside a real market', async () => {
	const alone = await load({follow});
	await expect(moneyModeOf(alone)).rejects.toBeInstanceOf(MoneyMissing);
	expect(await shownMode(alone)).toBe('real');
	expect(() => serviceConfig(alone)).toThrow(MoneyMissing);
	expect(await moneyModeOf(await load({}))).toBe('practice');
});

test('beside a hosted service money is real, and what only a service has comes from it', async () => {
	const beside = await load({follow, 'base-url': 'https://api.example.com'});
	expect(await moneyModeOf(beside)).toBe('real');
	const service = await openService(serviceConfig(beside));
	expect(service.options.baseUrl).toBe('https://api.example.com');
});
