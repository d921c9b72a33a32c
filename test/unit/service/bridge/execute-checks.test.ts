import {expect, test} from 'vitest';
import {BRIDGE} from '../../../../source/contract/bridge.ts';
import {batchNonce} from '../../../../source/contract/typed-data.ts';
import {checkBatch} from '../../../../source/service/bridge/execute-checks.ts';

const NOW_MS = 1_800_000_000_500;
const INTENT = {intentId: 'a1'} as Parameters<typeof checkBatch>[0];
const CALL = {to: '0x1', value: '0', data: '0x'};
const body = (given: {calls?: number; deadline?: number; lane?: string; sequence?: number}) =>
	({
		calls: Array(given.calls ?? 1).fill(CALL),
		deadline: String(given.deadline ?? 1_800_000_060),
		batchNonce: String(batchNonce(given.lane ?? 'a1') + BigInt(given.sequence ?? 0)),
	}) as unknown as Parameters<typeof checkBatch>[1];

test.each([
	[{calls: BRIDGE.maxCalls - 1}, undefined],
	[{calls: BRIDGE.maxCalls}, undefined],
	[{calls: BRIDGE.maxCalls + 1}, 'too-many-calls'],
	[{deadline: 1_800_000_001}, undefined],
	// The deadline is the start of its second.
	[{deadline: 1_800_000_000}, 'expired-deadline'],
	[{sequence: 1}, 'wrong-lane'],
	[{lane: 'a2'}, 'wrong-lane'],
])('a batch with %j ends with %s (spec 4.4)', (given, check) => {
	const act = () => checkBatch(INTENT, body(given), NOW_MS);
	if (check === undefined) expect(act).not.toThrow();
	else expect(act).toThrow(expect.objectContaining({check}));
});

test('a deadline is over at the start of its second, to the millisecond', () => {
	const at = (nowMs: number) => () => checkBatch(INTENT, body({deadline: 1_800_000_000}), nowMs);
	expect(at(1_799_999_999_999)).not.toThrow();
	expect(at(1_800_000_000_000)).toThrow(expect.objectContaining({check: 'expired-deadline'}));
});
