import {encodeAbiParameters, encodeEventTopics, parseAbiItem} from 'viem/utils';
import type {Log} from '../../source/service/follow/evm/log.ts';
import type {Address, Hex} from '../../source/service/follow/evm/venue.ts';
import type {TransferLog} from '../../source/service/follow/evm/venue-reader.ts';

/**
 * A log as a chain would have it, encoded by viem: for decoders that read bytes themselves.
 * @param signature as in Solidity, with names: `event Sync(uint112 reserve0, uint112 reserve1)`
 * @param args by name
 */
export function builtLog(signature: string, args: Readonly<Record<string, unknown>>, where: Partial<Log> = {}): Log {
	const event = parseAbiItem(signature as 'event E(uint256 a)');
	const inputs = event.inputs as readonly {name: string; type: string; indexed?: boolean}[];
	const plain = inputs.filter(({indexed}) => indexed !== true);
	return {
		address: `0x${'a1'.repeat(20)}`,
		topics: encodeEventTopics({abi: [event], eventName: event.name, args: args as never}) as Hex[],
		data: encodeAbiParameters(
			plain,
			plain.map(({name}) => args[name]),
		).toLowerCase() as Hex,
		blockNumber: 100,
		blockHash: `0x${'b1'.repeat(32)}`,
		transactionHash: `0x${'c1'.repeat(32)}`,
		logIndex: 7,
		...where,
	};
}

/** A transfer of a token, as the followed chain's reader gives it. */
export function builtTransfer(transfer: {token: Address; from: Address; to: Address; amount: bigint}): TransferLog {
	const {token, from, to, amount} = transfer;
	const signature = 'event Transfer(address indexed from, address indexed to, uint256 value)';
	const log = builtLog(signature, {from, to, value: amount}, {address: token});
	return {kind: 'transfer', log, from, to, amount};
}
