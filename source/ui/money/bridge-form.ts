import {chainName} from '../../chains/chains.ts';
import {PulsetopError} from '../../errors.ts';
import type {BridgeInput, BridgeView} from '../../trading/bridge/flow.ts';
import {assertRecipient} from '../../trading/bridge/recipient.ts';
import {assertAmount} from './amount.ts';
import type {BridgeForm, TokenChoice} from './money-state.ts';

/** A form that makes no valid request: the same chain twice. */
class BadTransfer extends PulsetopError {
	readonly code = 'bad-transfer';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input'});
	}
}

/**
 * The transfer that a form describes.
 * @throws BadAmount, NotEnough, BadTransfer, BadRecipient, before any request
 */
export function transferOf(form: BridgeForm, origin: TokenChoice, destination: TokenChoice): BridgeInput {
	const amount = form.amount.text.trim();
	assertAmount(amount, {...origin, hasRaw: origin.balanceRaw}, `on ${chainName(origin.chainId)}`);
	if (origin.chainId === destination.chainId) {
		throw new BadTransfer(
			'Choose another chain to receive on',
			`${chainName(origin.chainId)} is where it comes from; the bridge only goes to other chains`,
		);
	}
	const recipient = form.recipient.text.trim();
	if (recipient !== '') assertRecipient(recipient, destination.chainId, [origin.address, destination.address]);
	return {
		originChainId: origin.chainId,
		originToken: origin.address,
		amount,
		destinationChainId: destination.chainId,
		destinationToken: destination.address,
		...(recipient !== '' && {recipient}),
	};
}

/**
 * The form with tokens that were read again: the chosen ones stay chosen, at their new places. A new form begins with `preferred`,
 * the chain of the selected token: as origin where its token can be sent, else as destination.
 */
export function formOver(
	form: BridgeForm,
	{origins, destinations}: Pick<BridgeForm, 'origins' | 'destinations'>,
	preferred: string | undefined,
): BridgeForm {
	const isNew = form.origins.length === 0;
	const keptOrigin = indexOf(origins, form.origins[form.origin]);
	const sendable = origins.findIndex(({chainId, balanceRaw}) => chainId === preferred && (balanceRaw ?? 0n) > 0n);
	const origin = Math.max(isNew ? sendable : keptOrigin, 0);
	const from = origins[origin]?.chainId;
	const keptDestination = isNew ? -1 : indexOf(destinations, form.destinations[form.destination]);
	const preferredAt = destinations.findIndex(({chainId}) => chainId === preferred && chainId !== from);
	const other = destinations.findIndex(({chainId}) => chainId !== from);
	const destination = [keptDestination, preferredAt, other].find(at => at >= 0) ?? 0;
	return {...form, origins, destinations, origin, destination};
}

function indexOf(tokens: readonly TokenChoice[], token: TokenChoice | undefined): number {
	return tokens.findIndex(({chainId, address}) => chainId === token?.chainId && address === token.address);
}

/** The tokens that a form has chosen; undefined where a list is empty. */
export function endsOf({
	origins,
	origin,
	destinations,
	destination,
}: BridgeForm): readonly [TokenChoice, TokenChoice] | undefined {
	const [from, to] = [origins[origin], destinations[destination]];
	return from && to && [from, to];
}

/** Whether the transfer did what was requested. */
export function isGood({phase}: BridgeView['state']): boolean {
	return phase === 'filled' || phase === 'settled';
}
