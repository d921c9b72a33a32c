import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {makeDirectory} from '../make-directory.ts';
import {loadChoices, NO_CHOICES, saveChoices} from '../monitor/choices.ts';
import type {MonitorState} from '../monitor/state.ts';
import type {Identity} from './login.ts';
import type {ChoicesStore} from './viewer.ts';

/** Choices that nobody came back for are removed after this, and the longest unseen first above so many. */
const KEPT_MS = 180 * 86_400_000;
const MAX_KEPT = 10_000;
/** The most that one key keeps, the newest. */
const MAX_PINS = 200;
const MAX_HIDES = 200;
const MAX_RULES = 20;
/** One write a second at most, ms. */
const SAVE_EVERY_MS = 1000;

/** The choices of keys, each in a directory of the server's data directory. */
export interface VisitorChoices {
	/** Opens the choices of a key; undefined for a guest, and where it can't be read. */
	of(identity: Identity): ChoicesStore | undefined;
	/** The choices as they are written down; undefined where nothing is. */
	text(identity: Identity): string | undefined;
	/** Removes the choices of a key. @returns whether there was anything */
	forget(identity: Identity): boolean;
}

/**
 * Keeps the choices of visitors by their keys; keys of one listed name share them, guests keep nothing.
 * @param nameOf the name of a listed key
 * @param onFault choices could not be read or written
 */
export function keepVisitorChoices(
	dataDir: string,
	nameOf: (fingerprint: string) => string | undefined,
	onFault: (error: unknown) => void,
): VisitorChoices {
	const root = join(dataDir, 'ssh', 'viewers');
	makeDirectory(root);
	removeOld(root, Date.now());
	const directoryOf = (identity: Identity): string | undefined => {
		if (identity.kind !== 'key') return undefined;
		const name = nameOf(identity.fingerprint);
		const owner = name === undefined ? identity.fingerprint : `name ${name}`;
		return join(root, createHash('sha256').update(owner).digest('hex'));
	};
	const fileOf = (identity: Identity): string | undefined => {
		const directory = directoryOf(identity);
		const path = directory && join(directory, 'choices.json');
		return path !== undefined && existsSync(path) ? path : undefined;
	};
	return {
		of(identity) {
			const directory = directoryOf(identity);
			if (directory === undefined) return undefined;
			try {
				return openChoices(directory, onFault);
			} catch (error) {
				onFault(error);
				return undefined;
			}
		},
		text(identity) {
			const path = fileOf(identity);
			return path && readFileSync(path, 'utf8');
		},
		forget(identity) {
			const path = fileOf(identity);
			if (path !== undefined) rmSync(path);
			return path !== undefined;
		},
	};
}

function openChoices(directory: string, onFault: (error: unknown) => void): ChoicesStore {
	makeDirectory(directory);
	const now = new Date();
	utimesSync(directory, now, now);
	const {choices = NO_CHOICES} = loadChoices(directory);
	let latest: MonitorState | undefined;
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	const write = (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		const state = latest;
		latest = undefined;
		if (state) writing = writing.then(() => saveChoices(directory, limited(state))).catch(onFault);
		return writing;
	};
	return {
		choices,
		save(state) {
			latest = state;
			timer ??= setTimeout(() => void write(), SAVE_EVERY_MS);
		},
		saved: write,
	};
}

/** A state with as much as one key may keep. */
function limited(state: MonitorState): MonitorState {
	return {
		...state,
		pins: new Map([...state.pins].slice(-MAX_PINS)),
		hidden: new Map([...state.hidden].slice(-MAX_HIDES)),
		alerts: {...state.alerts, rules: state.alerts.rules.filter(({isConfigured}) => !isConfigured).slice(-MAX_RULES)},
	};
}

function removeOld(root: string, nowMs: number): void {
	const seen = readdirSync(root)
		.map(name => ({path: join(root, name), atMs: statSync(join(root, name)).mtimeMs}))
		.toSorted((a, b) => b.atMs - a.atMs);
	for (const [at, {path, atMs}] of seen.entries())
		if (at >= MAX_KEPT || atMs < nowMs - KEPT_MS) rmSync(path, {recursive: true, force: true});
}
