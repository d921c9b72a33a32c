import {basename} from 'node:path';
import {type Config, differingSettings, withSettings} from '../../config/config.ts';
import {ConfigError} from '../../config/config-error.ts';
import {explain} from '../../errors.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {refuseMeaningless} from '../config/meaning.ts';
import {type Change, isLive, settingApplied} from './live-settings.ts';

/** The configuration as it is read again, against the one in force. */
export interface ReadAgain {
	/** The one that is in force from now on: what needs a restart is as it was. */
	readonly config: Config;
	/** Paths of the settings that changed and are taken over. */
	readonly applied: readonly string[];
	/** Paths of the settings that changed in the file and need a restart. */
	readonly waiting: readonly string[];
	/** Takes over what was changed. */
	readonly change: (state: MonitorState, at: Pick<Change, 'background' | 'nowMs'>) => MonitorState;
}

/**
 * Reads the configuration again, flags and environment before the file as at the start.
 * @throws ConfigError where the file can't be used; nothing of it counts then
 */
export async function readAgain(inForce: Config, readConfig: () => Promise<Config>): Promise<ReadAgain> {
	const fresh = await readConfig();
	await refuseMeaningless(fresh);
	const changed = differingSettings(inForce, fresh);
	const applied = changed.filter(path => isLive(path, fresh));
	const config = withSettings(inForce, fresh, path => !changed.includes(path) || applied.includes(path));
	return {
		config,
		applied,
		waiting: changed.filter(path => !applied.includes(path)),
		change: (state, at) => applied.reduce((next, path) => settingApplied(next, {config, path, ...at}), state),
	};
}

/** What is said of it; undefined where nothing changed. */
export function describeReadAgain({config, applied, waiting}: ReadAgain): string | undefined {
	const file = basename(config.file.path);
	const parts = [
		...(applied.length > 0 ? [`${file}: ${listOf(applied)} applied.`] : []),
		...(waiting.length > 0 ? [`${listOf(waiting)} ${waiting.length === 1 ? 'needs' : 'need'} a restart.`] : []),
	];
	return parts.length === 0 ? undefined : parts.join(' ');
}

/** Most settings that are named. */
const MOST = 4;

function listOf(paths: readonly string[]): string {
	const named = paths.slice(0, MOST).join(', ');
	return paths.length > MOST ? `${named} and ${paths.length - MOST} more` : named;
}

/** Why a file was not taken over: its line first, so that a narrow screen shows it. */
export function describeRefusal(error: unknown, path: string): string {
	const {what, why} = explain(error);
	const file = basename(path);
	const place = error instanceof ConfigError ? error.place : undefined;
	return place === undefined
		? `${file}: ${what}: ${why} All settings stay as they were.`
		: `${file}, line ${place.line}: ${what}: ${place.reason} All settings stay as they were.`;
}
