import {expect, test} from 'vitest';
import {checksText} from '../../../../source/commands/trading/output.ts';

const pinned = {name: 'executor', title: 'executor is known', ok: false, detail: 'new on this chain'};
const good = {name: 'lane', title: 'lane is that of the intent', ok: true, detail: 'it is'};
const bad = {name: 'amount', title: 'amount is as typed', ok: false, detail: '2, not 1'};

test('a contract met for the first time is to be accepted, and no failure', () => {
	const text = checksText({checks: [good, pinned], toAccept: [{}]}, {ascii: false});
	expect(text).toMatch(/2 CHECKS +1 TO BE ACCEPTED/);
	expect(text).toMatch(/executor is known +! TO BE ACCEPTED +new on this chain/);
	expect(text).not.toContain('FAILED');
	expect(checksText({checks: [good, pinned], toAccept: [{}]}, {ascii: true})).not.toContain('!');
});

test('a failed check is a failure, even when contracts are to be accepted', () => {
	const text = checksText({checks: [bad, pinned], toAccept: [{}]}, {ascii: false});
	expect(text).toMatch(/2 CHECKS +2 FAILED/);
	expect(text).toMatch(/amount is as typed +✗ FAILED/);
	expect(checksText({checks: [good], toAccept: []}, {ascii: true})).toMatch(/1 CHECKS +ALL PASSED/);
});

test('what passes only by a typed figure is not shown as passed', () => {
	const typed = {name: 'impact', title: 'impact on the price', ok: true, detail: '12 %', acknowledge: '12'};
	const text = checksText({checks: [good, typed], toAccept: []}, {ascii: false});
	expect(text).toMatch(/2 CHECKS +1 TO BE TYPED/);
	expect(text).toMatch(/impact on the price +! TO BE TYPED +12 %/);
});
