import {describe, expect, test} from 'vitest';
import {ServiceRefused} from '../../source/client/http/service-errors.ts';
import {RemoteError} from '../../source/client/remote/remote-error.ts';
import {CORRECT_INPUT, explain} from '../../source/errors.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {lookUpToken} from '../../source/monitor/tokens/token-lookup.ts';
import {openRecording} from '../../source/service/replay/recording-file.ts';
import {notListening} from '../../source/service/server.ts';
import {BRIDGE_CHECKS} from '../../source/trading/bridge/checks.ts';
import {NotConfirmed} from '../../source/trading/bridge/flow-errors.ts';
import {CapExceeded} from '../../source/trading/caps.ts';
import {type Check, CheckFailed} from '../../source/trading/check.ts';
import {KeyFileExposed} from '../../source/trading/keystore.ts';
import {CANCEL_CHECKS} from '../../source/trading/perp/checks.ts';
import {PREDICTION_CHECKS} from '../../source/trading/prediction/checks.ts';
import {TRADE_CHECKS} from '../../source/trading/trade/checks.ts';

/*
 * "Correct the input and try again" is said where something was typed or given that is named as wrong. Any other failure
 * says what can be done about it.
 */

const adviceOf = (error: unknown): string => explain(error).advice;

describe('a refusal of the service', () => {
	test.each([
		[402, 'credits'],
		[401, 'PULSETOP_API_KEY'],
		[403, 'PULSETOP_API_KEY'],
		[404, 'Check the name or the address'],
		[413, 'less at once'],
		[301, 'address that the service has now'],
		[503, 'Wait a little'],
	])('%i says what to look at', (status, advice) => {
		expect(adviceOf(new ServiceRefused(status, ''))).toContain(advice);
		expect(adviceOf(new ServiceRefused(status, 'it said something'))).toContain(advice);
	});

	test('400 is about the input only where the service names what is wrong with it', () => {
		expect(adviceOf(new ServiceRefused(400, 'amount is over the limit of 5000'))).toBe(CORRECT_INPUT);
		expect(adviceOf(new ServiceRefused(400, ''))).not.toBe(CORRECT_INPUT);
	});

	test('the advice comes over from the thread that reads the feeds', () => {
		const error = explain(new ServiceRefused(401, ''));
		expect(explain(new RemoteError(error))).toEqual(error);
	});
});

test('an unknown token is not reported as a typing mistake', async () => {
	const state = initialState({
		size: {columns: 80, rows: 24},
		nowMs: 0,
		service: {label: 'a', embedded: false},
		theme: 'dark',
	});
	const client = {fetchToken: async () => undefined} as never;
	const address = `0x${'a'.repeat(40)}`;
	const unknown = await lookUpToken(address, state, client).catch((error: unknown) => error);
	expect(adviceOf(unknown)).toMatch(/^Check the address and its chain/);
	expect(adviceOf(await lookUpToken('pepe', state, client).catch((error: unknown) => error))).toBe(CORRECT_INPUT);
});

test('a missing file, a port in use and an unknown host each say what to do next', async () => {
	expect(adviceOf(await openRecording('/nowhere/a.pulse').catch((error: unknown) => error))).toContain(
		'pulsetop record',
	);
	const listening = (code: string) => adviceOf(notListening(Object.assign(new Error(code), {code}), 4010));
	expect(listening('EADDRINUSE')).toContain('--port');
	expect(listening('EACCES')).toContain('--port');
	expect(listening('EADDRNOTAVAIL')).toContain('--host');
});

test('every check that another quote would not pass says what to do', () => {
	const checks = [...BRIDGE_CHECKS, ...TRADE_CHECKS, ...CANCEL_CHECKS, ...PREDICTION_CHECKS] as readonly Check<never>[];
	const own = checks.filter(({next}) => next === 'fix-input');
	expect(own.length).toBeGreaterThan(5);
	for (const {name, title, next} of own)
		expect(adviceOf(new CheckFailed(name, title, 'why', next)), name).not.toBe(CORRECT_INPUT);
});

test('limits, open key files and confirmations say what to do next', () => {
	expect(adviceOf(new CapExceeded('5 is more than 1'))).toContain('pulsetop wallet limits');
	expect(adviceOf(new KeyFileExposed('main'))).toContain('chmod 600');
	expect(adviceOf(new NotConfirmed('12.5'))).toBe('Start again and type exactly that.');
});
