import {basename} from 'node:path';
import {type Config, differingSettings, withSettings} from '../../../config/config.ts';
import {ConfigError} from '../../../config/config-error.ts';
import {explain} from '../../../errors.ts';
import type {MonitorState} from '../../../monitor/state.ts';
import {assertMeaningful} from '../meaning.ts';
import {type Change, isLive, settingApplied} from './live-settings.ts';

/** A reloaded configuration, compared with the one in force. */
export interface Reload {
	/** The configuration in force from now on; settings that need a restart keep their old values. */
	readonly config: Config;
	/** Paths of the changed settings that apply at once. */
	readonly applied: readonly string[];
	/** Paths of the changed settings that need a restart. */
	readonly waiting: readonly string[];
	/** Applies the changed settings to the state. */
	readonly change: (state: MonitorState, at: Pick<Change, 'background' | 'nowMs'>) => MonitorState;
}

/**
 * Reads the configuration again and compares it with the one in force.
 * @throws ConfigError for an invalid file: nothing of it applies
 */
export async function reloadConfig(inForce: Config, readConfig: () => Promise<Config>): Promise<Reload> {
	const fresh = await readConfig();
	await assertMeaningful(fresh);
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

/** The notice after a reload; undefined when nothing changed. */
export function describeReload({config, applied, waiting}: Reload): string | undefined {
	const file = basename(config.file.path);
	const parts = [
		...(applied.length > 0 ? [`${file}: ${listOf(applied)} applied.`] : []),
		...(waiting.length > 0 ? [`${listOf(waiting)} ${waiting.length === 1 ? 'needs' : 'need'} a restart.`] : []),
	];
	return parts.length === 0 ? undefined : parts.join(' ');
}

/** Maximum number of settings in a notice. */
const MAX_NAMED = 4;

function listOf(paths: readonly string[]): string {
	const named = paths.slice(0, MAX_NAMED).join(', ');
	return paths.length > MAX_NAMED ? `${named} and ${paths.length - MAX_NAMED} more` : named;
}

/** Why a file was refused: its line first, so that a narrow screen shows it. */
export function describeRefusal(error: unknown, path: string): string {
	const {what, why} = explain(error);
	const file = basename(path);
	const place = error instanceof ConfigError ? error.place : undefined;
	return place === undefined
		? `${file}: ${what}: ${why} All settings stay as they were.`
		: `${file}, line ${place.line}: ${what}: ${place.reason} All settings stay as they were.`;
}
