/**
 * The keys of version 0.2 that have left the columns or mean something else, by action: `ui.keys = "classic"` binds them.
 * Without that, each says where its action is now.
 */
export const CLASSIC_KEYS: Readonly<Record<string, readonly string[]>> = {
	'page.down': ['pgdn', 'ctrl+f'],
	'page.up': ['pgup', 'ctrl+b'],
	'half.down': ['ctrl+d'],
	'half.up': ['ctrl+u'],
	'sort.reverse': ['S', 'r'],
	'filter.clear': ['F'],
	'filter.drop': ['d'],
	'window.previous': ['W'],
	'fields.open': ['c'],
	'chains.open': ['C'],
	'launchpads.open': ['N'],
	'columns.open': ['Z'],
	'view.theme': ['T'],
	'view.density': ['v'],
	'view.open': [],
	'more.open': [],
	'preset.prefix': ["'", '`'],
	'preset.list': ['V'],
	'token.command': ['Y'],
	'detail.scale': ['$'],
	'perp.open': ['o'],
	'wallet.lock': ['L'],
	'log.open': ['@'],
	'watchlist.open': ['Q'],
	'markets.open': ['M'],
	'webhooks.open': ['H'],
	'labels.open': ['I'],
	'feed.addresses': ['='],
	'program.report': ['f8'],
	'config.reload': ['f5'],
	'tour.next': ['E'],
};

/** The keys that a configuration gives to actions, over those of the set that `ui.keys` names. */
export function keyOverrides(
	set: unknown,
	own: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
	return set === 'classic' ? {...CLASSIC_KEYS, ...own} : own;
}

/** Where actions without a key of their own and without a line in a window are done now. */
export const NOW_DONE_BY: Readonly<Record<string, string>> = {
	'half.down': '{page.down} moves a screen',
	'half.up': '{page.up} moves a screen',
	'sort.reverse': '{sort.menu}, then {menu.accept} reverses the order',
	'filter.clear': '{filter.edit} with an empty line does that',
	'filter.drop': '{detail.open} in an empty column',
	'window.previous': '{window.next} goes round the time windows',
	'token.command': '{links.list} has the shell command',
	'detail.scale': '{detail.candles} goes round the charts',
};
