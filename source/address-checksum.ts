import {isAddress} from 'viem/utils';
import {isEvmAddress} from './address.ts';

/**
 * Whether an EVM address in letters of both cases is not its checksum (EIP-55): a letter was mistyped, or the case of one
 * changed. An address in one case has no checksum. False for any other text.
 */
export function hasWrongChecksum(text: string): boolean {
	const digits = text.slice(2);
	const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
	return isEvmAddress(text) && !isOneCase && !isAddress(text);
}
