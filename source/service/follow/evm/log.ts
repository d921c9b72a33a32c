/** A log of a chain, read strictly: hex in lower case, numbers as numbers. */
export interface Log {
	readonly address: `0x${string}`;
	readonly topics: readonly `0x${string}`[];
	readonly data: `0x${string}`;
	readonly blockNumber: number;
	readonly blockHash: `0x${string}`;
	readonly transactionHash: `0x${string}`;
	readonly logIndex: number;
}
