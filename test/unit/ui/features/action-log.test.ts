import {appendFileSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createElement} from 'react';
import {expect, test, vi} from 'vitest';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {DEFAULT_RISK_THRESHOLDS} from '../../../../source/monitor/tokens/risk.ts';
import {createStore} from '../../../../source/store.ts';
import {openJournal} from '../../../../source/trading/journal.ts';
import type {Display} from '../../../../source/ui/display.ts';
import {ActionLogPage} from '../../../../source/ui/features/action-log/action-log-page.tsx';
import {createActionLogScreen} from '../../../../source/ui/features/action-log/action-log-screen.ts';
import {type ActionLogState, NO_LOG} from '../../../../source/ui/features/action-log/action-log-state.ts';
import {glyphsFor} from '../../../../source/ui/glyphs.ts';
import {DEFAULT_KEYS} from '../../../../source/ui/keymap/bound-keys.ts';
import {linesOf} from '../../../../source/ui/live/lines.tsx';
import type {ScreenContext} from '../../../../source/ui/screens/screen.ts';
import type {Slice} from '../../../../source/ui/screens/slice.ts';
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
	const monitor = createStore<MonitorState>(
		initialState({size: {columns: 80, rows: 24}, nowMs: 0, service: {label: 'x', embedded: true}, theme: 'dark'}),
	);
	let state: ActionLogState = NO_LOG;
	const change: Slice<ActionLogState>['change'] = transition => {
		state = transition(state);
	};
	const slice = {get: () => state, change, later: change, reach: () => reach};
	const said: string[] = [];
	const notify = (...words: readonly string[]): void => void said.push(words.join(' | '));
	const context = {monitor, journalFiles: {path, headPath: `${path}.head`}, notify} as unknown as ScreenContext;
	const screen = createActionLogScreen(slice, context);
	let reach = 0;
	const text = (height = 22): string => {
		const frame = {height, nowMs: 0, readOnly: false, named: (text: string) => text};
		const onReach = (lines: number): void => {
			reach = lines;
		};
		const page = createElement(ActionLogPage, {state, monitor: monitor.get(), frame: {...frame, onReach}});
		return linesOf(page, DISPLAY, 78)
			.map(row => row.map(span => span.text).join(''))
			.join('\n');
	};
	const open = async (): Promise<void> => {
		screen.open();
		await vi.waitFor(() => expect(state.lines).toBeDefined());
	};
	return {open, screen, text, said, state: () => state, reach: () => reach};
}

const DISPLAY: Display = {
	theme: THEMES.dark,
	glyphs: glyphsFor(false),
	keys: DEFAULT_KEYS,
	thresholds: DEFAULT_RISK_THRESHOLDS,
	isStill: false,
};

test('the log shows every record, newest first, as text, with the wallet that an earlier record named', async () => {
	await withLog(async ({open, state, text}) => {
		await open();
		expect(state().lines?.map(({seq}) => seq)).toEqual([4, 3, 2, 1]);
		expect(state().lines?.[1]).toMatchObject({what: 'Bridge transfer: status', detail: 'filled', wallet: ONE});
		// The address of a contract is no wallet.
		expect(state().lines?.[3]?.wallet).toBeUndefined();
		expect(text()).toContain('4 of 4 records, practice money, all wallets.');
		expect(text()).toContain('12.5 USDC, from Base, to Arbitrum');
		expect(text().indexOf('Prediction account')).toBeLessThan(text().indexOf('Bridge transfer: status'));
	});
});

test('a signature says what was signed; a wallet is not named twice', async () => {
	await withLog(async ({open, text}, path) => {
		const journal = openJournal(path, {nowMs: () => 1_800_000_100_000});
		journal.append('wallet.unlocked', 'practice', {address: ONE});
		journal.append('wallet.signed', 'practice', {what: 'batch of a transfer', digest: '0xabc'});
		await open();
		expect(text()).toMatch(/Wallet: signed {2}#6\n {3}batch of a transfer · key practice · wallet 0x1111/);
		expect(text()).toMatch(/Wallet: key unlocked {2}#5\n {3}key practice · wallet 0x1111/);
	});
});

test('it can be narrowed to one wallet after the other', async () => {
	await withLog(async ({open, screen, state, text}) => {
		await open();
		screen.run('turnWallet');
		expect(state().wallet).toBe(TWO);
		expect(text()).toContain('1 of 4 records');
		screen.run('turnWallet');
		expect(state().wallet).toBe(ONE);
		expect(text()).toContain('2 of 4 records');
		// A tab is turned, and turned back.
		screen.close();
		await open();
		expect(text()).toContain('2 of 4 records');
		screen.run('turnWallet');
		expect(state().wallet).toBeUndefined();
	});
});

test('without a chosen wallet nothing is copied, and the key that chooses one is a hint, not a name in braces', async () => {
	await withLog(async ({open, screen, said}) => {
		await open();
		screen.run('copy');
		expect(said).toEqual(['Choose a wallet first. | warn | {log.wallet} goes through the wallets.']);
	});
});

test('a log that was closed while it was read keeps nothing of it', async () => {
	await withLog(async ({open, screen, state}, path) => {
		await open();
		screen.close();
		screen.open();
		screen.close();
		// Reads end in their order: when a later one has ended, so has the one that was given up.
		await openLog(path).open();
		expect(state().lines).toBeUndefined();
	});
});

test('a log that is longer than the screen scrolls to its end and back', async () => {
	await withLog(async ({open, screen, text, reach}) => {
		await open();
		expect(text(9)).toContain('more lines');
		expect(reach()).toBeGreaterThan(0);
		screen.jump('last');
		expect(text(9)).toContain('#1');
		expect(text(9)).not.toContain('more lines');
		screen.move(-1);
		expect(text(9)).toContain('1 more line');
		screen.jump('first');
		expect(text(9)).toContain('4 of 4 records');
	});
});

test('a journal that was changed is not shown as a true one', async () => {
	await withLog(async ({open, state, text}, path) => {
		appendFileSync(path, '{"seq":9}\n');
		await open();
		expect(state().lines).toEqual([]);
		expect(text()).toContain('The journal of money actions was changed or is damaged');
	});
});
