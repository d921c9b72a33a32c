import {expect, test} from 'vitest';
import type {ServiceFacts} from '../../../source/client/http/health.ts';
import {marketFindings} from '../../../source/commands/doctor/service.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {watchMarketKind} from '../../../source/monitor/market-kind.ts';
import type {Link, MonitorState} from '../../../source/monitor/state.ts';
import {createStore} from '../../../source/store.ts';

function open() {
	const store = createStore<MonitorState>(
		initialState({size: {columns: 80, rows: 24}, nowMs: 0, service: {label: 'host', embedded: false}, theme: 'dark'}),
	);
	let asked = 0;
	let response: () => Promise<ServiceFacts> = async () => ({market: 'simulated'});
	const stop = watchMarketKind(store, {
		facts: () => {
			asked++;
			return response();
		},
	});
	const link = (phase: Link['phase']) => store.apply(state => ({...state, link: {...state.link, phase} as Link}));
	return {store, link, stop, asked: () => asked, answers: (next: typeof response) => (response = next)};
}

test('a service that reports a simulated market is marked from then on, and requested once a connection', async () => {
	const {store, link, stop, asked} = open();
	expect(asked()).toBe(0);
	link('live');
	await expect.poll(() => store.get().service.market).toBe('simulated');
	link('live');
	expect(asked()).toBe(1);
	// Its label stays.
	expect(store.get().service).toEqual({label: 'host', embedded: false, market: 'simulated'});
	stop();
});

test('another service at the same address removes the mark when it reports nothing, and keeps it when it is unreachable', async () => {
	const {store, link, answers, asked, stop} = open();
	link('live');
	await expect.poll(() => store.get().service.market).toBe('simulated');
	link('reconnecting');
	answers(() => Promise.reject(new Error('cut')));
	link('live');
	await expect.poll(asked).toBe(2);
	expect(store.get().service.market).toBe('simulated');
	link('offline');
	answers(async () => ({}));
	link('polling');
	await expect.poll(() => store.get().service.market).toBeUndefined();
	stop();
});

test('the doctor says that a market is invented, and nothing about one that says nothing', () => {
	expect(marketFindings('simulated')).toEqual([
		{
			subject: 'service',
			state: 'note',
			text: 'The service says that its market is simulated: every token is invented.',
		},
	]);
	expect(marketFindings(undefined)).toEqual([]);
});
