import type {Phase} from './fault-proxy.ts';

/** A kind of bad network or bad service that has a name. */
export interface Preset {
	/** What it is like, for people. */
	readonly help: string;
	readonly schedule: readonly Phase[];
}

const HOUR_MS = 3_600_000;

/** By name. */
export const PRESETS = {
	slow: {
		help: 'a far service on a thin line: half a second each way, 64 kB a second',
		schedule: [
			{
				forMs: 60_000,
				faults: [
					{kind: 'latency', ms: 400},
					{kind: 'jitter', ms: 200},
					{kind: 'drip', bytesPerSecond: 64_000},
				],
			},
		],
	},
	flaky: {
		help: 'a weak wireless line: uneven, cut every now and then, with a request refused here and there',
		schedule: [
			{
				forMs: 20_000,
				faults: [
					{kind: 'jitter', ms: 300},
					{kind: 'unavailable', part: 0.05},
					{kind: 'duplicate', part: 0.02},
				],
			},
			{
				forMs: 3_000,
				faults: [
					{kind: 'jitter', ms: 300},
					{kind: 'cut', withinMs: 2_000},
				],
			},
		],
	},
	train: {
		help: 'a phone on a train: good for a while, then slow, then a tunnel, after which old connections are dead',
		schedule: [
			{forMs: 25_000, faults: [{kind: 'jitter', ms: 120}]},
			{
				forMs: 8_000,
				faults: [
					{kind: 'latency', ms: 600},
					{kind: 'jitter', ms: 600},
					{kind: 'drip', bytesPerSecond: 12_000},
				],
			},
			{forMs: 4_000, faults: [{kind: 'stall'}]},
			{forMs: 6_000, faults: [{kind: 'half-open'}]},
		],
	},
	overload: {
		help: 'a service beyond its strength: 429 with Retry-After, 503, late answers, streams dropped',
		schedule: [
			{
				forMs: 15_000,
				faults: [
					{kind: 'latency', ms: 800},
					{kind: 'jitter', ms: 800},
					{kind: 'too-many-requests', part: 0.4, retryAfterS: 2},
					{kind: 'unavailable', part: 0.2},
				],
			},
			{
				forMs: 4_000,
				faults: [
					{kind: 'unavailable', part: 0.8},
					{kind: 'cut', withinMs: 3_000},
				],
			},
			{forMs: 15_000, faults: [{kind: 'latency', ms: 200}]},
		],
	},
	hostile: {
		help: 'a service gone wrong: garbage, frames doubled, exchanged and torn, and a clock an hour ahead',
		schedule: [
			{
				forMs: 15_000,
				faults: [
					{kind: 'garbage', part: 0.02},
					{kind: 'truncate', part: 0.01},
					{kind: 'duplicate', part: 0.1},
					{kind: 'reorder', part: 0.1},
				],
			},
			{
				forMs: 10_000,
				faults: [
					{kind: 'clock-jump', byMs: HOUR_MS},
					{kind: 'garbage', part: 0.02},
				],
			},
			{forMs: 15_000, faults: [{kind: 'reorder', part: 0.1}]},
		],
	},
} as const satisfies Readonly<Record<string, Preset>>;
