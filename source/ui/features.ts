import type {Actions as MonitorActions} from '../monitor/actions.ts';
import type {ModeKind} from '../monitor/mode.ts';
import type {Feature, JoinedCommand, ModeSpec} from './feature.ts';
import {alerts} from './features/alerts/alerts.ts';
import {explain} from './features/explain/explain.ts';
import {menu} from './features/menu/menu.ts';
import {rest} from './features/rest.ts';
import {themes} from './features/themes/themes.ts';
import {typing} from './features/typing/typing.ts';

/**
 * Everything that the screen can do. A feature that is added here is in the keys, the hints, the help, the palette and the
 * windows; the order is that of the palette, and of each section of the help.
 */
const LIST = [rest, menu, typing, explain, alerts, themes] as const satisfies readonly Feature[];
export const FEATURES: readonly Feature[] = LIST;

type AnyFeature = (typeof LIST)[number];

/** What keys, commands and tests can do, by feature: `actions.alerts.open()`. What the monitor does itself is `actions.monitor`. */
export type Actions = {readonly monitor: MonitorActions} & {
	readonly [F in AnyFeature as F['name']]: ReturnType<F['actions']>;
};

interface OwnedMode {
	readonly feature: string;
	readonly spec: ModeSpec;
}

const MODES: ReadonlyMap<ModeKind, OwnedMode> = new Map(
	FEATURES.flatMap(({name, modes = {}}) =>
		Object.entries(modes).map(([kind, spec]) => [kind as ModeKind, {feature: name, spec: spec as ModeSpec}] as const),
	),
);

/** All modes, in the order of their features. */
export const MODE_KINDS: readonly ModeKind[] = [...MODES.keys()];

/** What a mode is like. */
export function modeSpec(kind: ModeKind): ModeSpec {
	return MODES.get(kind)!.spec;
}

/** The name of the feature that a mode is of. */
export function featureOf(kind: ModeKind): keyof Actions {
	return MODES.get(kind)!.feature as keyof Actions;
}

/** The typed commands of all features. */
export const COMMANDS: readonly JoinedCommand[] = FEATURES.flatMap(({name, commands = []}) =>
	commands.map(command => ({...command, feature: name})),
);
