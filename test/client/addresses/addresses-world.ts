import {vi} from 'vitest';

/** Runs something that makes a client, which then tries its addresses in the order in which they are given. */
export function inGivenOrder<T>(make: () => T): T {
	const random = vi.spyOn(Math, 'random').mockReturnValue(0);
	try {
		return make();
	} finally {
		random.mockRestore();
	}
}
