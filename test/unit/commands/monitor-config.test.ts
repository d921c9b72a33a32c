import {expect, test} from 'vitest';
import {checkColumns} from '../../../source/commands/monitor-config.ts';
import type {Config} from '../../../source/config.ts';

const columns = (of: {filter?: string; sort?: string}) => {
	const none = {filter: undefined, sort: undefined};
	return {columns: {new: none, bonding: {...none, ...of}, bonded: none}} as unknown as Pick<Config, 'columns'>;
};

test('good filters and sorts pass', () => {
	expect(() => checkColumns(columns({filter: 'mcap>5k -kw:test', sort: 'volume_1h asc'}))).not.toThrow();
	expect(() => checkColumns(columns({}))).not.toThrow();
});

test('a filter with a mistake names the setting and the place', () => {
	expect(() => checkColumns(columns({filter: 'mcap>5k holders>x'}))).toThrow(
		expect.objectContaining({
			message: "columns.bonding.filter can't be read",
			why: expect.stringMatching(/^at character 17: .*x/),
		}),
	);
});

test.each(['nonsense', 'symbol', 'volume_1h sideways', 'volume_1h desc desc'])('the sort %s is refused', sort => {
	expect(() => checkColumns(columns({sort}))).toThrow(/columns\.bonding\.sort/);
});
