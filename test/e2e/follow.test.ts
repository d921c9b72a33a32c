import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {loadLastRows} from '../../source/monitor/last-rows.ts';
import {openWorld, type World} from '../helpers/follow-world.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/* A real chain on the screen: what a transaction does is seen where a person looks for it. */

let world: World;

beforeAll(async () => {
	world = await openWorld({chain: 'bnb', startMs: Date.now() - 60_000});
	world.goLive();
});
afterAll(() => world?.close());

async function withRobinhood(work: (world: World) => Promise<void>): Promise<void> {
	const other = await openWorld({chain: 'robinhood', startMs: Date.now() - 60_000});
	try {
		other.goLive();
		await work(other);
	} finally {
		await other.close();
	}
}

/** Blocks behind the newest that are shown of BNB Chain. */
const CONFIRMATIONS = 2;

/** What is in a place of the screen, of so many columns side by side. */
function column(pty: Pty, at: number, of = 3): string {
	const width = Math.floor(pty.screen.columns / of);
	return pty
		.screenText()
		.split('\n')
		.map(line => line.slice(at * width, (at + 1) * width))
		.join('\n');
}

test('the rows of a followed chain are kept for the first frame of the next start', async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-follow-rows-'));
	const args = [CLI, '--follow', `bnb=${world.wsUrl}`, '--backfill', '1h', '--data-dir', dataDir];
	try {
		await withPty({args, columns: 160, rows: 45}, async pty => {
			await pty.waitFor(/bnb · .*behind/);
			await world.launch({name: 'Kept Cat', symbol: 'KEPT', by: 'maker'});
			await world.mine(CONFIRMATIONS);
			await pty.waitFor(() => column(pty, 0).includes('KEPT'));
			pty.type('q');
			expect(await pty.exit).toMatchObject({code: 0});
		});
		const rows = await loadLastRows(dataDir, 'follow evm:56');
		const kept = rows?.columns.find(({view}) => view === 'new')?.entries;
		expect(kept?.map(({symbol}) => symbol)).toContain('KEPT');
	} finally {
		await rm(dataDir, {recursive: true, force: true});
	}
});

test('a launch is in NEW with the block that confirms it, climbs, and moves to BONDED when it graduates', async () => {
	await withPty(
		{args: [CLI, '--follow', `bnb=${world.wsUrl}`, '--backfill', '1h'], columns: 160, rows: 45},
		async pty => {
			await pty.waitFor(/bnb · .*behind/);
			const token = await world.launch({name: 'Moon Cat', symbol: 'MCAT', by: 'maker'});
			await world.mine(CONFIRMATIONS);
			await pty.waitFor(() => column(pty, 0).includes('MCAT'));
			expect(column(pty, 2)).not.toContain('MCAT');
			await world.buy(token, 'ann', 6);
			await world.mine(CONFIRMATIONS);
			// Two thirds of the curve are sold for a third of what it raises.
			await pty.waitFor(() => /MCAT[\s\S]*66%/.test(column(pty, 1)));
			await world.graduate(token);
			await world.mine(CONFIRMATIONS);
			await pty.waitFor(() => column(pty, 2).includes('MCAT'));
			expect(pty.screenText()).not.toContain('PRACTICE');
			pty.type('q');
			expect(await pty.exit).toMatchObject({code: 0});
		},
	);
});

test('on a small screen the launch is in NEW too, and in BONDED once it has graduated', async () => {
	await withPty(
		{args: [CLI, '--follow', `bnb=${world.wsUrl}`, '--backfill', '1h'], columns: 80, rows: 24},
		async pty => {
			await pty.waitFor(/bnb · .*behind/);
			const token = await world.launch({name: 'Small Dog', symbol: 'SDOG', by: 'maker'});
			await world.mine(CONFIRMATIONS);
			await pty.waitFor(() => column(pty, 0, 2).includes('SDOG'));
			await world.graduate(token);
			await world.mine(CONFIRMATIONS);
			// The third column is beside the two.
			pty.type('\t\t');
			await pty.waitFor(() => /BONDED[\s\S]*SDOG/.test(column(pty, 1, 2)));
			pty.type('q');
			expect(await pty.exit).toMatchObject({code: 0});
		},
	);
});

test('a launch on Pons is in NEW with its name, climbs by what is paid into its curve, and is in BONDED with its pool', async () => {
	await withRobinhood(async robinhood => {
		const args = [CLI, '--follow', `robinhood=${robinhood.wsUrl}`, '--backfill', '1h'];
		await withPty({args, columns: 160, rows: 45}, async pty => {
			await pty.waitFor(/robinhood · .*behind/);
			const token = await robinhood.launch({name: 'Pond Frog', symbol: 'FROG', by: 'maker'});
			await pty.waitFor(() => column(pty, 0).includes('FROG'));
			expect(column(pty, 2)).not.toContain('FROG');
			// 2.1 of the 4.2 ETH that it takes.
			await robinhood.buy(token, 'ann', 2.1);
			await pty.waitFor(() => /FROG[\s\S]*50%/.test(column(pty, 1)));
			await robinhood.sell(token, 'ann', 0.5);
			await pty.waitFor(() => /FROG[\s\S]*\b1\d%/.test(column(pty, 1)));
			await robinhood.graduate(token);
			await pty.waitFor(() => column(pty, 2).includes('FROG'));
			await robinhood.buy(token, 'bob', 0.2);
			await robinhood.mine(2);
			expect(pty.screenText()).not.toMatch(/unknown events|PRACTICE/);
			pty.type('q');
			expect(await pty.exit).toMatchObject({code: 0});
		});
	});
});
