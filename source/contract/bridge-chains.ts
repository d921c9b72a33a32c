/** Chains that have a batch executor (spec 4.4). In a file of its own: the first frame waits for no schema. */
export const SPONSORED_CHAINS = ['evm:8453', 'evm:56', 'evm:42161', 'evm:137', 'evm:4663'] as const;
