import type {Config} from '../../../config/config.ts';
import type {MonitorState, Notice} from '../../../monitor/state.ts';
import {noticed} from '../../../monitor/transitions/screen.ts';
import {steadyNow} from '../../../steady-clock.ts';
import type {Store} from '../../../store.ts';

/** The configuration of a running monitor, which can be reloaded. */
export interface LiveConfig {
	/** The configuration in force. */
	current(): Config;
	/** Reloads on a command of the user: reports the result even when nothing changed. Never rejects. */
	reload(): Promise<void>;
	/** Reloads when the file changes. */
	watch(): Promise<void>;
	stop(): void;
}

/**
 * Applies changes of the configuration to a running monitor, and reports the applied changes, the changes that need a restart, or
 * the wrong line. The code that reloads is imported at the first change.
 * @param options.readConfig reads the configuration as at the start, flags included
 * @param options.background the background of the terminal; undefined while it is unknown
 */
export function createLiveConfig({
	config,
	readConfig,
	store,
	background,
}: {
	readonly config: Config;
	readonly readConfig: () => Promise<Config>;
	readonly store: Store<MonitorState>;
	readonly background?: () => 'dark' | 'light' | undefined;
}): LiveConfig {
	let current = config;
	/** The last notice stays on screen until the next reload replaces it. */
	let isSticky = false;
	let stopWatching: () => void = () => {};
	let isStopped = false;
	let reading = Promise.resolve();

	function report(text: string, tone: Notice['tone'], stays: boolean): void {
		isSticky = stays;
		store.apply(state => noticed(state, {text, tone, atMs: steadyNow(), isEvent: true, ...(stays && {stays})}));
	}

	async function read(isManual: boolean): Promise<void> {
		const {describeReload, describeRefusal, reloadConfig} = await import('./reload-config.ts');
		try {
			const reloaded = await reloadConfig(current, readConfig);
			if (isStopped) return;
			current = reloaded.config;
			store.apply(state => reloaded.change(state, {background: background?.(), nowMs: steadyNow()}));
			const text = describeReload(reloaded) ?? (isManual || isSticky ? 'The configuration is as it was.' : undefined);
			const needsRestart = reloaded.waiting.length > 0;
			if (text !== undefined) report(text, needsRestart ? 'warn' : 'good', needsRestart);
		} catch (error) {
			if (isStopped) return;
			report(describeRefusal(error, current.file.path), 'bad', true);
		}
	}

	/** One reload after another: the last one is in force. */
	function readNext(isManual: boolean): Promise<void> {
		reading = reading.then(() => read(isManual));
		return reading;
	}

	return {
		current: () => current,
		reload: () => readNext(true),
		watch: async () => {
			const {watchFile} = await import('./watch-file.ts');
			if (!isStopped) stopWatching = watchFile(current.file.path, () => void readNext(false));
		},
		stop: () => {
			isStopped = true;
			stopWatching();
		},
	};
}
