import {isEvmAddress, isSameAddress, isSolanaAddress} from '../../address.ts';
import {hasWrongChecksum} from '../../address-checksum.ts';
import {PulsetopError} from '../../errors.ts';

/** An address to which the tokens of a transfer must not go. */
class BadRecipient extends PulsetopError {
	readonly code = 'bad-recipient';

	constructor(why: string) {
		super('This recipient cannot be used', {why, next: 'fix-input'});
	}
}

/**
 * Checks the typed recipient of a transfer before anything is requested: a transfer to a wrong address can't be taken back.
 * A checksum finds nearly every mistyped letter.
 * @param tokens addresses of the tokens that leave and arrive
 * @throws BadRecipient
 */
export function assertRecipient(recipient: string, chainId: string, tokens: readonly string[]): void {
	if (chainId === 'solana:solana') {
		if (!isSolanaAddress(recipient)) throw new BadRecipient('it is not an address of Solana');
	} else if (chainId.startsWith('evm:')) {
		if (!isEvmAddress(recipient)) throw new BadRecipient('an address is 0x and 40 digits of 0-9 and a-f');
		if (hasWrongChecksum(recipient))
			throw new BadRecipient('its checksum is wrong: a letter was mistyped, or the case of one changed');
		if (/^0x0+$/.test(recipient)) throw new BadRecipient('no wallet has the address of zeros');
	}
	if (tokens.some(token => isSameAddress(token, recipient)))
		throw new BadRecipient('it is the contract of the token itself, where tokens are lost');
}
