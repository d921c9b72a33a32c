import {PulsetopError} from '../../errors.ts';

/** A chain's node as the rest of the service sees it. */
export interface ChainDriver {
	/** `embedded` is a practice chain, on which coins can be created; `external` is a real node. */
	readonly kind: 'embedded' | 'external';
	readonly chainId: number;
	/** Current address of the node's JSON-RPC. Not for clients: an embedded node obeys every caller. */
	readonly rpcUrl: string;
	/** Reports a change of the chain, so that it is saved soon. */
	touched(): void;
	/** Called with the reason when the node has ended, and with undefined when it runs again. */
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
