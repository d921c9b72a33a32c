import {readFileSync} from 'node:fs';
import {isAddress, toEventSelector} from 'viem/utils';
import {expect, test} from 'vitest';
import {CHAINS} from '../../../../../source/chains/chains.ts';
import {EVM_CHAINS} from '../../../../../source/chains/evm-chains.ts';
import {POOL_TYPES} from '../../../../../source/contract/system-metadata.ts';
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
	'TaxV2OnBondingCurvePaid(address,uint256)',
	'TaxOnBondingCurvePaid(address,uint256)',
	'VanityTokenCreated(address,address,address)',
	'MsgSent(address,address,string)',
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
	'TrendCoinPoolConfigUpdated(bytes)',
	// Virtuals
	'Launched(address,address,uint256)',
	'Graduated(address,address)',
	'Deployed(address,uint256,uint256)',
	'Mint(uint256,uint256)',
	'Swap(uint256,uint256,uint256,uint256)',
	// Pons V2
	'TokenLaunched(address,address,address,address,uint256,uint256)',
	'PoolGraduated(address,uint256,uint256,uint256)',
	'CurveBuy(address,address,uint256,uint256,uint256,uint256)',
	'CurveSell(address,address,uint256,uint256,uint256,uint256)',
	'BuybackLocked(uint256,uint256)',
	'LaunchSwept(address,uint256,uint256)',
	'LaunchGraduationRescued(address,address,uint256,uint256)',
	'GraduationTokensPermanentlyLocked(address,uint256)',
	'CreatorFeeRecipientUpdated(address,address,address)',
	'CreatorFeeRecipientChangeProposed(address,address,address,uint256,uint256)',
	'CreatorFeeRecipientChangeCancelled(address,address)',
	'BuybackEnabledUpdated(address,bool,address)',
	'LaunchForceSwept(address)',
	'PairTokenEconomicsUpdated(address,uint256,uint256,uint8)',
	'PairTokenApprovalUpdated(address,bool)',
	'LaunchConfigAdded(uint256)',
	'LaunchConfigUpdated(uint256)',
	'GraduationExecutorSet(address)',
	'LaunchDeployerSet(address)',
	'LaunchEnabledUpdated(bool)',
	'LaunchFeeUpdated(uint256)',
	'LaunchForwarderSet(address)',
	'MaxCreatorTaxUpdated(uint256)',
	'SnipeTaxSecondsUpdated(uint256)',
	'SnipeTaxStartBpsUpdated(uint256)',
	'WhitelistedLauncherUpdated(address,bool)',
	// Doppler
	'Create(address,address,address,address)',
	'Migrate(address,address)',
	'SetModuleState(address,uint8)',
	'Collect(address,address,uint256)',
	// o1, pools.trade, LetsCash
	'Launched(address,bytes32,address,address,uint256,int24)',
	'TokenCreated(address,(string,string,string,bytes))',
	'TokenLaunched(address,address,bytes32,uint256,uint256,uint256,address,address)',
	'TokenLaunchedVNext(address,bytes32,address,uint256,address)',
	// Virtuals V5
	'PreLaunched(address,address,uint256,uint256,(uint8,uint16,bool,uint8,bool))',
	'Launched(address,address,uint256,uint256,uint256,(uint8,uint16,bool,uint8,bool))',
	'CancelledLaunch(address,address,uint256,uint256)',
	'FeeDelegationUpdated(address,bool)',
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

/** Topics of Flap's portal that were seen on the chain and whose declaration is not known: they can only be skipped. */
const UNNAMED = new Set([
	'0x59d2f2515f6c6cfbc3f325a0b7e59a38abae586df118352f66f72eda45c4f129',
	'0x6d7a33547efbe801870d2426853a4aa2ae198acb815783fb3fc3d853a944202b',
	'0xafcebb99a3d0047f96f0d1cc8872781aaeef86f4f5e7e1c6a33e5907d6a3ed82',
]);

/** Contracts beside those of `chains/`, as published, with the checksum that guards against a wrong digit; those without one were published in lower case. */
const PUBLISHED = [
	// Aerodrome Slipstream
	'0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A',
	'0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a',
	'0xf8f2eB4940CFE7d13603DDDD87f123820Fc061Ef',
	'0x9592CD9B267748cbfBDe90Ac9F7DF3c437A6d51B',
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
	'0x7eD598BcEf8bd9Edd8C97A195C6d13f40801EC7e',
	'0xeb7c034704ef8dcd2d32324c1545f62fb4ad0862',
	'0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12',
	'0xde3599a2ec440b296373a983c85c365da55d9dfa',
	'0xce9c48cfa068947f77738c81be406b53338e5b0d',
	'0xe64ac4113848bbc1a6dde1a6d1da96720a36f297',
	'0x411F21283D3E492BC395027329e08f9F4F560Ba5',
	'0x1176122eb77ad6a2339322cda7c4d7ea9bfa63dc',
	'0x53c59d8d335681d58f564cf62073fa3c57cf81ee',
	'0x000000e200088d55c39a11f609e5f667729ad49b',
	'0x5bd1Fbe78a78fe8236fa00CF48fbEBA74ae34661',
	'0x1A540088125d00dD3990f9dA45CA0859af4d3B01',
	'0xd4cCBFA37e2f35611b3042e4096Ad7a3459Bd007',
	// what launchpads keep tokens in
	'0x267444d099b10fb5ed7c3cc7b7c767adca574952',
	'0xc7819b64a1daecd7ec19856d026cb14efbd89046',
	'0xE5e702641Ea86F4ae6cC3cDaeD2B886f976Be044',
];

const selectors = new Map(SIGNATURES.map(signature => [toEventSelector(signature), signature]));

test.each(VENUES.map(venue => [venue.name, venue] as const))(
	'topics of %s are hashes of events that it has',
	(_name, venue) => {
		const topics = [venue.events, venue.poolEvents, venue.managedEvents].flatMap(table => Object.keys(table ?? {}));
		const skipped = venue.skipped.filter(topic => !UNNAMED.has(topic));
		expect([...topics, ...skipped].filter(topic => !selectors.has(topic as `0x${string}`))).toEqual([]);
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
	const exchanges = CHAINS.flatMap(chain =>
		Object.values(chain.exchanges ?? {}).flatMap(one => Object.values(one).flat()),
	);
	const published = new Set([...PUBLISHED, ...exchanges].map(address => address.toLowerCase()));
	const chains = new Set(EVM_CHAINS.map(({number}) => number));
	for (const {contracts, keepers = {}} of VENUES) {
		expect(
			[...Object.values(contracts), ...Object.values(keepers)].flat().filter(address => !published.has(address)),
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
