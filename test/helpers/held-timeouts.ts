import {onTestFinished, vi} from 'vitest';

/**
 * Takes over the limits of requests (`AbortSignal.timeout`) until the test ends: time ends no request, the test does.
 * @returns `expire`, which ends every request that is under way as its limit would
 */
export function holdTimeouts(): {expire(): void} {
	const open = new Set<AbortController>();
	const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const controller = new AbortController();
		open.add(controller);
		return controller.signal;
	});
	onTestFinished(() => spy.mockRestore());
	return {
		expire() {
			for (const controller of open) controller.abort(new DOMException('the limit passed', 'TimeoutError'));
			open.clear();
		},
	};
}
