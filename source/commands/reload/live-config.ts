import type {Config} from '../../config/config.ts';
import type {MonitorState, Notice} from '../../monitor/state.ts';
import {noticed} from '../../monitor/transitions/screen.ts';
import type {Store} from '../../store.ts';

/** The configuration of a running monitor, which can be read again. */
export interface LiveConfig {
	/** The one in force. */
	current(): Config;
	/** Reads it again because the person asked: says so, too, when nothing changed. Never rejects. */
	reload(): Promise<void>;
	/** Reads it again whenever its file changes. */
	watch(): Promise<void>;
	stop(): void;
}

/**
 * Takes changes of the configuration over into a running monitor, and says what was taken over, what needs a restart, or
 * what is wrong in which line. What reads it again is loaded at the first change.
 * @param options.readConfig as at the start, the flags of the command line included
 * @param options.background what the terminal said of its background, where it was asked
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
	/** What was said last stays on screen: it is taken back when it no longer is so. */
	let isStanding = false;
	let stopWatching: () => void = () => {};
	let isStopped = false;
	let reading = Promise.resolve();

	function say(text: string, tone: Notice['tone'], stays: boolean): void {
		isStanding = stays;
		store.apply(state => noticed(state, {text, tone, atMs: Date.now(), isEvent: true, ...(stays && {stays})}));
	}

	async function read(isAsked: boolean): Promise<void> {
		const {describeReadAgain, describeRefusal, readAgain} = await import('./read-again.ts');
		try {
			const again = await readAgain(current, readConfig);
			if (isStopped) return;
			current = again.config;
			store.apply(state => again.change(state, {background: background?.(), nowMs: Date.now()}));
			const text = describeReadAgain(again) ?? (isAsked || isStanding ? 'The configuration is as it was.' : undefined);
			const isWaiting = again.waiting.length > 0;
			if (text !== undefined) say(text, isWaiting ? 'warn' : 'good', isWaiting);
		} catch (error) {
			if (isStopped) return;
			say(describeRefusal(error, current.file.path), 'bad', true);
		}
	}

	/** One after another: the last one read is in force. */
	function readNext(isAsked: boolean): Promise<void> {
		reading = reading.then(() => read(isAsked));
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
