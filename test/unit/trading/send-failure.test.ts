import {expect, test} from 'vitest';
import {
	InvalidResponse,
	RateLimited,
	ServiceRefused,
	ServiceTimeout,
	ServiceUnreachable,
} from '../../../source/client/http/service-errors.ts';
import {sendFailureOf} from '../../../source/trading/send-failure.ts';

test.each([
	['no connection was made', new ServiceUnreachable('nothing listens', {sent: 'no'}), {kind: 'not-sent'}],
	['a connection was cut', new ServiceUnreachable('the connection was cut', {sent: 'maybe'}), {kind: 'no-answer'}],
	['a connection was lost, no more is known', new ServiceUnreachable('it was lost'), {kind: 'no-answer'}],
	['no answer came in time', new ServiceTimeout('within 45 s'), {kind: 'no-answer'}],
	['an answer that is no JSON', new InvalidResponse('it is not JSON'), {kind: 'no-answer'}],
	['a fault of the program', new TypeError('undefined'), {kind: 'no-answer', said: 'an internal failure'}],
	['a refusal', new ServiceRefused(409, 'used already'), {kind: 'refused', status: 409, said: 'used already'}],
	['too many requests', new RateLimited(2000), {kind: 'refused', status: 429}],
])('after a POST is certainly unsent only what never had a connection: %s', (_, error, failure) => {
	expect(sendFailureOf(error)).toMatchObject(failure);
});
