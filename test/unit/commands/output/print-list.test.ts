import {expect, test} from 'vitest';
import {membersCsv} from '../../../../source/commands/output/print-list.ts';

test('columns of members are named in snake case and hold their values', () => {
	const columns = membersCsv<{chainId: string; sizeUSD: number; atMs?: number}>('chainId', 'sizeUSD', 'atMs');
	expect(Object.keys(columns)).toEqual(['chain_id', 'size_usd', 'at_ms']);
	expect(Object.values(columns).map(value => value({chainId: 'evm:1', sizeUSD: 2}))).toEqual(['evm:1', 2, undefined]);
});
