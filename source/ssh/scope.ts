import {AsyncLocalStorage} from 'node:async_hooks';

const scopes = new AsyncLocalStorage<Scope>();

/**
 * All code that runs for one viewer: keys, ticks, frames, and everything that they begin. An exception in a scope ends its viewer and
 * no other, also in a timer, whose exceptions reach only the process (`scopeNow`).
 */
export class Scope {
	/** Called with the error. */
	fail: (error: unknown) => void = () => {};

	/** Runs work in the scope. Never throws. */
	run(work: () => void): void {
		scopes.run(this, () => {
			try {
				work();
			} catch (error) {
				this.fail(error);
			}
		});
	}

	/** A function that always runs in the scope. */
	bind<Args extends readonly unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
		return (...args) => this.run(() => work(...args));
	}
}

/** The scope of what runs now, in a listener of `uncaughtException` of what threw. */
export function scopeNow(): Scope | undefined {
	return scopes.getStore();
}
