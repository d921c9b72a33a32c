import {type Abi, parseAbi} from 'viem';

/** What is read of Uniswap V2. */
export const V2_ABI: Abi = parseAbi([
	'function getPair(address, address) view returns (address)',
	'function getReserves() view returns (uint112, uint112, uint32)',
	'function token0() view returns (address)',
]);

/** What is read of the manager of Uniswap V4: a word of its storage. */
export const V4_ABI: Abi = parseAbi(['function extsload(bytes32) view returns (bytes32)']);

/** What is read of Uniswap V3. */
export const V3_ABI: Abi = parseAbi([
	'function getPool(address, address, uint24) view returns (address)',
	'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
]);
