import type {TradeSide} from '../../contract/trade-target.ts';
import {PulsetopError} from '../../errors.ts';
import {formatUnits} from '../../trading/decimal.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {amountFlag} from '../trading/amount-flag.ts';
import type {TradingContext} from '../trading/context.ts';

/** The wallet has nothing of the token that is to be sold. */
class NothingToSell extends PulsetopError {
	readonly code = 'nothing-to-sell';

	constructor(symbol: string) {
		super('There is nothing to sell', {why: `the wallet has no ${symbol}`, next: 'fix-input'});
	}
}

/** Checks that the flags name one amount. @throws UsageError */
export function assertAmount(flags: Flags, side: TradeSide): void {
	const forms = side === 'buy' ? ['amount'] : ['amount', 'percent', 'all'];
	const given = forms.filter(name => flags.has(name));
	if (given.length === 1) {
		flags.number('percent', {from: 0.01, to: 100});
		return;
	}
	throw new UsageError(
		given.length === 0 ? 'The amount is missing' : 'The amount is given more than once',
		side === 'buy'
			? 'Write --amount N, in dollars: --amount 25.'
			: 'Write --amount N, in tokens, or --percent N of what the wallet has, or --all.',
	);
}

/**
 * The amount that a sell spends, as decimal text: as given, or a part of the balance on the chain. All of it is the exact
 * balance.
 * @throws NothingToSell, ChainUnread
 */
export async function amountToSell(
	{trading}: TradingContext,
	flags: Flags,
	{chainId, token, symbol, wallet}: Readonly<Record<'chainId' | 'token' | 'symbol' | 'wallet', string>>,
): Promise<string> {
	const {chains} = trading;
	// On a practice chain a token exists only after its first trade.
	if ((await chains.request(chainId, 'eth_getCode', [token, 'latest'])) === '0x') throw new NothingToSell(symbol);
	const given = await amountFlag(flags);
	if (given !== undefined) return given;
	const [{decimals}, balanceRaw] = await Promise.all([
		chains.tokenInfo(chainId, token),
		chains.balance(chainId, token, wallet),
	]);
	const percent = flags.number('percent', {from: 0.01, to: 100}) ?? 100;
	const raw = partOf(balanceRaw, percent);
	if (raw === 0n) throw new NothingToSell(symbol);
	return formatUnits(raw, decimals);
}

/** A part of an amount in raw units, rounded down. @param percent to the hundredth; 100 is the amount itself */
export function partOf(raw: bigint, percent: number): bigint {
	return (raw * BigInt(Math.round(percent * 100))) / 10_000n;
}
