import type {Client} from '../../source/client/client.ts';
import {openRow} from '../../source/commands/trade/row.ts';
import type {TradeSide} from '../../source/contract/trade-target.ts';
import {PulsetopError} from '../../source/errors.ts';
import {confirmationText} from '../../source/trading/acknowledge.ts';
import type {BridgeFlow} from '../../source/trading/bridge/flow.ts';
import {formatUnits} from '../../source/trading/decimal.ts';
import type {Trading} from '../../source/trading/open-trading.ts';

/** Where the dollars of the trials are, and where the launches. */
export const HOME = 'evm:8453';
export const AWAY = 'evm:42161';

/** Of the launches, and of what is typed: they move while the service is killed. */
const SLIPPAGE = 18;
const LAUNCH_DECIMALS = 18;

/** What somebody at the keyboard decides. */
export interface Wish {
	readonly side: TradeSide;
	/** Address of a launch on AWAY. */
	readonly launch: string;
	/** Decimal text: dollars of a buy, whole tokens of a sell. */
	readonly amount: string;
	/** Address of the dollars on HOME. */
	readonly usdc: string;
}

/** Quotes, accepts, confirms and sends, as a person would. @returns undefined for what cannot be traded now */
export async function tradeOnce(
	trading: Trading,
	client: Client,
	{side, launch, amount, usdc}: Wish,
	onConfirmed: () => void = () => {},
): Promise<BridgeFlow | undefined> {
	try {
		const row = await openRow(client, {chainId: AWAY, address: launch, side});
		const flow = await trading.bridgeFlow();
		const [dollars, token] = [
			{chainId: HOME, address: usdc},
			{chainId: AWAY, address: launch},
		];
		const [from, to] = side === 'buy' ? [dollars, token] : [token, dollars];
		await flow.quote({
			originChainId: from.chainId,
			originToken: from.address,
			amount,
			destinationChainId: to.chainId,
			destinationToken: to.address,
			slippage: SLIPPAGE,
			trade: row.target,
			tradeNow: row.now,
		});
		for (const {role, fingerprint} of [...flow.view.toAccept]) await flow.accept(role, fingerprint.slice(-6));
		flow.confirm(confirmationText(amount, flow.view.acknowledge));
		onConfirmed();
		await flow.execute();
		return flow;
	} catch (error) {
		if (error instanceof PulsetopError) return undefined;
		throw error;
	}
}

/** The exact amount of a launch as it is typed. */
export function launchAmount(raw: bigint): string {
	return formatUnits(raw, LAUNCH_DECIMALS);
}

/** Takes up everything that is open in the journal, as each start of the program does: it is only read. */
export async function resumeOpen(trading: Trading): Promise<readonly BridgeFlow[]> {
	const flows: BridgeFlow[] = [];
	for (const {intentId} of await trading.openIntents()) {
		const flow = await trading.bridgeFlow();
		try {
			flow.resume(intentId);
			flows.push(flow);
		} catch (error) {
			// Another process has read its end since.
			if (!(error instanceof PulsetopError && error.code === 'not-now')) throw error;
		}
	}
	return flows;
}
