import {getAddress} from 'viem/utils';
import {isEvmAddress} from '../../address.ts';

/** How addresses of a chain compare: EVM ones in lower case. */
export function canonicalOn(chainId: string, address: string): string {
	return chainId.startsWith('evm:') ? address.toLowerCase() : address;
}

/** An address as the wire writes it: EVM ones with their checksum (EIP-55), if they are well-formed at all. */
export function wireAddress(chainId: string, address: string): string {
	return chainId.startsWith('evm:') ? checksummed(address) : address;
}

/** The checksummed form of what looks like an EVM address; anything else as it is. */
export function checksummed(address: string): string {
	return isEvmAddress(address) ? getAddress(address) : address;
}
