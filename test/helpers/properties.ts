import fc from 'fast-check';

/** The seed of the run (source/tools/test-run.ts), so that a property that failed fails again with it. */
const SEED = process.env['PULSETOP_TEST_SEED'];
if (SEED !== undefined) fc.configureGlobal({seed: Number(SEED)});

export {fc};
