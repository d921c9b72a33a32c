import {expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {ServiceUnreachable} from '../../source/client/http/service-errors.ts';
import type {WalletLabels} from '../../source/client/lookups/labels.ts';
import type {LabelsState} from '../../source/ui/features/labels/labels-state.ts';
import {readAddresses} from '../../source/ui/features/labels/labels-state.ts';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, type TestMonitor} from '../helpers/monitor-app.tsx';
import {openScreens, shows} from './screens-fixture.ts';

const SIZE = {columns: 120, rows: 30};
const wallet = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

type Asked = {addresses: readonly string[]; token: string | undefined};

/** A service that knows some wallets, and says nothing of the others. */
function service(known: Record<string, Partial<WalletLabels>>, asked: Asked[] = []): Client['labels'] {
	return async (addresses, {token} = {}) => {
		asked.push({addresses, token});
		return new Map(addresses.map(address => [address, {address, labels: [], atMs: NOW_MS, ...known[address]}]));
	};
}

const labelsOf = ({screens}: TestMonitor) => screens.get().labels as LabelsState;
const paste = (monitor: TestMonitor, text: string) => monitor.press(`\u001b[200~${text}\u001b[201~`);

test('pasted wallets are looked up in whatever form they come, with what their labels mean', async () => {
	const asked: Asked[] = [];
	const {monitor} = openScreens(
		{},
		{
			size: SIZE,
			labels: service(
				{
					[wallet(1)]: {labels: ['sniper', 'brandNewKind'], entity: {name: 'Somebody', labels: []}},
					[wallet(2)]: {
						labels: [],
						funding: {
							from: wallet(9),
							fromTag: 'An exchange',
							amount: 1.5,
							currency: {symbol: 'ETH'},
							date: NOW_MS - 7_200_000,
						},
					},
				},
				asked,
			),
		},
	);
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, `wallet;"${wallet(1)}"\n${wallet(2)}\t${wallet(2)}, https://explorer/${wallet(3)}`);
	const frame = await shows(monitor, /Somebody sniper brandNewKind/);
	expect(frame).toMatch(/no labels\s+1\.50 ETH from An exchange, 2h ago/);
	expect(frame).toContain(
		'sniper: bought in the first blocks after the launch; brandNewKind: a label without a description here',
	);
	expect(asked).toEqual([{addresses: [wallet(1), wallet(2), wallet(3)], token: undefined}]);
});

test('many wallets are requested by the hundred, and the first labels stay when a later batch fails', async () => {
	let calls = 0;
	const all = service({});
	const {monitor} = openScreens(
		{},
		{
			size: SIZE,
			labels: async (addresses, options) => {
				calls++;
				expect(addresses.length).toBeLessThanOrEqual(100);
				if (calls === 3) throw new ServiceUnreachable('the line is down', {sent: 'no'});
				return all(addresses, options);
			},
		},
	);
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, Array.from({length: 250}, (_, at) => wallet(at + 1)).join(' '));
	await shows(monitor, /the line is down.*R refreshes/);
	expect(labelsOf(monitor).found.size).toBe(200);
	monitor.press('G');
	expect(monitor.frame()).toContain('not reported');
	monitor.press('R');
	await expect.poll(() => labelsOf(monitor).found.size).toBe(250);
});

test('the way of the money is followed back until no funder is reported', async () => {
	const funding = (from: string) => ({funding: {from, amount: 2, currency: {symbol: 'SOL'}, date: NOW_MS}});
	const {monitor} = openScreens(
		{},
		{
			size: SIZE,
			labels: service({
				[wallet(1)]: {labels: ['dev'], ...funding(wallet(2))},
				[wallet(2)]: {labels: ['freshTrader'], ...funding(wallet(3))},
				[wallet(3)]: {labels: [], entity: {name: 'Big Exchange', labels: []}},
			}),
		},
	);
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, wallet(1));
	await shows(monitor, /dev\s+2 SOL from/);
	monitor.press('\r');
	const frame = await shows(monitor, /2\. from\s+0x0+3\s+\(Big Exchange\)/);
	expect(frame).toMatch(/1\. from\s+0x0+2\s+\(freshTrader\)/);
	expect(frame).toMatch(/dev\s+has launched tokens/);
	await expect.poll(() => monitor.frame()).not.toContain('Asking further back');
});

test('a circle of wallets that funded each other ends', async () => {
	const {monitor} = openScreens(
		{},
		{
			size: SIZE,
			labels: service({
				[wallet(1)]: {funding: {from: wallet(2)}},
				[wallet(2)]: {funding: {from: wallet(1)}},
			}),
		},
	);
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, wallet(1));
	await shows(monitor, 'no labels');
	monitor.press('\r');
	await shows(monitor, /2\. from/);
	await expect.poll(() => labelsOf(monitor).open?.isLooking).toBe(false);
	expect(labelsOf(monitor).open!.path).toHaveLength(2);
});

test('a wallet that the service leaves out is not one without labels', async () => {
	const labels: Client['labels'] = async addresses =>
		new Map(addresses.map(address => [address, {address, atMs: NOW_MS}]));
	const {monitor} = openScreens({}, {size: SIZE, labels});
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, wallet(1));
	await shows(monitor, 'not reported');
	monitor.press('\r');
	await shows(monitor, /LABELS\W+not reported/i);
	expect(monitor.frame()).not.toContain('no labels');
});

test('labels can be relative to the token under the cursor; without one the key says why not', async () => {
	const asked: Asked[] = [];
	const {monitor} = openScreens({}, {size: SIZE, labels: service({}, asked)});
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, wallet(1));
	await shows(monitor, 'no labels');
	monitor.press('t');
	await shows(monitor, 'Put the cursor on a token');
	monitor.press('\u001b');
	monitor.arrive('new', [entryOf('TokenAddress', {symbol: 'PEPE'})]);
	monitor.press('j', 'M', 'i', 't');
	await shows(monitor, 'relative to PEPE');
	await expect.poll(() => asked.at(-1)).toEqual({addresses: [wallet(1)], token: 'TokenAddress'});
});

test('texts that are not addresses are named, and typed addresses work as pasted ones do', async () => {
	const {monitor} = openScreens({}, {size: SIZE, labels: service({})});
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	monitor.press('/', 'nonsense', '\r');
	await shows(monitor, 'There is no address in this');
	monitor.press('/', `0xabc ${wallet(7)}`, '\r');
	await shows(monitor, /1 word is not an address: 0xabc/);
	monitor.press('y');
	await expect.poll(() => monitor.copied).toEqual([wallet(7)]);
	monitor.press('x');
	await shows(monitor, 'Paste any number of addresses');
});

test('addresses are found in any text, each once', () => {
	const solana = 'So11111111111111111111111111111111111111112';
	const upper = wallet(0xabc).toUpperCase().replace('0X', '0x');
	expect(readAddresses(`evm:8453|${upper} ${upper.toLowerCase()} [${solana}]`)).toEqual({
		addresses: [upper, solana],
		rejected: ['evm', '8453'],
	});
});

test('the wallets screen works on the smallest terminal', async () => {
	const {monitor} = openScreens(
		{},
		{size: {columns: 40, rows: 12}, labels: service({[wallet(1)]: {labels: ['sniper']}})},
	);
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, wallet(1));
	const frame = await shows(monitor, 'sniper');
	expect(frame.split('\n')).toHaveLength(12);
});

test('a click marks a wallet, a second one opens it, and the list stays where it was; the wheel scrolls', async () => {
	const {monitor} = openScreens({}, {size: {columns: 120, rows: 20}, labels: service({})});
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, Array.from({length: 60}, (_, at) => wallet(at + 1)).join(' '));
	await shows(monitor, /no labels/);
	const cursor = () => labelsOf(monitor).cursor;
	const rowOf = (n: number) =>
		monitor
			.frame()
			.split('\n')
			.findIndex(line => line.includes(wallet(n).slice(-5)));
	const click = (y: number) => monitor.press(`\u001b[<0;10;${y + 1}M`);
	monitor.press('\u001b[<65;10;10M', '\u001b[<65;10;10M', '\u001b[<65;10;10M', '\u001b[<65;10;10M');
	expect(cursor()).toBe(wallet(13));
	const at = rowOf(17);
	click(at);
	expect(cursor()).toBe(wallet(17));
	expect(rowOf(17)).toBe(at);
	click(1);
	expect(cursor()).toBe(wallet(17));
	click(at);
	expect(labelsOf(monitor).open?.address).toBe(wallet(17));
	click(at);
	expect(labelsOf(monitor).open?.address).toBe(wallet(17));
});

test('the last line has the command that prints the same in a shell, and Y copies it', async () => {
	const {monitor} = openScreens({}, {size: SIZE, labels: service({})});
	monitor.press('M', 'i');
	await shows(monitor, 'Paste any number of addresses');
	paste(monitor, wallet(1));
	const command = `pulsetop labels ${wallet(1)}`;
	const frame = await shows(monitor, command);
	expect(frame).toMatch(/pulsetop labels 0x\w+ +Y: copy/);
	monitor.press('Y');
	await expect.poll(() => monitor.copied).toEqual([command]);
});
