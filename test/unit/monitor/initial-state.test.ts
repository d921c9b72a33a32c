import {expect, test} from 'vitest';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {viewRequest} from '../../../source/monitor/session.ts';

const begin = (filter?: string) =>
	initialState({
		size: {columns: 120, rows: 40},
		nowMs: 0,
		theme: 'dark',
		service: {label: 'test', embedded: true},
		columns: {new: {sortBy: 'volume_1h', sortOrder: 'asc', limit: 7, chains: ['evm:8453'], ...(filter && {filter})}},
	}).columns;

test('a column requests what its configuration says, and every chain by default', () => {
	const {new: configured, bonded} = begin('mcap>5k');
	expect(viewRequest(configured)).toEqual({
		model: 'new',
		sortBy: 'volume_1h',
		sortOrder: 'asc',
		limit: 7,
		chainId: ['evm:8453'],
		filters: {market_cap: {gt: 5000}},
	});
	expect(viewRequest(bonded)).not.toHaveProperty('chainId');
});

test('a chain in the filter comes before the configured ones', () => {
	expect(viewRequest(begin('chain:solana').new)).toMatchObject({chainId: ['solana:solana']});
});
