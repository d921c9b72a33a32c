import {expect, onTestFinished, test} from 'vitest';
import {FakeSolana} from '../helpers/fake-solana.ts';
import {CLI} from '../helpers/program.ts';
import {openPty, type Pty} from '../helpers/pty.ts';
import {until} from '../helpers/until.ts';

const ALL = 793_100_000_000_000n;

/** A chain whose slots come by the clock, and the monitor that follows it. */
async function following(columns: number, rows: number): Promise<{solana: FakeSolana; pty: Pty}> {
	const solana = new FakeSolana(Date.now());
	const node = await solana.listen();
	const clock = setInterval(() => solana.catchUp(Date.now()), 100);
	const pty = await openPty({args: [CLI, '--follow', `solana=${node.url}`], columns, rows});
	onTestFinished(async () => {
		clearInterval(clock);
		pty.kill('SIGKILL');
		await solana.close();
	});
	await pty.waitFor(/LIVE +solana/);
	// What happens before the subscriptions stand is not seen.
	await until(() => node.followers === 1 && (node.calls.get('getBlockTime') ?? 0) > 0);
	await solana.mined();
	return {solana, pty};
}

test.each([
	[80, 24],
	[160, 45],
])('a launch on Solana shows, climbs, fills its curve and moves to BONDED, at %ix%i', async (columns, rows) => {
	const {solana, pty} = await following(columns, rows);
	expect(pty.screenText()).not.toMatch(/PRACTICE/);
	const token = solana.launch({symbol: 'PEPEX'});
	await pty.waitFor(/PEPEX/);
	solana.trade(token, 'buy', ALL / 2n);
	await pty.waitFor(/BONDING 1 /);
	solana.trade(token, 'buy', ALL);
	await solana.mined();
	solana.migrate(token);
	await solana.mined();
	solana.trade(token, 'buy', 1_000_000_000_000n);
	// Two of three columns are shown on a small screen.
	if (columns < 100) pty.type('\t\t');
	await pty.waitFor(/BONDED 1 /);
	await pty.waitFor(/PEPEX/);
	expect(pty.bytes().toString()).not.toContain('secret');
});
