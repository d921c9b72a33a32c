import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		root: new URL('..', import.meta.url).pathname,
		include: ['test/**/*.test.{ts,tsx}'],
		// Frames are compared with colour on: the level must be fixed before chalk is first imported.
		env: {FORCE_COLOR: '3', NO_COLOR: undefined as unknown as string},
		testTimeout: 20_000,
		hookTimeout: 30_000,
		coverage: {provider: 'v8', include: ['source/**/*.{ts,tsx}'], exclude: ['source/tools/**']},
	},
});
