import type {Abi, Address, Hex} from 'viem';
import {encodeDeployData, getContractAddress, keccak256, numberToHex, stringToBytes} from 'viem/utils';
import * as own from '../../contracts/artifacts.generated.ts';
import {type Places, TRADER, TRADER_V4} from './places.ts';
import type {ContractCall, Senders} from './senders.ts';

/** A coin that a token is traded for. */
export interface Quote {
	/** The zero address for the native coin in a pool of V4. */
	readonly address: Address;
	readonly symbol: string;
	readonly decimals: number;
}

/** What the people of a world do with their coins. */
export interface Hands {
	readonly places: Places;
	readonly wrapped: Quote;
	readonly native: Quote;
	/** Address of a person of that name. */
	person(name: string): Address;
	/** A call of a token, or of another contract whose ABI is given. */
	call(to: Address, name: string, args: readonly unknown[], abi?: Abi, value?: bigint): ContractCall;
	send(by: Address, call: ContractCall): Promise<Hex>;
	balanceOf(coin: Address, of: Address): Promise<bigint>;
	allow(coin: Address, spender: Address, by: Address): Promise<void>;
	/** Gives quote coins to a person and lets a router take them; the native coins that have to go with the call instead. */
	fund(quote: Quote, router: Address, by: Address, amount: bigint): Promise<bigint>;
	/** Calls the router of V2, V3 and curves. */
	trade(by: Address, name: string, args: readonly unknown[], value?: bigint): Promise<Hex>;
	/** Calls the router of V4. */
	tradeV4(by: Address, name: string, args: readonly unknown[], value?: bigint): Promise<Hex>;
	/** Another one each time. */
	salt(): Hex;
}

export const NATIVE: Address = '0x0000000000000000000000000000000000000000';
const MAX = 2n ** 256n - 1n;

export function createHands(places: Places, senders: Senders): Hands {
	let lastSalt = 0;
	const {dollar, zoraCoin, virtualCoin, stock} = places;
	const madeUp = [dollar.address, zoraCoin, virtualCoin, stock?.address];
	const hands: Hands = {
		places,
		wrapped: {address: places.wrapped, symbol: `W${places.coin}`, decimals: 18},
		native: {address: NATIVE, symbol: places.coin, decimals: 18},
		person: name => `0x${keccak256(stringToBytes(`person ${name}`)).slice(-40)}`,
		call: (to, name, args, abi = own.LaunchToken.abi, value = 0n) => ({to, abi, name, args, value}),
		send: (by, call) => senders.send(by, call),
		balanceOf: (coin, of) => senders.read<bigint>(hands.call(coin, 'balanceOf', [of])),
		async allow(coin, spender, by) {
			await senders.send(by, hands.call(coin, 'approve', [spender, MAX]));
		},
		async fund(quote, router, by, amount) {
			if (quote.address === places.wrapped || quote.address === NATIVE) return amount;
			// A token of the world prices another one: whoever pays with it has to have it.
			if (madeUp.includes(quote.address))
				await senders.send(by, hands.call(quote.address, 'mint', [by, amount], own.QuoteCoin.abi));
			await hands.allow(quote.address, router, by);
			return 0n;
		},
		trade: (by, name, args, value) => senders.send(by, hands.call(TRADER, name, args, own.Trader.abi, value)),
		tradeV4: (by, name, args, value) => senders.send(by, hands.call(TRADER_V4, name, args, own.TraderV4.abi, value)),
		salt: () => numberToHex(++lastSalt, {size: 32}),
	};
	return hands;
}

/** Where a contract comes to stand that another one makes with CREATE2. */
export function madeAt(
	maker: Address,
	salt: Hex,
	contract: {readonly abi: Abi; readonly init: Hex},
	args: readonly unknown[],
): Address {
	const bytecode = encodeDeployData({abi: contract.abi, bytecode: contract.init, args: [...args]});
	return getContractAddress({opcode: 'CREATE2', from: maker, salt, bytecode}).toLowerCase() as Address;
}
