import {getAddress} from 'viem/utils';

/** The same for all spellings of an address, whatever its chain: what looks like EVM is compared without regard to case. */
export function canonical(address: string): string {
	return address.startsWith('0x') ? address.toLowerCase() : address;
}

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
	return EVM.test(address) ? getAddress(address) : address;
}

const EVM = /^0x[0-9a-fA-F]{40}$/;
