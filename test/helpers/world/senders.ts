import type {Abi, Address, Hex} from 'viem';
import {decodeFunctionResult, encodeFunctionData} from 'viem';
import {hexToNumber, numberToHex} from 'viem/utils';
import type {RpcCall} from '../../../source/rpc/json-rpc.ts';
import type {WorldNode} from './node.ts';
import {contractsOf, type Places} from './places.ts';

/** A transaction was mined and had no effect: the contracts did not allow it. */
export class TransactionReverted extends Error {}

/** A call of a contract. */
export interface ContractCall {
	readonly to: Address;
	readonly abi: Abi;
	readonly name: string;
	readonly args: readonly unknown[];
	/** Native coins that go with it. */
	readonly value?: bigint;
}

const RICH = numberToHex(10n ** 30n);
const GAS = numberToHex(30_000_000);
const BUILDER: Address = '0xb011de7b011de7b011de7b011de7b011de7b011d';

/** Sends transactions for any address, and mines blocks when it is told to. */
export interface Senders {
	/** Puts a transaction into the next block. */
	send(from: Address, call: ContractCall): Promise<Hex>;
	/** What a call answers at a block; default the newest one. */
	read<T>(call: ContractCall, block?: number): Promise<T>;
	/** Mines the next block. @throws Error when one of its transactions failed, unless they may */
	mine(timeS: number): Promise<MinedBlock>;
	head(): Promise<MinedBlock>;
}

export interface MinedBlock {
	readonly number: number;
	readonly timeS: number;
	readonly hash: Hex;
}

export function createSenders({rpc}: WorldNode): Senders {
	let waiting: {hash: Hex; name: string}[] = [];
	const headOf = async (): Promise<MinedBlock> => {
		const block = await rpc.call<{number: Hex; timestamp: Hex; hash: Hex}>('eth_getBlockByNumber', ['latest', false]);
		return {number: hexToNumber(block.number), timeS: hexToNumber(block.timestamp), hash: block.hash};
	};
	return {
		async send(from, {to, abi, name, args, value = 0n}) {
			const data = encodeFunctionData({abi, functionName: name, args: [...args]});
			const [, hash] = await rpc.batch([
				{method: 'anvil_setBalance', params: [from, RICH]},
				{
					method: 'eth_sendTransaction',
					params: [{from, to, data, value: numberToHex(value), gas: GAS, gasPrice: '0x0'}],
				},
			]);
			waiting.push({hash: hash as Hex, name});
			return hash as Hex;
		},
		async read<T>({to, abi, name, args}: ContractCall, block?: number) {
			const data = encodeFunctionData({abi, functionName: name, args: [...args]});
			const at = block === undefined ? 'latest' : numberToHex(block);
			const result = await rpc.call<Hex>('eth_call', [{to, data}, at]);
			return decodeFunctionResult({abi, functionName: name, data: result}) as T;
		},
		async mine(timeS) {
			const sent = waiting;
			waiting = [];
			await rpc.call('evm_setNextBlockTimestamp', [timeS]);
			await rpc.call('evm_mine');
			const receipts = await rpc.batch(sent.map(({hash}) => ({method: 'eth_getTransactionReceipt', params: [hash]})));
			for (const [i, receipt] of receipts.entries()) {
				if ((receipt as {status: Hex} | null)?.status !== '0x1')
					throw new TransactionReverted(`${sent[i]?.name} failed in its block`);
			}
			return headOf();
		},
		head: headOf,
	};
}

/** Puts the contracts of a chain at their addresses, each made by its own constructor there. */
export async function placeContracts({rpc}: WorldNode, places: Places): Promise<void> {
	const contracts = contractsOf(places);
	const forEach = (make: (contract: (typeof contracts)[number]) => RpcCall) => rpc.batch(contracts.map(make));
	await rpc.call('anvil_setBalance', [BUILDER, RICH]);
	await forEach(({address, init}) => ({method: 'anvil_setCode', params: [address, init]}));
	const codes = await forEach(({address}) => ({
		method: 'eth_call',
		params: [{from: BUILDER, to: address, gas: GAS}, 'latest'],
	}));
	await forEach(({address}) => ({
		method: 'eth_sendTransaction',
		params: [{from: BUILDER, to: address, gas: GAS, gasPrice: '0x0'}],
	}));
	await rpc.call('evm_mine');
	await rpc.batch(contracts.map(({address}, i) => ({method: 'anvil_setCode', params: [address, codes[i] as Hex]})));
	await rpc.call('evm_mine');
}
