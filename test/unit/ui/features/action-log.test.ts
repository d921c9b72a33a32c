import {appendFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createMonitorActions, type Effects, type MonitorActions} from '../../../../source/monitor/actions.ts';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import {type MonitorState, topMode} from '../../../../source/monitor/state.ts';
import {createStore} from '../../../../source/store.ts';
import {openJournal} from '../../../../source/trading/journal.ts';
import {createActionLogActions} from '../../../../source/ui/features/action-log/action-log-actions.ts';
import {actionLogRows, actionLogScrolls} from '../../../../source/ui/features/action-log/action-log-rows.ts';
import type {ActionLogMode} from '../../../../source/ui/features/action-log/mode.ts';
import {THEMES} from '../../../../source/ui/theme.ts';

const ONE = `0x${'1'.repeat(40)}`;
const TWO = `0x${'2'.repeat(40)}`;

async function withLog(notify: (log: ReturnType<typeof openLog>, path: string) => Promise<void>): Promise<void> {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-log-'));
	try {
		const path = join(directory, 'journal.jsonl');
		let atMs = 1_800_000_000_000;
		const journal = openJournal(path, {nowMs: () => (atMs += 1000)});
		const amount = {amountRaw: '12500000', decimals: 6, symbol: 'USDC'};
		const transfer = {...amount, originChainId: 'evm:8453', destinationChainId: 'evm:42161', authority: ONE};
		journal.append('pin.accepted', 'evm:8453', {role: 'bridge', address: TWO});
		journal.append('bridge.intended', 'intent-1', transfer);
		journal.append('bridge.status', 'intent-1', {phase: 'filled'});
		journal.append('vault.intended', '0xhash', {action: 'deposit', owner: TWO, amountRaw: '5'});
		await notify(openLog(path), path);
	} finally {
		rmSync(directory, {recursive: true, force: true});
	}
}

function openLog(path: string) {
	const store = createStore<MonitorState>(
		initialState({size: {columns: 80, rows: 24}, nowMs: 0, service: {label: 'x', embedded: true}, theme: 'dark'}),
	);
	const actions: MonitorActions = createMonitorActions(store, {nowMs: () => 0} as Effects);
	const log = createActionLogActions({store, monitor: actions, journalFiles: {path, headPath: `${path}.head`}});
	const mode = () => topMode(store.get()) as ActionLogMode;
	const text = () =>
		actionLogRows(mode(), THEMES.dark, 76)
			.map(row => row.map(span => span.text).join(''))
			.join('\n');
	return {...log, mode, text};
}

test('the log shows every record, newest first, as text, with the wallet that an earlier record named', async () => {
	await withLog(async ({open, mode, text}) => {
		await open();
		expect(mode().lines.map(({seq}) => seq)).toEqual([4, 3, 2, 1]);
		expect(mode().lines[1]).toMatchObject({what: 'Bridge transfer: status', detail: 'filled', wallet: ONE});
		// The address of a contract is no wallet.
		expect(mode().lines[3]?.wallet).toBeUndefined();
		expect(text()).toContain('4 of 4 records, practice money, all wallets.');
		expect(text()).toContain('12.5 USDC, from Base, to Arbitrum');
		expect(actionLogScrolls(mode(), {columns: 80, rows: 24})).toBe(false);
		expect(actionLogScrolls(mode(), {columns: 80, rows: 9})).toBe(true);
		expect(text().indexOf('Prediction account')).toBeLessThan(text().indexOf('Bridge transfer: status'));
	});
});

test('a signature says what was signed; a wallet is not named twice', async () => {
	await withLog(async ({open, text}, path) => {
		const journal = openJournal(path, {nowMs: () => 1_800_000_100_000});
		journal.append('wallet.unlocked', 'practice', {address: ONE});
		journal.append('wallet.signed', 'practice', {what: 'batch of a transfer', digest: '0xabc'});
		await open();
		expect(text()).toMatch(/Wallet: signed {2}#6\n {2}batch of a transfer · key practice · wallet 0x1111/);
		expect(text()).toMatch(/Wallet: key unlocked {2}#5\n {2}key practice · wallet 0x1111/);
	});
});

test('it can be narrowed to one wallet after the other', async () => {
	await withLog(async ({open, nextWallet, mode, text}) => {
		await open();
		nextWallet();
		expect(mode().wallet).toBe(TWO);
		expect(text()).toContain('1 of 4 records');
		nextWallet();
		expect(mode().wallet).toBe(ONE);
		expect(text()).toContain('2 of 4 records');
		nextWallet();
		expect(mode().wallet).toBeUndefined();
	});
});

test('a journal that was changed is not shown as a true one', async () => {
	await withLog(async ({open, mode, text}, path) => {
		appendFileSync(path, '{"seq":9}\n');
		await open();
		expect(mode().lines).toEqual([]);
		expect(text()).toContain('The journal of money actions was changed or is damaged');
	});
});
