import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import type {Journal, JournalRecord} from '../../../source/trading/journal.ts';
import {JOURNAL_LABELS, recordDetail, recordLabel} from '../../../source/trading/journal-labels.ts';
import {logLines} from '../../../source/ui/features/action-log/log-lines.ts';

const SUBJECTS = new Set(Object.keys(JOURNAL_LABELS).map(kind => kind.split('.', 1)[0]));
/** `bridge.status`, in quotes. A kind of another subject does not compile. */
const KIND = new RegExp(`(?<=')(?:${[...SUBJECTS].join('|')})\\.[a-z]+(?=')`, 'g');

/** The kinds that the source writes or reads, as far as they stand there as text. */
const written = new Set(
	['trading', 'commands']
		.flatMap(room => globSync(`source/${room}/**/*.ts`))
		// The template has paths of settings, such as wallet.tokens.
		.filter(path => !path.endsWith('journal-labels.ts') && !path.endsWith('config/template.ts'))
		.flatMap(path => readFileSync(path, 'utf8').match(KIND) ?? []),
);

test('every kind of record in the source has a label, and every label a kind in the source', () => {
	expect(written.size).toBeGreaterThan(15);
	// The signer puts these together: `wallet.${status}`.
	const all = new Set([...written, 'wallet.locked', 'wallet.killed']);
	expect([...all].toSorted()).toEqual(Object.keys(JOURNAL_LABELS).toSorted());
});

test('the label of a kind is plain, unique, and shown in the action log', () => {
	const words = Object.values(JOURNAL_LABELS);
	expect(new Set(words).size).toBe(words.length);
	for (const [kind, text] of Object.entries(JOURNAL_LABELS)) {
		expect(text).toMatch(/^[A-Z][a-z]+( [a-z]+)?: [a-z]+[a-z, ]*$/);
		expect(recordLabel(kind)).toBe(text);
		const record: JournalRecord = {seq: 1, atMs: 0, kind, id: 'id', data: {}, prev: '', hash: ''};
		expect(logLines([record])[0]?.what).toBe(text);
	}
});

test('a kind of another version is shown as it is, without what acts on a terminal', () => {
	expect(recordLabel('bridge.invented')).toBe('bridge.invented');
	expect(recordLabel('toString')).toBe('toString');
	expect(recordLabel('x\u001b[31my')).not.toContain('\u001b');
});

test('a kind without a label does not compile', () => {
	const write = (journal: Journal) => {
		// @ts-expect-error: it is not in the table
		journal.append('bridge.forgotten', 'id', {});
	};
	expect(write).toBeTypeOf('function');
});

const USDC = {amountRaw: '12500000', decimals: 6, symbol: 'USDC'};

test.each([
	[
		'12.5 USDC, from Base, to Arbitrum, for 0xab',
		{...USDC, originChainId: 'evm:8453', destinationChainId: 'evm:42161', recipient: '0xab', digest: '0x12'},
	],
	['buy PEPE, 12.5 USDC', {...USDC, trade: {side: 'buy', symbol: 'PEPE', token: '0x6'}}],
	['arrived 24640, filled', {phase: 'filled', arrivedRaw: '2464000', arrivedDecimals: 2}],
	['came back 24.5, refunded', {phase: 'refunded', returnedRaw: '24500000', returnedDecimals: 6}],
	['12.5 USDC', {...USDC, trade: 'buy', arrivedRaw: '12'}],
	['filled, deposit 0x1, fill 0x2', {phase: 'filled', depositTxHash: '0x1', fillTxHash: '0x2', readAtMs: 1}],
	['per transaction 10, per day 50', {perTransaction: '10', perDay: '50'}],
	['the command ended', {why: 'the command ended'}],
	['amount 7 raw', {amountRaw: '7'}],
	['', {quoted: {quote: {}}}],
])('the data of a record reads as %j, without names of members', (text, data) => {
	expect(recordDetail({data})).toBe(text);
});

test('an address that stands beside the detail is left out', () => {
	expect(recordDetail({data: {role: 'bridge', address: '0xAB'}}, '0xab')).toBe('bridge');
});
