import {afterAll, beforeAll, expect, test} from 'vitest';
import {entrySchema} from '../../source/contract/entry-schema.ts';
import {type Entry, openTarget, type Target, until} from './target.ts';

/* Every row that a service has, in both modes, against the schema that /openapi.json publishes (spec 2.1). */

const PAGE = 100;

let target: Target;

beforeAll(async () => {
	target = await openTarget();
	await until(
		() => target.count({}),
		count => count > 1000,
	);
});
afterAll(() => target.close());

/** The last one keeps every token, or every pool. */
const VIEWS = [{model: 'new'}, {model: 'bonding'}, {model: 'bonded'}, {sortBy: 'market_cap'}] as const;

/** All rows of a view, page by page. */
async function allRows(view: Record<string, unknown>, body: Record<string, unknown>): Promise<Entry[]> {
	const rows: Entry[] = [];
	for (;;) {
		const page = await target.view({...view, limit: PAGE, offset: rows.length}, body);
		rows.push(...page);
		if (page.length < PAGE) return rows;
	}
}

const describeRow = (entry: Entry) => `${entry['address'] ?? entry['pair']?.token0?.address}`;

test.for([
	{mode: 'asset', body: {assetMode: true, excludeLPTokens: false}},
	{mode: 'pool', body: {assetMode: false, excludeDuplicates: false}},
] as const)('every row of every view is what the schema of $mode mode says', async ({mode, body}) => {
	const schema = entrySchema(mode);
	const wrong = new Map<string, string>();
	for (const view of VIEWS) {
		const rows = await allRows(view, body);
		expect(rows.length, JSON.stringify(view)).toBeGreaterThan(0);
		for (const entry of rows) {
			const {error} = schema.safeParse(entry);
			for (const {path, message} of error?.issues ?? [])
				wrong.set(path.join('.'), `${message} (${describeRow(entry)})`);
		}
	}
	expect(Object.fromEntries(wrong)).toEqual({});
});
