import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import type {Account, SolanaNode} from '../../../../../source/rpc/solana/node.ts';
import {isOnCurve} from '../../../../../source/service/follow/solana/addresses.ts';
import {decodeBase58, encodeBase58} from '../../../../../source/service/follow/solana/base58.ts';
import {POOL_AUTHORITIES, readLargestHolders} from '../../../../../source/service/follow/solana/holders.ts';
import type {FollowedToken} from '../../../../../source/service/follow/solana/token-book.ts';
import {TOKEN_PROGRAM} from '../../../../../source/service/follow/solana/venues/coins.ts';
import {encodeBorsh} from '../../../../helpers/borsh-writer.ts';

const key = (name: string) => encodeBase58(createHash('sha256').update(name).digest());
const TOKEN = {mint: key('mint'), curve: key('curve'), pool: key('pool'), others: [key('other pool')], decimals: 6};

/** An account with tokens. */
function account(owner: string, amount: bigint, mint = TOKEN.mint): Account {
	const layout = [
		['mint', 'pubkey'],
		['owner', 'pubkey'],
		['amount', 'u64'],
	] as const;
	return {
		slot: 1,
		owner: TOKEN_PROGRAM,
		data: Buffer.concat([encodeBorsh(layout, {mint, owner, amount}), Buffer.alloc(93)]),
	};
}

/** What a node makes of accounts in the order in which it names them. */
function holders(accounts: readonly (Account | null)[], named?: unknown) {
	const value = accounts.map((_, index) => ({address: key(`account ${index}`), amount: '1'}));
	const node = {
		call: async () => named ?? {context: {slot: 1}, value},
		accounts: async (addresses: readonly string[]) => ({
			slot: 1,
			accounts: addresses.map(address => accounts[value.findIndex(each => each.address === address)] ?? null),
		}),
	};
	return readLargestHolders(node as unknown as SolanaNode, TOKEN as unknown as FollowedToken);
}

test('accounts of one owner count as one holder, and curve and pools as none', async () => {
	const [ann, bob] = [key('ann'), key('bob')];
	const pools = [TOKEN.curve, TOKEN.pool, ...TOKEN.others, ...POOL_AUTHORITIES].map(pool => account(pool, 10n ** 12n));
	const own = [
		account(bob, 5_000_000n),
		account(ann, 3_000_000n),
		null,
		account(ann, 2_500_000n),
		account(key('c'), 0n),
	];
	expect(await holders([...pools, ...own])).toEqual([
		{wallet: ann, amountToken: 5.5},
		{wallet: bob, amountToken: 5},
	]);
});

test.each([
	['nothing', [], null],
	['no list', [], {value: 'x'}],
	['too long a list', [], {value: Array.from({length: 21}, () => ({address: key('a')}))}],
	['an address that is none', [], {value: [{address: 'no'}]}],
	['an account of another token', [account(key('ann'), 1n, key('other mint'))], undefined],
	['an account that holds no tokens', [{slot: 1, owner: key('program'), data: Buffer.alloc(165)}], undefined],
] as const)('%s is a wrong answer', async (_, accounts, named) => {
	await expect(holders(accounts, named === null ? {} : named)).rejects.toMatchObject({name: 'NodeAnswerWrong'});
});

/* Addresses that a program derives, from the seeds that its source has. */
test.each([
	['vault_auth_seed', 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj'],
	['vault_and_lp_mint_auth_seed', 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'],
	['amm authority', '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'],
])('what %s gives holds tokens for a program', (seed, program) => {
	let bytes: Uint8Array | undefined;
	for (let bump = 255; bytes === undefined; bump--) {
		const hash = createHash('sha256').update(seed).update(Uint8Array.of(bump));
		const found = hash.update(decodeBase58(program)!).update('ProgramDerivedAddress').digest();
		if (!isOnCurve(found)) bytes = found;
	}
	expect(POOL_AUTHORITIES).toContain(encodeBase58(bytes));
});
