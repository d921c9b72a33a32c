/**
 * Loads all code that a money flow, and the client under it, load when they first use it. An install of another version takes
 * the files away (`npm install -g`): a flow that has begun must end, and read any answer, without them.
 * @throws the error of the loader: nothing is signed then
 */
export async function loadLateCode(): Promise<void> {
	await Promise.all([
		import('../client/wire/lenient-read.ts'),
		import('../contract/endpoints.ts'),
		import('../contract/schema.ts'),
		import('../contract/typed-data.ts'),
		import('../contract/wire-error.ts'),
		import('../proxy-connection.ts'),
		import('./bridge/ends.ts'),
		import('./trade/chain-price.ts'),
		import('viem/accounts'),
		import('viem/utils'),
	]);
}
