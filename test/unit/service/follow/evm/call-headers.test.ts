import {expect, test} from 'vitest';
import {callsLeft, retryAfterMs} from '../../../../../source/rpc/transport.ts';

const NOW_MS = Date.UTC(2026, 10, 26, 1, 2, 3);

test.each([
	['7', 7000],
	[' 1.5 ', 1500],
	[new Date(NOW_MS + 9000).toUTCString(), 9000],
	[new Date(NOW_MS - 9000).toUTCString(), 0],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
])('Retry-After: %s is %s ms', (header, ms) => {
	expect(retryAfterMs(header, NOW_MS)).toBe(ms);
});

test.each([
	[
		{'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '2'},
		{left: 3, forMs: 2000},
	],
	[
		{'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.25'},
		{left: 0, forMs: 250},
	],
	[
		{'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW_MS / 1000 + 5)},
		{left: 0, forMs: 5000},
	],
	[
		{'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW_MS + 5000)},
		{left: 0, forMs: 5000},
	],
	[
		{'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW_MS - 5000)},
		{left: 0, forMs: 0},
	],
	[{'x-ratelimit-remaining': '4'}, {left: 4, forMs: 1000}],
	[
		{'x-rate-limit-remaining': '4', 'x-rate-limit-reset': '1'},
		{left: 4, forMs: 1000},
	],
	[
		{'ratelimit-remaining': '4', 'ratelimit-reset': '1'},
		{left: 4, forMs: 1000},
	],
	[{'x-ratelimit-remaining-second': '9'}, {left: 9, forMs: 1000}],
	[{'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '1'}, undefined],
	[{'x-ratelimit-remaining': '-1'}, undefined],
	[{'x-ratelimit-limit': '50'}, undefined],
	[{'x-ratelimit-remaining': ['1', '2']}, undefined],
	[{}, undefined],
])('headers %j say how many calls are left', (headers, left) => {
	expect(callsLeft(headers, NOW_MS)).toEqual(left);
});
