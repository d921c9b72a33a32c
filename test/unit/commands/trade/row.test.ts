import {describe, expect, test} from 'vitest';
import type {Client} from '../../../../source/client/client.ts';
import {openRow, tokenOperand} from '../../../../source/commands/trade/row.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {entryOf} from '../../../helpers/entries.ts';

const ADDRESS = '0x00000000000000000000000000000000000000A1';
const PLACE = {chainId: 'evm:8453', address: ADDRESS, side: 'buy'} as const;

interface Answers {
	readonly token: Entry | undefined;
	readonly page?: readonly Entry[] | 'refused';
}

function clientOf({token, page = []}: Answers) {
	const asked: unknown[] = [];
	const client = {
		clock: {nowMs: () => 5000},
		fetchToken: async () => token,
		fetchPage: async (query: unknown) => {
			asked.push(query);
			if (page === 'refused') throw new Error('refused');
			return {entries: page};
		},
	} as unknown as Pick<Client, 'fetchToken' | 'fetchPage' | 'clock'>;
	return {client, asked};
}

const token = (fields: Partial<Entry> = {}, address = ADDRESS, chainId = 'evm:8453') =>
	entryOf(address, {symbol: 'PEPE', ...fields}, chainId);

describe('the token of a trade', () => {
	test.each([
		['an answer of another chain', token({}, ADDRESS, 'evm:56')],
		['an answer of another address', token({}, '0x00000000000000000000000000000000000000a2')],
		['no answer', undefined],
	])('%s is a token that is not known', async (_what, answer) => {
		const {client} = clientOf({token: answer});
		await expect(openRow(client, PLACE)).rejects.toMatchObject({code: 'token-unknown', why: `${ADDRESS} on evm:8453`});
	});

	test('its address counts in any letter case, and it is read again as it is then', async () => {
		const answers = {token: token({}, ADDRESS.toLowerCase()) as Entry | undefined};
		const {client} = clientOf(answers);
		const fetched = {...client, fetchToken: async () => answers.token};
		const {target, now} = await openRow(fetched as typeof client, PLACE);
		expect(target).toMatchObject({side: 'buy', symbol: 'PEPE', chainId: 'evm:8453', atMs: 5000});
		answers.token = token({symbol: 'NEW'});
		expect(await now()).toMatchObject({symbol: 'NEW'});
		answers.token = undefined;
		expect(await now()).toBeUndefined();
	});

	test.each([
		[true, ['spam, says the service']],
		[false, []],
		[undefined, []],
	])('with spam %s its marks are %j', async (is_spam, marks) => {
		const {client} = clientOf({token: token(is_spam === undefined ? {} : {is_spam})});
		expect((await openRow(client, PLACE)).target.marks).toEqual(marks);
	});

	test('it is compared with the largest of those with its symbol; without a symbol nothing is asked', async () => {
		const larger = token({market_cap: 9e6, created_at: 1}, '0x00000000000000000000000000000000000000b1');
		const {client, asked} = clientOf({token: token({market_cap: 1e6, created_at: 2}), page: [larger]});
		expect((await openRow(client, PLACE)).target.lookAlike).toBe('warn');
		expect(asked).toEqual([
			{filters: {includeKeywords: ['PEPE']}, limit: 100, sortBy: 'market_cap', sortOrder: 'desc'},
		]);
		const nameless = clientOf({token: token({symbol: undefined} as never)});
		expect((await openRow(nameless.client, PLACE)).target.lookAlike).toBeUndefined();
		expect(nameless.asked).toEqual([]);
	});

	test('an older token of its name that is not larger is no warning, and without an answer its own letters count', async () => {
		const older = token({market_cap: 1e6, created_at: 1}, '0x00000000000000000000000000000000000000b1');
		const {client} = clientOf({token: token({market_cap: 1e6, created_at: 2}), page: [older]});
		expect((await openRow(client, PLACE)).target.lookAlike).toBeUndefined();
		const disguised = clientOf({token: token({symbol: 'USD\u0421'}), page: 'refused'});
		expect((await openRow(disguised.client, PLACE)).target.lookAlike).toBe('bad');
	});
});

test('a token of a trade is named by its address, on an EVM chain; elsewhere any text is an address', () => {
	expect(tokenOperand([`base:${ADDRESS}`])).toEqual({chainId: 'evm:8453', address: ADDRESS});
	expect(() => tokenOperand(['base:PEPE'])).toThrow('not named by its address');
	expect(() => tokenOperand([])).toThrow('CHAIN:ADDRESS');
});
