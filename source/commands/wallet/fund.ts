import {chainName, coinOf} from '../../chains/chains.ts';
import {formatUnits} from '../../trading/decimal.ts';
import {PracticeWall} from '../../trading/practice.ts';
import {fundPracticeWallet, listPracticeChains} from '../../trading/practice-funds.ts';
import {openPracticeWallet, PRACTICE_WALLET} from '../../trading/practice-wallet.ts';
import type {Call} from '../line/command.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print} from '../output/output.ts';
import {tableText} from '../output/table.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {assertMayAct, type TradingContext, withTrading} from '../trading/context.ts';
import {whoActs} from '../trading/output.ts';
import {chainNamed} from '../trading/place.ts';

/** The first chain of transfers, and the chain of the perpetuals exchange, which needs gas. */
const DEFAULT_CHAINS = ['evm:8453', 'evm:42161'];

/**
 * `pulsetop wallet fund [NAME]`: sends test tokens and coins to a practice wallet, on the chains of the embedded service.
 * @returns the exit code
 * @throws PracticeWall in real mode
 */
export async function walletFund({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const [name = PRACTICE_WALLET, ...others] = operands;
	if (others.length > 0) throw new UsageError('One name is enough', 'Write pulsetop wallet fund NAME.');
	if ((await moneyModeOf(config)) === 'real')
		throw new PracticeWall('Only practice wallets are funded here', 'a service is configured, so this is real money');
	assertMayAct(config, 'funding a wallet');
	const chain = flags.text('chain');
	const chainIds = chain === undefined ? DEFAULT_CHAINS : [chainNamed(chain)];
	return withTrading(config, async context => {
		const address = await addressOf(context, name);
		const funded = await Promise.all(chainIds.map(chainId => fund(context, chainId, address)));
		const rows = funded.flat();
		const who = whoActs(context.trading.mode, {name, address, signer: context.trading.signer!});
		if (flags.has('json')) await print(jsonText({schema: 'pulsetop.wallet-fund/1', ...who, balances: rows}));
		else await print(`${name}  ${address}\n${tableText(COLUMNS, rows)}`);
		return 0;
	});
}

async function addressOf({trading, practice}: TradingContext, name: string): Promise<string> {
	if (name === PRACTICE_WALLET) return (await openPracticeWallet(trading, practice!)).address;
	return trading.choose(name).unlock();
}

type Balance = Awaited<ReturnType<typeof fund>>[number];

async function fund({trading, practice}: TradingContext, chainId: string, address: string) {
	const service = practice!;
	const usdc = (await listPracticeChains(service)).find(chain => chain.chainId === chainId)?.contracts['usdc'];
	if (usdc === undefined)
		throw new UsageError('This is not a practice chain', `${chainName(chainId)} does not run in the embedded service.`);
	await fundPracticeWallet({...service, chainId, address, token: usdc});
	await fundPracticeWallet({...service, chainId, address});
	const [{symbol, decimals}, tokens, coins] = await Promise.all([
		trading.chains.tokenInfo(chainId, usdc),
		trading.chains.balance(chainId, usdc, address),
		trading.chains.coins(chainId, address),
	]);
	return [
		{chainId, token: usdc, symbol, balance: formatUnits(tokens, decimals)},
		{chainId, token: 'native', symbol: coinOf(chainId), balance: formatUnits(coins, 18)},
	];
}

const COLUMNS = [
	{title: 'CHAIN', cell: ({chainId}: Balance) => chainName(chainId)},
	{title: 'BALANCE', align: 'right', cell: ({balance}: Balance) => balance},
	{title: 'TOKEN', cell: ({symbol}: Balance) => symbol},
] as const;
