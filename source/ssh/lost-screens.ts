import {savedViewApplied, savedViewOf} from '../monitor/saved-views/saved-view-transitions.ts';
import type {MonitorState} from '../monitor/state.ts';

/** How long a screen waits for its person after a lost connection, ms. */
const WAIT_MS = 120_000;

/** The screens of keys whose connection was lost: filters, sorts, columns and focus go on in the next visit. */
export class LostScreens {
	readonly #lost = new Map<
		string,
		{readonly resume: (state: MonitorState) => MonitorState; readonly timer: NodeJS.Timeout}
	>();

	/** Keeps what a screen showed. @param fingerprint of the key */
	keep(fingerprint: string, state: MonitorState): void {
		this.take(fingerprint);
		const view = savedViewOf(state, '');
		const {focus} = state;
		this.#lost.set(fingerprint, {
			resume: fresh => ({...savedViewApplied(fresh, view), focus}),
			timer: setTimeout(() => this.#lost.delete(fingerprint), WAIT_MS).unref(),
		});
	}

	/** Gives a fresh state what the last screen of a key showed, once; undefined where nothing was lost lately. */
	take(fingerprint: string): ((fresh: MonitorState) => MonitorState) | undefined {
		const lost = this.#lost.get(fingerprint);
		clearTimeout(lost?.timer);
		this.#lost.delete(fingerprint);
		return lost?.resume;
	}
}
