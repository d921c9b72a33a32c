import {expect, test} from 'vitest';
import {openFollowedMarket} from '../../../source/service/follow/open-followed.ts';
import {factoryNamesOf, systemMetadataOf} from '../../../source/service/metadata/system-metadata.ts';

test('a market of real chains names their chains, and the contracts whose launches it reads', async () => {
	const chains = [
		{chainId: 'evm:8453', name: 'base', urls: ['http://127.0.0.1:9']},
		{chainId: 'solana:solana', name: 'solana', urls: ['ws://127.0.0.1:9']},
	];
	const market = await openFollowedMarket({chains}, {dataDir: undefined, log: () => {}});
	try {
		const {chains: named, factories} = systemMetadataOf(market);
		expect(named.map(({id}) => id).sort()).toEqual(['evm:8453', 'solana:solana']);
		expect(factories).toContainEqual({
			chainId: 'evm:8453',
			address: '0xE85A59c628F7d27878ACeB4bf3b35733630083a9',
			name: 'clanker',
			ui_name: 'Clanker',
			logo: null,
		});
		expect(factories.map(({chainId}) => chainId)).not.toContain('evm:56');
		expect(factoryNamesOf(market).get('pumpfun')).toEqual(['6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P']);
	} finally {
		await market.close();
	}
});
