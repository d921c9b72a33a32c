import type {ClientRequest} from '../../contract/stream.ts';

/** Requests that open another subscription than a pulse view. */
export type ChannelRequest = Exclude<
	ClientRequest,
	{readonly kind: 'ping' | 'subscribe' | 'unsubscribe' | 'pause' | 'unpause'}
>;

/** A further kind of subscription on the same socket: bridge status, positions, markets. */
export interface StreamChannel {
	readonly kinds: readonly ChannelRequest['kind'][];
	/**
	 * Opens a subscription; the channel sends its own ack.
	 * @throws InvalidRequest: the caller gets the message in an error frame
	 */
	open(request: ChannelRequest, subscription: ChannelSubscription): OpenChannel;
}

export interface ChannelSubscription {
	/** The client's id, or one made by the service. */
	readonly id: string;
	/** Who sent the request: `key:<n>` or `address:<ip>`. */
	readonly caller: string;
	/** Frames sent after the end are dropped. */
	send(frame: string): void;
}

export interface OpenChannel {
	end(): void;
}
