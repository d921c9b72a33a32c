import {describe, expect, test} from 'vitest';
import {DecodeFailed, decode, type Kind, type Layout} from '../../../../../source/service/follow/solana/borsh.ts';
import {encodeBorsh} from '../../../../helpers/borsh-writer.ts';
import {fc} from '../../../../helpers/properties.ts';

const LAYOUT = [
	['name', 'string'],
	['mint', 'pubkey'],
	['amount', 'u64'],
	['isBuy', 'bool'],
	['virtual', 'i128'],
	['shares', {list: ['pubkey', 'u16']}],
	['last', 'u16'],
] as const satisfies Layout;
const MINT = '3LTw6bdk4VnMM45i5aqo82ibT21f9n8vMP8W26A4wRGi';
const VALUES = {name: 'Pepe', mint: MINT, amount: 7n, isBuy: true, virtual: -5n, shares: 2, last: 9};

describe('borsh', () => {
	test('reads what the writer wrote, negative numbers and lists too', () => {
		expect(decode('it', LAYOUT, 'last', encodeBorsh(LAYOUT, VALUES))).toEqual({fields: VALUES, extra: 0});
	});

	test('reads an older event, which ends earlier', () => {
		const bytes = encodeBorsh(LAYOUT.slice(0, 3), VALUES);
		const {fields} = decode('it', LAYOUT, 'amount', bytes);
		expect(fields).toEqual({name: 'Pepe', mint: MINT, amount: 7n});
		expect(fields.last).toBeUndefined();
	});

	test('counts the bytes of fields that are newer than the table', () => {
		const bytes = Buffer.concat([encodeBorsh(LAYOUT, VALUES), Buffer.alloc(8)]);
		expect(decode('it', LAYOUT, 'last', bytes).extra).toBe(8);
	});

	test('refuses what ends before a needed field, or inside one', () => {
		const bytes = encodeBorsh(LAYOUT, VALUES);
		expect(() => decode('it', LAYOUT, 'last', bytes.subarray(0, bytes.length - 2))).toThrow(DecodeFailed);
		expect(() => decode('it', LAYOUT, 'mint', bytes.subarray(0, 20))).toThrow(DecodeFailed);
	});

	test('refuses a length that reaches over the end, and a flag that is no flag', () => {
		const endless = Buffer.from('ffffffff41', 'hex');
		expect(() => decode('it', LAYOUT, 'name', endless)).toThrow(DecodeFailed);
		const flag = [['flag', 'bool']] as const satisfies Layout;
		expect(() => decode('it', flag, 'flag', Uint8Array.of(2))).toThrow(DecodeFailed);
	});

	test('cuts texts of strangers, and reads bytes that are no text', () => {
		const layout = [['name', 'string']] as const satisfies Layout;
		const long = encodeBorsh(layout, {name: 'x'.repeat(5000)});
		expect(decode('it', layout, 'name', long).fields.name).toHaveLength(256);
		expect(decode('it', layout, 'name', Buffer.from('01000000ff', 'hex')).fields.name).toBe('\uFFFD');
	});

	test('any bytes are read or refused', () => {
		const kinds: Kind[] = ['u8', 'u16', 'u64', 'i64', 'i128', 'bool', 'pubkey', 'string', {list: ['pubkey', 'u16']}];
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(...kinds), {minLength: 1, maxLength: 8}),
				fc.uint8Array({maxLength: 400}),
				(layoutKinds, bytes) => {
					const layout = layoutKinds.map((kind, index) => [`f${index}`, kind] as const);
					try {
						expect(decode('it', layout, 'f0', bytes).extra).toBeGreaterThanOrEqual(0);
					} catch (error) {
						expect(error).toBeInstanceOf(DecodeFailed);
					}
				},
			),
		);
	});
});
