import {expect, test} from 'vitest';
import {exitCodeOf as transferCode} from '../../../source/commands/bridge/execute.ts';
import {exitCodeOf as cancelCode} from '../../../source/commands/perp/cancel.ts';
import type {BridgeState} from '../../../source/trading/bridge/machine.ts';
import type {CancelState} from '../../../source/trading/perp/machine.ts';

/* Exit codes: 0 done, 1 failed, 4 not certain yet, 69 the service is not available (commands/process/exit-code.ts). */

test.each<[CancelState['phase'], number]>([
	['done', 0],
	['failed', 1],
	['refused', 1],
	['choosing', 1],
	['built', 1],
	['sending', 4],
	['running', 4],
	['claimed', 4],
	['unaccepted', 4],
	['unclear', 4],
])('a cancel that is %s ends with %i', (phase, code) => {
	expect(cancelCode({phase})).toBe(code);
});

test.each<[Partial<BridgeState> & Pick<BridgeState, 'phase'>, number, number]>([
	[{phase: 'filled'}, 0, 0],
	[{phase: 'settled'}, 0, 0],
	[{phase: 'filled', isShort: true}, 1, 1],
	[{phase: 'settled', isShort: true}, 1, 1],
	[{phase: 'refunded'}, 1, 1],
	[{phase: 'failed'}, 1, 1],
	[{phase: 'claimed'}, 4, 4],
	[{phase: 'pending'}, 4, 0],
	[{phase: 'filling'}, 4, 0],
	[{phase: 'unclear'}, 4, 4],
	[{phase: 'unaccepted'}, 4, 4],
	[{phase: 'retryable', liveUntilS: 5}, 4, 4],
	[{phase: 'retryable'}, 69, 69],
	[{phase: 'lapsed', status: 429}, 69, 69],
	[{phase: 'lapsed', status: 503}, 69, 69],
	[{phase: 'lapsed', status: 400}, 1, 1],
])('a transfer that is %o ends with %i, and with %i where it need not be watched', (state, watched, sent) => {
	const whole = {attempts: 1, intentId: 'i', ...state} as BridgeState;
	expect([false, true].map(mayBeOpen => transferCode(whole, {mayBeOpen}))).toEqual([watched, sent]);
});
