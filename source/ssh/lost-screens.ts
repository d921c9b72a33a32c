import type {Entry} from '../contract/entry.ts';
import {savedViewApplied, savedViewOf} from '../monitor/saved-views/saved-view-transitions.ts';
import type {MonitorState} from '../monitor/state.ts';

/** How long a screen waits for its person after a lost connection, ms. */
const WAIT_MS = 120_000;

/** The last screen of a key. */
export interface LostScreen {
	/** Gives a fresh state its filters, sorts, columns and focus. */
	resume(fresh: MonitorState): MonitorState;
	/** The token that was open. */
	readonly opened?: Entry;
}

/** The screens of keys whose connection was lost: they go on in the next visit. */
export class LostScreens {
	readonly #lost = new Map<string, LostScreen & {readonly timer: NodeJS.Timeout}>();

	/** Keeps a screen. @param fingerprint of the key */
	keep(fingerprint: string, state: MonitorState): void {
		this.take(fingerprint);
		const view = savedViewOf(state, '');
		const {focus, detail} = state;
		this.#lost.set(fingerprint, {
			resume: fresh => ({...savedViewApplied(fresh, view), focus}),
			...(detail && {opened: detail.entry}),
			timer: setTimeout(() => this.#lost.delete(fingerprint), WAIT_MS).unref(),
		});
	}

	/** The last screen of a key, once; undefined where nothing was lost lately. */
	take(fingerprint: string): LostScreen | undefined {
		const lost = this.#lost.get(fingerprint);
		clearTimeout(lost?.timer);
		this.#lost.delete(fingerprint);
		return lost;
	}
}
