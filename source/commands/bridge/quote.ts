import type {Config} from '../../config/config.ts';
import type {BridgeFlow, BridgeInput} from '../../trading/bridge/flow.ts';
import {quotedToJson} from '../../trading/bridge/plan.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {amountFlag} from '../trading/amount-flag.ts';
import {chooseWallet, type TradingContext, withTrading} from '../trading/context.ts';
import {printMoney, reviewText} from '../trading/money-command.ts';
import {placeOf, tokenAddress} from '../trading/place.ts';
import {reviewDocument} from './describe-intent.ts';

/**
 * `pulsetop bridge quote`: prints amounts, costs and every local check of a transfer. Signs nothing.
 * @returns 0, even when a check fails
 */
export async function bridgeQuote({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	assertComplete(flags);
	return withTrading(config, async context => {
		const wallet = await chooseWallet(context, config, flags);
		const flow = await context.trading.bridgeFlow();
		await flow.quote(await bridgeInput(context, config, flags));
		const {request, quote, quotedAtMs} = quotedToJson(flow.view.quoted!);
		const document = {schema: 'pulsetop.bridge-quote/1', request, quote, quotedAtMs, ...reviewDocument(flow)};
		await printMoney(
			{context, config, flags, wallet},
			document,
			() => `${reviewText(flow.view, config)}\n${nextStep(flow)}`,
		);
		return 0;
	});
}

function nextStep({view}: BridgeFlow): string {
	if (view.toAccept.length > 0)
		return 'Nothing was signed. A contract is used here for the first time: pulsetop bridge execute shows it, to accept or not.\n';
	return view.checks.every(({ok}) => ok)
		? 'Nothing was signed. pulsetop bridge execute with the same flags makes the transfer.\n'
		: 'Nothing was signed, and nothing can be while a check fails.\n';
}

/** Checks before anything starts that all flags of a quote are given. @throws UsageError */
export function assertComplete(flags: Flags): void {
	for (const name of ['from', 'amount', 'to']) {
		if (flags.text(name) === undefined)
			throw new UsageError(
				`--${name} is missing`,
				'A transfer needs --from CHAIN:TOKEN, --amount N and --to CHAIN[:TOKEN].',
			);
	}
	if (placeOf(flags.text('from')!, 'from').token === undefined)
		throw new UsageError("The value of --from can't be used", 'Name the token too: base:usdc, or base:0x...');
	placeOf(flags.text('to')!, 'to');
}

/** Reads the transfer from the flags. @throws UsageError, ChainUnread */
export async function bridgeInput(context: TradingContext, config: Config, flags: Flags): Promise<BridgeInput> {
	const from = placeOf(flags.text('from')!, 'from');
	const to = placeOf(flags.text('to')!, 'to');
	const recipient = flags.text('recipient');
	const [originToken, destinationToken] = await Promise.all([
		tokenAddress({...from, token: from.token!}, {context, config, flag: 'from'}),
		to.token === undefined ? undefined : tokenAddress({...to, token: to.token}, {context, config, flag: 'to'}),
	]);
	return {
		originChainId: from.chainId,
		originToken,
		amount: (await amountFlag(flags))!,
		destinationChainId: to.chainId,
		...(destinationToken === undefined ? {} : {destinationToken}),
		...(recipient === undefined ? {} : {recipient}),
	};
}
