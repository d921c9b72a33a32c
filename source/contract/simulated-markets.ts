/**
 * The prediction markets of the embedded service, `<platform>:<marketId>`. The API lists no markets (spec 4.11): who asks
 * for one has its name. A file without schemas, which the screen reads.
 */
export const SIMULATED_MARKETS: readonly string[] = Array.from({length: 8}, (_, n) => `platformA:${1001 + n}`);
