import {expect, onTestFinished, test} from 'vitest';
import {openWantedHolders} from '../../../source/service/replicas/wanted-holders.ts';
import {replicaDatabases} from './replica-databases.ts';

const databases = replicaDatabases();

async function replica(leads: string): Promise<{readonly asked: string[]; want(chainId: string, token: string): void}> {
	const asked: string[] = [];
	const leaders = {
		leads: (chainId: string) => chainId === leads,
		holdersWanted: (chainId: string, token: string) => void asked.push(`${chainId} ${token}`),
	};
	const wanted = openWantedHolders({database: await databases.open(), leaders, collectMs: 20});
	onTestFinished(() => wanted.close());
	return {asked, want: (chainId, token) => wanted.want(chainId, token)};
}

test('the holders of a token that any replica shows are asked for by the one that leads its chain', async () => {
	const [solana, base] = [await replica('solana:solana'), await replica('evm:8453')];
	solana.want('solana:solana', 'Own');
	expect(solana.asked).toEqual(['solana:solana Own']);
	// A notification may come before the other one listens: a client that still looks asks again.
	await expect
		.poll(() => {
			base.want('solana:solana', 'Other');
			return solana.asked;
		})
		.toContain('solana:solana Other');
	solana.asked.length = 0;
	for (let n = 1; n <= 30; n++) base.want('solana:solana', `T${n}`);
	await expect.poll(() => solana.asked.at(-1)).toBe('solana:solana T30');
	// The newest: the source that asks its chain keeps no more.
	expect(solana.asked.filter(line => line.includes(' T'))).toHaveLength(20);
	expect(base.asked).toEqual([]);
});
