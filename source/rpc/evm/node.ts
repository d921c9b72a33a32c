/** One call. */
export interface NodeCall {
	readonly method: string;
	readonly params: readonly unknown[];
}

/** The nodes of one chain as one: the next is taken when one fails or lags. Rate limits are obeyed in here. */
export interface EvmNode {
	/** Host of the node in use. Whole addresses are secret. */
	readonly host: string;
	/** Calls a second that the node in use was found to take; null for a node that never complained. */
	readonly callLimit: number | null;
	/**
	 * The result of a call.
	 * @throws NodeRefused (the node understood and refused), NodeUnanswered (none of the nodes answered), NodeAnswerWrong
	 */
	call(method: string, params: readonly unknown[]): Promise<unknown>;
	/** Several calls in as few requests as the node takes; each has its own result or error. @throws NodeUnanswered */
	calls(calls: readonly NodeCall[]): Promise<readonly NodeOutcome[]>;
	/** Calls back when a websocket says that there is a new head; never, where no node has a websocket. */
	onHead(listener: () => void): () => void;
	/** Gives up on the node in use for a while: it lags, or its answers contradict each other. False: there is no other. */
	takeNext(why: string): boolean;
	readonly traffic: {readonly callsPerMinute: number; readonly bytesPerSecond: number};
	close(): Promise<void>;
}

export type NodeOutcome = {readonly ok: true; readonly result: unknown} | {readonly ok: false; readonly error: Error};
