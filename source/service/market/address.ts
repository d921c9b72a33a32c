import {getAddress} from 'viem/utils';
import {isEvmAddress} from '../../address.ts';

/** An address as the API writes it: a well-formed EVM address with its checksum (EIP-55), any other unchanged. */
export function wireAddress(chainId: string, address: string): string {
	return chainId.startsWith('evm:') ? checksummed(address) : address;
}

/** A well-formed EVM address with its checksum (EIP-55), any other text unchanged. */
export function checksummed(address: string): string {
	return isEvmAddress(address) ? getAddress(address) : address;
}
