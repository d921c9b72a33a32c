/** Short names of actions for the palette, verb first. An action without one goes by its label. */
export const PALETTE_NAMES: Readonly<Record<string, string>> = {
	'cursor.down': 'Next token',
	'cursor.up': 'Previous token',
	'cursor.first': 'First token',
	'cursor.last': 'Last token',
	'page.down': 'Page down',
	'page.up': 'Page up',
	'half.down': 'Half a page down',
	'half.up': 'Half a page up',
	'column.next': 'Next column',
	'column.previous': 'Previous column',
	'order.release': 'Go live',
	'detail.open': 'Open token',
	'detail.close': 'Close token',
	'detail.down': 'Scroll token down',
	'detail.up': 'Scroll token up',
	'detail.time': 'Chart timeframe',
	'detail.candles': 'Chart as line or candles',
	'detail.scale': 'Chart price or mcap',
	'token.copy': 'Copy address',
	'token.pin': 'Pin token',
	'token.hide': 'Hide token',
	'token.unhide': 'Show last hidden',
	'token.hidden': 'Hidden tokens',
	'token.why': 'Explain token',
	'sort.menu': 'Sort column',
	'sort.reverse': 'Reverse sort',
	'filter.edit': 'Filter column',
	'filter.clear': 'Clear filter',
	'search.open': 'Search column',
	'window.next': 'Longer time window',
	'window.previous': 'Shorter time window',
	'fields.open': 'Choose fields',
	'bridge.open': 'Bridge tokens',
	'perp.open': 'Cancel orders',
	'wallet.lock': 'Lock wallet',
	'wallet.kill': 'Disable signing',
	'feed.pause': 'Pause feed',
	'feed.retry': 'Reconnect',
	'view.density': 'Row height',
	'view.theme': 'Theme…',
	'view.redraw': 'Redraw screen',
	'preset.prefix': 'Load saved view…',
	'preset.list': 'Saved views',
	'alerts.open': 'Alerts',
	'rewind.open': 'Rewind',
	'markets.open': 'Prediction markets',
	'webhooks.open': 'Webhooks',
	'labels.open': 'Look up wallets',
	'chains.open': 'Choose chains',
	'launchpads.open': 'Choose launchpads',
	'developer.open': 'Tokens of the developer',
	'program.report': 'Write bug report',
	'config.reload': 'Reload configuration',
	'tour.next': 'Tour',
	'help.open': 'Help',
	'program.quit': 'Quit',
	'program.suspend': 'Suspend to the shell',
};

/** A label as a name, where there is no better one: `time frame` is `Time frame`. */
export function paletteName(id: string, label: string): string {
	return PALETTE_NAMES[id] ?? label.charAt(0).toUpperCase() + label.slice(1);
}

/** Where a query is looked for, the best place first. */
export interface Found {
	readonly name: string;
	readonly also: string;
	readonly help: string;
}

/**
 * How well words typed in a hurry name something: each must begin a word of it. The name counts most, then other words that
 * it goes by, then its sentence.
 * @returns undefined when one of the words begins none
 */
export function nameScore({name, also, help}: Found, query: string): number | undefined {
	let score = 0;
	for (const typed of wordsOf(query)) {
		const at = wordsOf(name).findIndex(word => word.startsWith(typed));
		if (at >= 0) score += 30 - at + (wordsOf(name)[at] === typed ? 5 : 0);
		else if (wordsOf(also).some(word => word.startsWith(typed))) score += 15;
		else if (wordsOf(help).some(word => word.startsWith(typed))) score += 1;
		else return undefined;
	}
	return score;
}

function wordsOf(text: string): readonly string[] {
	return text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(word => word !== '');
}
