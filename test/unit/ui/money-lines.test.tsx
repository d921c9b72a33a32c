import {expect, test} from 'vitest';
import type {TradeTarget} from '../../../source/contract/trade-target.ts';
import {editOf} from '../../../source/monitor/transitions/text-edit.ts';
import type {CancelView} from '../../../source/trading/perp/flow.ts';
import type {CancelTarget} from '../../../source/trading/perp/orders.ts';
import {Choice, Field} from '../../../source/ui/live/field.tsx';
import {CheckCount, Checks, FailedChecks} from '../../../source/ui/money/checks.tsx';
import {Orders} from '../../../source/ui/money/perp-view.tsx';
import {TradedToken} from '../../../source/ui/money/trade-modal.tsx';
import {drawnTexts} from '../../helpers/drawn-rows.tsx';

test('what is typed, what is chosen and the hint of an empty line begin in the same cell of a form', () => {
	const rows = drawnTexts(
		<>
			<Choice label="you receive" texts={['USDC']} isActive={false} />
			<Field label="amount" edit={editOf('12.5')} isActive={false} hint="e.g. 12.5" />
			<Field label="recipient" edit={editOf('')} isActive={false} hint="this wallet" />
		</>,
		60,
	);
	expect(rows.map(row => row.search(/USDC|12\.5|this wallet/))).toEqual([13, 13, 13]);
});

test('a choice that is too long leaves its balance out, and cuts no figure', () => {
	const texts = ['USDC on Base, balance 1,000', 'USDC on Base'];
	const [wide] = drawnTexts(<Choice label="you send" texts={texts} isActive />, 46);
	const [narrow] = drawnTexts(<Choice label="you send" texts={texts} isActive />, 36);
	expect(wide).toContain('< USDC on Base, balance 1,000 >');
	expect(narrow).toContain('< USDC on Base >');
});

test('the whole address of what is traded stands above every step, however narrow the screen is', () => {
	const address = `0x${'aB1'.repeat(13)}c`;
	const target = {side: 'buy', symbol: 'WIF', name: 'Dog wif hat', chainId: 'evm:8453', address, marks: []};
	const rows = (width: number) => drawnTexts(<TradedToken target={target as unknown as TradeTarget} />, width);
	expect(rows(76)).toEqual([`${address}  “Dog wif hat”`]);
	expect(rows(36).join('')).toBe(address);
	expect(rows(36).every(row => row.length <= 36)).toBe(true);
});

test('the cursor of a field stays in sight, however long the text is', () => {
	const edit = editOf('0x8e32bDA1e7B56FC1490F109df6eE0b2e27289746');
	const [row] = drawnTexts(<Field label="recipient" edit={edit} isActive />, 30);
	expect(row).toMatch(/recipient .*9746 $/);
	expect(row!.length).toBeLessThanOrEqual(30);
	for (const width of [1, 8, 13, 14]) {
		const [cut] = drawnTexts(<Field label="recipient" edit={edit} isActive />, width);
		expect(cut!.length).toBeLessThanOrEqual(width);
	}
});

const check = (ok: boolean, more: object = {}) => ({
	name: 'x',
	title: 'payload is fresh',
	ok,
	detail: '70 s old',
	...more,
});

test('each failed check stands at the top with its reason and its advice, unless all it found is contracts to accept', () => {
	const top = (checks: readonly ReturnType<typeof check>[], toAccept: readonly object[] = []) =>
		drawnTexts(<FailedChecks view={{checks, toAccept}} next="Enter checks again." />, 60);
	expect(top([check(true)])).toEqual([]);
	expect(top([check(false), check(true)], [{}])).toEqual([]);
	expect(top([check(false), check(true)])).toEqual([
		'✗ payload is fresh: 70 s old',
		'A check has failed: nothing can be signed. Enter checks',
		'again.',
	]);
	const costly = check(false, {title: 'worst case', detail: '-27 %, at most 25 %', advice: 'Lower the amount.'});
	expect(top([check(false), check(true), costly], [{}])).toEqual([
		'✗ payload is fresh: 70 s old',
		'✗ worst case: -27 %, at most 25 %',
		'  → Lower the amount.',
		'2 checks have failed: nothing can be signed. Enter checks',
		'again.',
	]);
	// No letter of a long reason is left out.
	const checks = [{...costly, detail: 'one two three four five six'}];
	const long = drawnTexts(<FailedChecks view={{checks, toAccept: []}} />, 20);
	expect(long.slice(0, 3)).toEqual(['✗ worst case: one', '  two three four', '  five six']);
});

test('what passed is counted, what was not checked is named', () => {
	const count = (checks: readonly ReturnType<typeof check>[], untried?: string) =>
		drawnTexts(<CheckCount checks={checks} isReady={checks.every(({ok}) => ok)} untried={untried} />, 60);
	expect(count([check(true), check(true)])).toEqual(['✓ 2 checks passed. Enter goes on to the confirmation.']);
	expect(
		count([check(true), check(true, {isUnavailable: true, title: 'simulated on your node'})], 'no resale was tried'),
	).toEqual([
		'✓ 1 checks passed. Enter goes on to the confirmation.',
		'? not checked: simulated on your node, no resale was tried',
	]);
	expect(count([check(true), check(false)])).toEqual(['✓ 1 of 2 checks are fine']);
});

test('a contract to accept is asked about, a failed check is crossed out', () => {
	const checks = [
		{id: 'pin', title: 'executor is the known one', ok: false, detail: 'new'},
		{id: 'gas', title: 'gas is sponsored', ok: true, detail: 'yes'},
	] as unknown as Parameters<typeof Checks>[0]['view']['checks'];
	const glyphs = (toAccept: readonly object[] = []) =>
		drawnTexts(<Checks view={{checks, toAccept}} />, 60).map(row => row.slice(0, 1));
	expect(glyphs([{}])).toEqual(['!', '✓']);
	expect(glyphs()).toEqual(['✗', '✓']);
});

const TARGET: CancelTarget = {
	...{key: 'a/order', dex: 'dexA', chainId: 'evm:42161', marketId: 'ETH-USD', index: '7'},
	...{orderType: 'order', side: 'BUY', kind: 'LIMIT', sizeUSD: 500, price: 3000},
};
test.each([
	['beside those that can be cancelled', [TARGET], 'dexA'],
	['in place of "no order"', [], 'a wallet'],
])('orders of an exchange that is not known are named %s', (_, targets, also) => {
	const unread = [{id: 'x', exchange: 'gains', unknown: 'exchange'}] as const;
	const view = {targets, unread, state: {phase: 'choosing'}, signed: []} as unknown as CancelView;
	const props = {window: {view, form: {index: 0}}, wallet: {address: 'a wallet', mode: 'real'}};
	const text = drawnTexts(<Orders {...(props as unknown as Parameters<typeof Orders>[0])} />, 76)
		.join(' ')
		.replaceAll(/\s+/g, ' ');
	expect(text).toContain('since the exchange is not known here: 1 of gains.');
	expect(text).toContain('provider.dex-a');
	expect(text).toContain(also);
	expect(text).not.toContain('has no open order');
});
