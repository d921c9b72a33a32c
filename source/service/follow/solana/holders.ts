import {NodeAnswerWrong} from '../../../rpc/node-errors.ts';
import type {SolanaNode} from '../../../rpc/solana/node.ts';
import type {LargeHolder} from '../../market/events.ts';
import {readTokenAccount} from './accounts.ts';
import {decodeBase58} from './base58.ts';
import {readAll} from './resync.ts';
import type {FollowedToken} from './token-book.ts';
import {TOKEN_2022_PROGRAM, TOKEN_PROGRAM} from './venues/coins.ts';

export const LARGEST_ACCOUNTS = 'getTokenLargestAccounts';
/** As many as a node names. */
const MAX_ACCOUNTS = 20;

/**
 * Accounts that hold the tokens of every pool of a program: those of LaunchLab, of Raydium's CPMM and AMM pools, which its tokens
 * move to, and of Meteora's launchpad and DAMM v2. They are what the programs derive from `vault_auth_seed`, `vault_and_lp_mint_auth_seed` and `amm authority`.
 */
export const POOL_AUTHORITIES: ReadonlySet<string> = new Set([
	'WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh',
	'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
	'5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1',
	'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM',
	'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC',
]);

/**
 * Asks a node for the largest holders of a token, largest first: who owns its largest accounts. Accounts of one owner count as one
 * holder; the curve and the pools are not. Costs two calls, and the first one is not repeated when the node refuses.
 * @throws NodeRefused, NodeUnanswered, NodeAnswerWrong
 */
export async function readLargestHolders(node: SolanaNode, token: FollowedToken): Promise<readonly LargeHolder[]> {
	const result = await node.call(LARGEST_ACCOUNTS, [token.mint, {commitment: 'confirmed'}], {tries: 1});
	const accounts = await readAll(node, addressesOf(result));
	const places = new Set([token.curve, token.pool, ...token.others]);
	const raw = new Map<string, bigint>();
	for (const account of accounts) {
		// Closed since the first call.
		if (account === null) continue;
		if (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM) {
			throw new NodeAnswerWrong(LARGEST_ACCOUNTS, 'it names an account that holds no tokens');
		}
		const {mint, owner, amount} = readTokenAccount(account.data);
		if (mint !== token.mint) throw new NodeAnswerWrong(LARGEST_ACCOUNTS, 'it names an account of another token');
		if (amount > 0n && !places.has(owner) && !POOL_AUTHORITIES.has(owner)) {
			raw.set(owner, (raw.get(owner) ?? 0n) + amount);
		}
	}
	return [...raw]
		.map(([wallet, amount]) => ({wallet, amountToken: Number(amount) / 10 ** token.decimals}))
		.sort((a, b) => b.amountToken - a.amountToken || (a.wallet < b.wallet ? -1 : 1));
}

function addressesOf(result: unknown): readonly string[] {
	const value = (result as {value?: unknown} | null)?.value;
	if (!Array.isArray(value) || value.length > MAX_ACCOUNTS) {
		throw new NodeAnswerWrong(LARGEST_ACCOUNTS, `it is no list of at most ${MAX_ACCOUNTS} accounts`);
	}
	const addresses = value.map(account => (account as {address?: unknown} | null)?.address);
	const areAddresses = addresses.every(address => typeof address === 'string' && decodeBase58(address)?.length === 32);
	if (!areAddresses) throw new NodeAnswerWrong(LARGEST_ACCOUNTS, 'an account has no address');
	return [...new Set(addresses as string[])];
}
