import {describe, expect, test} from 'vitest';
import {readLogs} from '../../../../../source/service/follow/solana/invoke-stack.ts';
import {logVector} from './vectors.ts';

const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
const SWAP = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';
const OTHER = 'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG';
const WANTED = new Set([PUMP, SWAP]);

describe('logs of a transaction', () => {
	test('give an event to the program that wrote it, behind routers too', () => {
		const {events} = readLogs(logVector('sell 2025-06 behind a router').lines, WANTED);
		expect(events.map(event => event.program)).toEqual([PUMP]);
	});

	test('give the event of a pool that another program opened to the program of the pool', () => {
		const {events, instructions} = readLogs(logVector('migration 2026-10-06').lines, WANTED);
		expect(events.map(event => event.program)).toEqual([SWAP, SWAP, PUMP]);
		expect(instructions.map(({name}) => name)).toEqual(['MigrateV2', 'CreatePool', 'InitBoost']);
	});

	test.each(['Moonshot buy, same first eight bytes as pump.fun', 'CBMM buy, same first eight bytes as PumpSwap'])(
		'leave out what another program wrote: %s',
		name => {
			const read = readLogs(logVector(name).lines, WANTED);
			expect(read).toEqual({events: [], instructions: [], isCut: false, isBroken: false});
		},
	);

	test('count an event once, though the program calls itself with it as well', () => {
		expect(readLogs(logVector('create, buy, complete 2026-10-06').lines, WANTED).events).toHaveLength(3);
	});

	test('do not believe text of a program that looks like a call', () => {
		const lines = [
			`Program ${OTHER} invoke [1]`,
			`Program log: Program ${PUMP} invoke [2]`,
			'Program data: AAAA',
			`Program log: Program ${PUMP} success`,
			`Program ${OTHER} success`,
		];
		expect(readLogs(lines, WANTED)).toMatchObject({events: [], isBroken: false});
	});

	test('say that they were cut, and keep what stands before', () => {
		const lines = [`Program ${PUMP} invoke [1]`, 'Program data: AAAA', 'Log truncated'];
		expect(readLogs(lines, WANTED)).toMatchObject({events: [{program: PUMP, data: 'AAAA'}], isCut: true});
	});

	test.each([
		['an end without a beginning', [`Program ${PUMP} success`]],
		['an end of another program', [`Program ${PUMP} invoke [1]`, `Program ${OTHER} success`]],
		['a call that is too deep', [`Program ${PUMP} invoke [2]`]],
		['a beginning without an end', [`Program ${PUMP} invoke [1]`, 'Program data: AAAA']],
		['an event of nobody', ['Program data: AAAA']],
	])('say that they contradict each other: %s', (_what, lines) => {
		expect(readLogs(lines, WANTED).isBroken).toBe(true);
	});

	test('read past lines that are no calls', () => {
		const lines = [
			`Program ${PUMP} invoke [1]`,
			'Program consumption: 193850 units remaining',
			`Program return: ${PUMP} AAAA`,
			'Program log: invoke [9]',
			`Program ${PUMP} consumed 5 of 9 compute units`,
			'Transfer: insufficient lamports 1, need 2',
			`Program ${PUMP} success`,
		];
		expect(readLogs(lines, WANTED)).toMatchObject({isBroken: false});
	});
});
