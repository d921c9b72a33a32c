import {decodeBase58} from '../../source/service/follow/solana/base58.ts';
import type {Kind, Layout, Read} from '../../source/service/follow/solana/borsh.ts';

/** Values of a layout's fields; fields that are left out are zeros. Of a list, how many entries it has. */
export type Written<L extends Layout> = Read<L>;

/** Bytes of a layout, as a program writes them: the counterpart of `decode`. */
export function encodeBorsh<const L extends Layout>(layout: L, values: Written<L>): Buffer {
	return Buffer.concat(layout.map(([name, kind]) => encodeField(kind, (values as Record<string, unknown>)[name])));
}

/** An event as a program logs it: eight bytes that name it, then its fields. */
export function encodeEvent<const L extends Layout>(mark: string, layout: L, values: Written<L>): Buffer {
	return Buffer.concat([Buffer.from(mark, 'hex'), encodeBorsh(layout, values)]);
}

function encodeField(kind: Kind, value: unknown): Buffer {
	if (typeof kind === 'object') {
		const count = (value as number | undefined) ?? 0;
		const size = kind.list.reduce((sum, part) => sum + encodeField(part, undefined).length, 0);
		return Buffer.concat([integer(4, BigInt(count)), Buffer.alloc(count * size)]);
	}
	switch (kind) {
		case 'u8':
			return integer(1, value);
		case 'u16':
			return integer(2, value);
		case 'u64':
		case 'i64':
			return integer(8, value);
		case 'i128':
			return integer(16, value);
		case 'bool':
			return integer(1, value === true ? 1 : 0);
		case 'pubkey':
			return value === undefined ? Buffer.alloc(32) : Buffer.from(decodeBase58(value as string)!);
		case 'string': {
			const text = Buffer.from((value as string | undefined) ?? '');
			return Buffer.concat([integer(4, text.length), text]);
		}
	}
}

function integer(size: number, value: unknown): Buffer {
	const bytes = Buffer.alloc(size);
	let rest = BigInt.asUintN(size * 8, BigInt((value as number | bigint | undefined) ?? 0));
	for (let at = 0; at < size; at++, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
	return bytes;
}
