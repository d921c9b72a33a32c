import {isEvmAddress, isSameAddress} from '../../address.ts';
import type {Client} from '../../client/client.ts';
import type {Entry} from '../../contract/entry.ts';
import type {TradeSide, TradeTarget} from '../../contract/trade-target.ts';
import {lookalikeIndex, lookalikeOf} from '../../monitor/tokens/lookalike.ts';
import {targetOf} from '../../trading/trade/target.ts';
import {oneOperand} from '../line/operands.ts';
import {UsageError} from '../line/usage-error.ts';
import {TokenUnknown} from '../lookups/token.ts';
import {placeOf} from '../trading/place.ts';

/** A token by its chain and address. */
export interface TokenPlace {
	readonly chainId: string;
	readonly address: string;
}

/**
 * The token of `buy` and `sell`, `CHAIN:ADDRESS`. Never a symbol: anybody can give a token any symbol.
 * @throws UsageError
 */
export function tokenOperand(operands: readonly string[]): TokenPlace {
	const given = oneOperand(operands, 'CHAIN:ADDRESS');
	const {chainId, token = ''} = placeOf(given, 'token', 'CHAIN:ADDRESS');
	if (isEvmAddress(token) || !chainId.startsWith('evm:')) return {chainId, address: token};
	throw new UsageError(
		'The token is not named by its address',
		'Write CHAIN:0x..., as base:0x4ed4e862860bed51a9570b96d89af5e1b0efefed: anybody can give a token any symbol.',
	);
}

/** Reads the row of a token: as it is now, at every call. */
export type ReadRow = () => Promise<TradeTarget | undefined>;

/** How many tokens of the same name are compared. */
const NAMESAKES = 100;

/**
 * Reads the row of a token from the feed, by its address, and how to read it again.
 * @throws TokenUnknown; the errors of the client
 */
export async function openRow(
	client: Pick<Client, 'fetchToken' | 'fetchPage' | 'clock'>,
	{chainId, address, side}: TokenPlace & {readonly side: TradeSide},
): Promise<{readonly target: TradeTarget; readonly now: ReadRow}> {
	const find = async (): Promise<Entry | undefined> => {
		const entry = await client.fetchToken({chainId, address});
		return entry && entry.chain_id === chainId && isSameAddress(entry.address, address) ? entry : undefined;
	};
	const first = await find();
	if (first === undefined) throw new TokenUnknown({chainId, address});
	const lookAlike = await lookAlikeOf(client, first);
	const copy = (entry: Entry): TradeTarget =>
		targetOf(entry, side, {
			// The row was answered just now: a plain request has no stream that could lag.
			atMs: client.clock.nowMs(),
			isLive: true,
			lookAlike,
			marks: entry.is_spam === true ? ['spam, says the service'] : [],
		});
	return {
		target: copy(first),
		now: async () => {
			const entry = await find();
			return entry && copy(entry);
		},
	};
}

/** How a token looks among those with a word of its symbol; without an answer by its own letters alone. */
async function lookAlikeOf(
	client: Pick<Client, 'fetchPage'>,
	entry: Entry,
): Promise<TradeTarget['lookAlike'] | undefined> {
	const {symbol = ''} = entry;
	const filters = {includeKeywords: [symbol]};
	const others =
		symbol === ''
			? []
			: await client.fetchPage({filters, limit: NAMESAKES, sortBy: 'market_cap', sortOrder: 'desc'}).then(
					({entries}) => entries,
					() => [],
				);
	const level = lookalikeOf(entry, lookalikeIndex([entry, ...others]))?.level;
	return level === 'bad' || level === 'warn' ? level : undefined;
}
