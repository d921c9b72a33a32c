import type {ClientRequest} from '../../contract/stream.ts';

/** Requests that open something else than a pulse subscription. */
export type ChannelRequest = Exclude<
	ClientRequest,
	{readonly kind: 'ping' | 'subscribe' | 'unsubscribe' | 'pause' | 'unpause'}
>;

/** A further kind of subscription on the same socket: bridge status, positions, markets. */
export interface StreamChannel {
	readonly kinds: readonly ChannelRequest['kind'][];
	/**
	 * Opens a subscription; its ack is the channel's own.
	 * @throws InvalidRequest: the caller gets its words in an error frame
	 */
	open(request: ChannelRequest, subscription: ChannelSubscription): OpenChannel;
}

export interface ChannelSubscription {
	/** The client's id, or a made one. */
	readonly id: string;
	/** Who asks: `key:<n>` or `address:<ip>`. */
	readonly caller: string;
	/** Frames sent after the end are dropped. */
	send(frame: string): void;
}

export interface OpenChannel {
	end(): void;
}
