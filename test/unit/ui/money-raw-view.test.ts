import {createElement} from 'react';
import {expect, test} from 'vitest';
import {BRIDGE} from '../../../source/contract/bridge.ts';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import {batchNonce} from '../../../source/contract/typed-data.ts';
import {cellWidth} from '../../../source/text.ts';
import {unsignedPlanOf} from '../../../source/trading/bridge/plan.ts';
import {linesOf} from '../../../source/ui/live/lines.tsx';
import {JsonLines} from '../../../source/ui/money/json-lines.tsx';
import type {MoneyKind} from '../../../source/ui/money/money-state.ts';
import {DISPLAY, drawnTexts} from '../../helpers/drawn-rows.tsx';
import {createMoneyWindow} from '../../helpers/money-windows.ts';
import {fc} from '../../helpers/properties.ts';

const WIDTHS = Array.from({length: 171}, (_, at) => 30 + at);
const address = (digit: string) => `0x${digit.repeat(40)}`;
const bytes = (length: number) =>
	`0x${Array.from({length}, (_, at) => (at % 256).toString(16).padStart(2, '0')).join('')}`;

const plan = {
	request: {originChainId: 'evm:8453', amountRaw: 25_000_000n, decimals: 6, symbol: 'USDC'},
	quote: {intentId: 'abcdefg-hijklmn-opq', sponsorGate: {batchExecutor: address('5')}},
	provider: NEUTRAL_PROVIDER,
	batch: {
		originChainId: 'evm:8453',
		authority: address('1'),
		calls: [
			{to: address('3'), value: '0', data: bytes(68)},
			{to: address('4'), value: '0', data: bytes(164)},
		],
		batchNonce: String(batchNonce('abcdefg-hijklmn-opq')),
		deadline: String(1_800_000_000 + BRIDGE.deadlineS),
		gasToken: address('3'),
		minBalance: '25000000',
	},
	authorization: {chainId: 8453, address: address('5'), nonce: 7},
};
const perpPlan = {
	envelope: {payload: JSON.stringify({data: bytes(200), text: 'a text with  blanks and "quotes"'}), dex: 'dexA'},
	evm: {tx: {to: address('6'), data: bytes(100), valueRaw: 0n, gas: 21_000n}},
};
const vaultPlan = {
	action: 'deposit',
	amountRaw: 5n,
	place: {factory: address('7'), chainId: 'evm:137'},
	proposal: {to: address('8'), calldata: bytes(68)},
	facts: {nonce: 4},
	fees: {maxFeePerGas: 3n, maxPriorityFeePerGas: 1n},
	gas: 90_000n,
};

/** What the window shows below the sentence at its top and the blank line after it. */
type Shown = readonly (readonly {readonly text: string}[])[];
const below = (rows: Shown): Shown => rows.slice(rows.findIndex(row => row.length === 0) + 1);

function rawRows(kind: MoneyKind, plan: unknown): (width: number) => Shown {
	const {keys, put} = createMoneyWindow(kind);
	put({step: 'review', shows: 'raw', view: {plan}});
	return width => linesOf(keys.content(0), DISPLAY, width);
}

const WINDOWS: readonly [name: string, rows: (width: number) => Shown, json: unknown][] = [
	['bridge', rawRows('bridge', plan), unsignedPlanOf(plan as unknown as Parameters<typeof unsignedPlanOf>[0])],
	['perp', rawRows('perp', perpPlan), {envelope: perpPlan.envelope, transaction: perpPlan.evm.tx}],
	[
		'account',
		rawRows('predictionAccount', vaultPlan),
		{
			transaction: {
				...vaultPlan.proposal,
				value: '0',
				nonce: 4,
				gas: vaultPlan.gas,
				...vaultPlan.fees,
			},
		},
	],
];

/** JSON as it is written, raw amounts as decimal text. */
const written = (value: unknown) =>
	JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part), 2);

/** The rows with what goes on below a line put behind it again, by the lines as they should be: each row is checked. */
function joined(rows: Shown, lines: readonly string[]): string[] {
	const texts = rows.map(row => row.map(({text}) => text).join(''));
	return lines
		.map(line => {
			const indent = /^ */.exec(line)![0];
			let whole = texts.shift() ?? '';
			while (whole.length < line.length) {
				const next = texts.shift();
				if (next === undefined) break;
				expect(next.startsWith(indent)).toBe(true);
				whole += next.slice(indent.length);
			}
			return whole;
		})
		.concat(texts);
}

test.each(WINDOWS)('the raw view of %s holds every character of what is signed, at every width', (_, rowsAt, value) => {
	const lines = written(value).split('\n');
	expect(Math.max(...lines.map(line => line.length))).toBeGreaterThan(140);
	for (const width of WIDTHS) {
		const rows = below(rowsAt(width));
		expect(Math.max(...rows.map(row => cellWidth(row.map(({text}) => text).join(''))))).toBeLessThanOrEqual(width);
		expect(joined(rows, lines).join('\n')).toBe(lines.join('\n'));
	}
});

test('any data can be read back from its raw view, and no character of it takes more than its cell', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.integer({min: 30, max: 200}), (value, width) => {
			const rows = drawnTexts(createElement(JsonLines, {value}), width);
			expect(rows.every(row => /^[ -~]*$/.test(row) && row.length <= width)).toBe(true);
			// Breaks inside text would end it: joined without what is only indent, it is JSON again, whatever stands in it.
			const lines = written(value)
				.split('\n')
				.map(line => line.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
			const whole = joined(
				rows.map(text => [{text}]),
				lines,
			).join('\n');
			expect(JSON.parse(whole)).toEqual(JSON.parse(JSON.stringify(value)));
		}),
	);
});
