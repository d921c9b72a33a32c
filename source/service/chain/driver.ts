import {PulsetopError} from '../../errors.ts';

/** A chain's node, as far as the rest of the service knows it: where it answers. */
export interface ChainDriver {
	/** `embedded` is a practice chain of our own, on which coins can be made; `external` is somebody else's node. */
	readonly kind: 'embedded' | 'external';
	readonly chainId: number;
	/** Where JSON-RPC is answered now. Not to be handed to clients: an embedded node obeys whoever reaches it. */
	readonly rpcUrl: string;
	/** Says that the chain has changed, so that it is saved before long. */
	touched(): void;
	/** Is called with the reason when the node is gone, and with undefined when it is back. */
	onChange(listener: (reason: string | undefined) => void): void;
	/** Saves and stops. */
	close(): Promise<void>;
}

/** The node of a chain is not there, or is not the one it should be. */
export class ChainUnavailable extends PulsetopError {
	readonly code = 'chain-unavailable';
	readonly chainId: number;

	constructor(chainId: number, why: string, cause?: unknown) {
		super(`The chain evm:${chainId} is not available`, {why, next: 'retry-later', cause});
		this.chainId = chainId;
	}
}
