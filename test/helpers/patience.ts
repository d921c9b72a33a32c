/**
 * How long a test waits for something that must come, on the slowest of machines too. Where a wait ends well it costs
 * nothing; how fast things are is for the benchmarks to tell.
 */
export const PATIENCE_MS = 180_000;
