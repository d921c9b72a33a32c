import {readFileSync} from 'node:fs';
import {isAddress, toEventSelector} from 'viem/utils';
import {expect, test} from 'vitest';
import {POOL_TYPES} from '../../../../../source/contract/system-metadata.ts';
import {EVM_CHAINS} from '../../../../../source/service/follow/evm/chains.ts';
import {findVenue, VENUES, venueContracts, venuesOf} from '../../../../../source/service/follow/evm/venues.ts';

const POOL_KEY = '(address,address,uint24,int24,address)';
/** Every event that a table names, as the contracts declare it. */
const SIGNATURES = [
	// Uniswap V2
	'PairCreated(address,address,address,uint256)',
	'Swap(address,uint256,uint256,uint256,uint256,address)',
	'Sync(uint112,uint112)',
	'Mint(address,uint256,uint256)',
	'Burn(address,uint256,uint256,address)',
	// V3 and PancakeSwap V3
	'PoolCreated(address,address,uint24,int24,address)',
	'Swap(address,address,int256,int256,uint160,uint128,int24)',
	'Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)',
	'Mint(address,address,int24,int24,uint128,uint256,uint256)',
	'Collect(address,address,int24,int24,uint128,uint128)',
	'CollectProtocol(address,address,uint128,uint128)',
	'FeeAmountEnabled(uint24,int24)',
	'OwnerChanged(address,address)',
	// V4
	'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
	'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
	'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)',
	'Donate(bytes32,address,uint256,uint256)',
	'Transfer(address,address,address,uint256,uint256)',
	'Approval(address,address,uint256,uint256)',
	'OperatorSet(address,address,bool)',
	'ProtocolFeeUpdated(bytes32,uint24)',
	'ProtocolFeeControllerUpdated(address)',
	// Aerodrome
	'PoolCreated(address,address,bool,address,uint256)',
	'Swap(address,address,uint256,uint256,uint256,uint256)',
	'Sync(uint256,uint256)',
	'Burn(address,address,uint256,uint256)',
	'SetCustomFee(address,uint256)',
	'SetFeeManager(address)',
	'SetPauser(address)',
	'SetVoter(address)',
	'SetPauseState(bool)',
	'PoolCreated(address,address,int24,address)',
	'CollectFees(address,uint128,uint128)',
	'TickSpacingEnabled(int24,uint24)',
	'SwapFeeModuleChanged(address,address)',
	'UnstakedFeeModuleChanged(address,address)',
	'DefaultUnstakedFeeChanged(uint24,uint24)',
	'SwapFeeManagerChanged(address,address)',
	'UnstakedFeeManagerChanged(address,address)',
	// four.meme
	'TokenCreate(address,address,uint256,string,string,uint256,uint256,uint256)',
	'TokenPurchase(address,address,uint256,uint256,uint256,uint256,uint256,uint256)',
	'TokenSale(address,address,uint256,uint256,uint256,uint256,uint256,uint256)',
	'LiquidityAdded(address,uint256,address,uint256)',
	'TradeStop(address)',
	'TokenPurchase2(uint256)',
	'TokenSale2(uint256)',
	// Flap
	'TokenCreated(uint256,address,uint256,address,string,string,string)',
	'TokenBought(uint256,address,address,uint256,uint256,uint256,uint256)',
	'TokenSold(uint256,address,address,uint256,uint256,uint256,uint256)',
	'FlapTokenProgressChanged(address,uint256)',
	'LaunchedToDEX(address,address,uint256,uint256)',
	'TokenDexSupplyThreshSet(address,uint256)',
	'TokenQuoteSet(address,address)',
	'FlapTokenStaged(uint256,address,address)',
	'TokenCurveSet(address,address,uint256)',
	'TokenCurveSetV2(address,uint256,uint256,uint256)',
	'TokenMigratorSet(address,uint8)',
	'TokenVersionSet(address,uint8)',
	'FlapTokenTaxSet(address,uint256)',
	'FlapTokenAsymmetricTaxSet(address,uint256,uint256)',
	'TokenExtensionEnabled(address,bytes32,address,uint8)',
	'TokenDexPreferenceSet(address,uint8,uint8)',
	'FlapTokenCirculatingSupplyChanged(address,uint256)',
	'FlapTokenCLPoolCreated(address,bytes32,uint160)',
	// Clanker
	'TokenCreated(address,address,address,string,string,string,string,string,int24,address,bytes32,address,address,address,uint256,address[])',
	'TokenCreated(address,address,address,address,address,uint256,string,string,int24,string,uint256,uint256,uint8,address)',
	'ExtensionTriggered(address,uint256,uint256)',
	'ClaimTeamFees(address,address,uint256)',
	'SetDeprecated(bool)',
	'SetAdmin(address,bool)',
	'SetExtension(address,bool)',
	'SetHook(address,bool)',
	'SetLocker(address,address,bool)',
	'SetMevModule(address,bool)',
	'SetTeamFeeRecipient(address,address)',
	'LiquidityLockerUpdated(address,address)',
	'VaultUpdated(address,address)',
	'ClankerDeployerUpdated(address,address)',
	// Zora
	`CoinCreatedV4(address,address,address,address,string,string,string,address,${POOL_KEY},bytes32,string)`,
	`CreatorCoinCreated(address,address,address,address,string,string,string,address,${POOL_KEY},bytes32,string)`,
	`TrendCoinCreated(address,string,address,${POOL_KEY},bytes32,bytes,string)`,
	'CoinCreated(address,address,address,address,string,string,string,address,address,string)',
	// Virtuals
	'Launched(address,address,uint256)',
	'Graduated(address,address)',
	'Deployed(address,uint256,uint256)',
	'Mint(uint256,uint256)',
	'Swap(uint256,uint256,uint256,uint256)',
	// common parts
	'OwnershipTransferred(address,address)',
	'OwnershipTransferStarted(address,address)',
	'Initialized(uint8)',
	'Initialized(uint64)',
	'RoleGranted(bytes32,address,address)',
	'RoleRevoked(bytes32,address,address)',
	'RoleAdminChanged(bytes32,bytes32,bytes32)',
	'Paused(address)',
	'Unpaused(address)',
	'Upgraded(address)',
	'AdminChanged(address,address)',
];

/** As published, with the checksum that guards against a wrong digit; those without one were published in lower case. */
const PUBLISHED = [
	// Uniswap V2, V3, V4
	'0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
	'0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
	'0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
	'0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
	'0x8bcEaA40B9AcdfAedF85AdF4FF01F5Ad6517937f',
	'0x1F98431c8aD98523631AE4a59f267346ea31F984',
	'0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
	'0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
	'0x1f7d7550B1b028f7571E69A784071F0205FD2EfA',
	'0x000000000004444c5dc75cB358380D2e3dE08A90',
	'0x498581fF718922c3f8e6A244956aF099B2652b2b',
	'0x8366a39CC670B4001A1121B8F6A443A643e40951',
	'0x67366782805870060151383f4bbff9dab53e5cd6',
	'0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32',
	'0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF',
	// QuickSwap V2; PancakeSwap V2, V3; Flap's factory; Aerodrome
	'0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32',
	'0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73',
	'0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
	'0x4db4fcfebbf3f0cbd20efff444b133b96abda2d6',
	'0x420DD381b31aEf6683db6B902084cB0FFECe40Da',
	'0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A',
	'0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a',
	// launchpads
	'0x5c952063c7fc8610FFDB798152D69F0B9550762b',
	'0xe2cE6ab80874Fa9Fa2aAE65D277Dd6B8e65C9De0',
	'0x26605f322f7fF986f381bB9A6e3f5DAb0bEaEb09',
	'0xE85A59c628F7d27878ACeB4bf3b35733630083a9',
	'0xEb9D2A726Edffc887a574dC7f46b3a3638E8E44f',
	'0xea30438E0B5f99096cb05A8Da63be55A6A298F6a',
	'0xD3f2cC1731b7Fd17f28798835C2E02f0a1839A94',
	'0x6C8599779B03B00AAaE63C6378830919Abb75473',
	'0x2A787b2362021cC3eEa3C24C4748a6cD5B687382',
	'0x777777751622c0d3258f214F9DF38E35BF45baF3',
	'0xF66DeA7b3e897cD44A5a231c61B6B4423d613259',
];

const selectors = new Map(SIGNATURES.map(signature => [toEventSelector(signature), signature]));

test.each(VENUES.map(venue => [venue.name, venue] as const))(
	'topics of %s are hashes of events that it has',
	(_name, venue) => {
		const topics = [venue.events, venue.poolEvents, venue.managedEvents].flatMap(table => Object.keys(table ?? {}));
		expect([...topics, ...venue.skipped].filter(topic => !selectors.has(topic as `0x${string}`))).toEqual([]);
		const own = new Set(Object.keys(venue.events));
		expect(venue.skipped.filter(topic => own.has(topic))).toEqual([]);
	},
);

test('no signature is listed for nothing', () => {
	const used = new Set(
		VENUES.flatMap(({events, poolEvents, managedEvents, skipped}) => [
			...[events, poolEvents, managedEvents].flatMap(table => Object.keys(table ?? {})),
			...skipped,
		]),
	);
	expect([...selectors].filter(([selector]) => !used.has(selector))).toEqual([]);
});

test('every contract is one that was published, of a chain that can be followed', () => {
	expect(PUBLISHED.filter(address => !isAddress(address))).toEqual([]);
	const published = new Set(PUBLISHED.map(address => address.toLowerCase()));
	const chains = new Set(EVM_CHAINS.map(({number}) => number));
	for (const {contracts} of VENUES) {
		expect(
			Object.values(contracts)
				.flat()
				.filter(address => !published.has(address)),
		).toEqual([]);
		expect(Object.keys(contracts).filter(chain => !chains.has(Number(chain)))).toEqual([]);
	}
});

test('venues are found by chain, contract and id, and no contract has two', () => {
	for (const {number} of EVM_CHAINS) {
		const all = venuesOf(number).flatMap(({contracts}) => contracts[number] ?? []);
		expect(venueContracts(number).size).toBe(all.length);
	}
	expect(venueContracts(56).get('0x5c952063c7fc8610ffdb798152d69f0b9550762b')?.id).toBe('fourmeme');
	expect(findVenue('uniswap-v4')?.name).toBe('Uniswap V4');
	expect(new Set(VENUES.map(({id}) => id)).size).toBe(VENUES.length);
});

test('pool types are those that the system metadata lists', () => {
	const known: readonly string[] = [...POOL_TYPES.launchpad, ...POOL_TYPES.pool];
	expect(VENUES.map(({poolType}) => poolType).filter(type => !known.includes(type))).toEqual([]);
});

test('the manual lists the venues of each chain', () => {
	const manual = readFileSync(`${import.meta.dirname}/../../../../../source/docs/follow.md`, 'utf8');
	const rows = new Map(
		[...manual.matchAll(/^\| (\w+) \|([^|]*)\|([^|]*)\|$/gm)].map(([, chain, ...cells]) => [chain, cells]),
	);
	const listed = (chain: string) =>
		(rows.get(chain) ?? []).flatMap(cell => cell.split(',').map(name => name.trim())).filter(name => name !== '');
	for (const {name, number} of EVM_CHAINS) {
		expect(listed(name).sort(), name).toEqual(
			venuesOf(number)
				.map(venue => venue.name)
				.sort(),
		);
	}
});
