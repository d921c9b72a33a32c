import type {MonitorActions} from '../monitor/actions.ts';
import type {ModeKind} from '../monitor/mode.ts';
import type {Feature, JoinedCommand, ModeSpec} from './feature.ts';
import {actionLog} from './features/action-log/action-log.ts';
import {actionMenus} from './features/action-menus/action-menus.ts';
import {alerts} from './features/alerts/alerts.ts';
import {columns} from './features/columns/columns.ts';
import {detail} from './features/detail/detail.ts';
import {developer} from './features/developer/developer.ts';
import {explain} from './features/explain/explain.ts';
import {feed} from './features/feed/feed.ts';
import {filter} from './features/filter/filter.ts';
import {help} from './features/help/help.ts';
import {hides} from './features/hides/hides.ts';
import {labels} from './features/labels/labels.ts';
import {links} from './features/links/links.ts';
import {list} from './features/list/list.ts';
import {menu} from './features/menu/menu.ts';
import {money} from './features/money/money.ts';
import {palette} from './features/palette/palette.ts';
import {positions} from './features/positions/positions.ts';
import {prediction} from './features/prediction/prediction.ts';
import {program} from './features/program/program.ts';
import {rewind} from './features/rewind/rewind.ts';
import {rowFields} from './features/row-fields/row-fields.ts';
import {savedViews} from './features/saved-views/saved-views.ts';
import {scope} from './features/scope/scope.ts';
import {screen} from './features/screen/screen.ts';
import {scrolling} from './features/scrolling/scrolling.ts';
import {search} from './features/search/search.ts';
import {sort} from './features/sort/sort.ts';
import {themes} from './features/themes/themes.ts';
import {timeWindow} from './features/time-window/time-window.ts';
import {token} from './features/token/token.ts';
import {tour} from './features/tour/tour.ts';
import {typing} from './features/typing/typing.ts';
import {userCommands} from './features/user-commands/user-commands.ts';
import {watchlist} from './features/watchlist/watchlist.ts';
import {webhooks} from './features/webhooks/webhooks.ts';
import type {ScreenSpec} from './screens/screen-feature.ts';
import {screens} from './screens/screens.ts';

/**
 * Everything that the screen can do. A feature that is added here is in the keys, the hints, the help, the palette and the
 * windows; the order is that of the palette, and of each section of the help.
 */
const LIST = [
	list,
	detail,
	token,
	hides,
	sort,
	filter,
	search,
	timeWindow,
	actionMenus,
	money,
	feed,
	screen,
	themes,
	help,
	palette,
	program,
	scrolling,
	menu,
	typing,
	explain,
	savedViews,
	rowFields,
	alerts,
	tour,
	rewind,
	columns,
	scope,
	actionLog,
	links,
	userCommands,
	positions,
	watchlist,
	developer,
	prediction,
	webhooks,
	labels,
	screens,
] as const satisfies readonly Feature[];
export const FEATURES: readonly Feature[] = LIST;

/** The screens beside the columns. */
export const SCREENS: readonly ScreenSpec[] = LIST.flatMap(feature => ('screen' in feature ? [feature.screen] : []));

type AnyFeature = (typeof LIST)[number];

/** All actions of keys, commands and tests, by feature: `actions.alerts.open()`. Those of the monitor itself are `actions.monitor`. */
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

/** The specification of a mode. */
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
