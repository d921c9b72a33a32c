import {cellWidth} from '../../../text.ts';
import type {BoundKeys} from '../../keymap/binding.ts';

/** A line of the summary: keys and what they do, some words each. */
export interface SummaryLine {
	/** The subject of the keys; empty in the second line of a group. */
	readonly group: string;
	readonly pairs: readonly (readonly [keys: string, what: string])[];
}

/** Cells of the group names. */
export const GROUP_WIDTH = 8;

/** The keys of the columns, by what they are about: actions, and some words for all of them together. */
export const SUMMARY: readonly (readonly [
	group: string,
	entries: readonly (readonly [ids: string, what: string])[],
])[] = [
	[
		'MOVE',
		[
			['cursor.down cursor.up', ''],
			['cursor.first cursor.last', 'ends'],
			['page.down page.up', 'page'],
			['column.next column.previous', 'column'],
			['order.release', 'live'],
		],
	],
	[
		'TOKEN',
		[
			['detail.open', 'open'],
			['token.copy', 'copy'],
			['links.list', 'links'],
			['token.pin', 'pin'],
			['token.hide', 'hide'],
			['token.unhide', 'undo'],
			['token.hidden', 'hidden'],
			['token.why', 'why here'],
			['developer.open', 'same developer'],
		],
	],
	[
		'COLUMN',
		[
			['sort.menu', 'sort'],
			['filter.edit', 'filter'],
			['search.open', 'find'],
			['window.next', 'window'],
			['view.open', 'what I see'],
			['preset.list', 'saved views'],
		],
	],
	[
		'MONEY',
		[
			['trade.buy', 'buy'],
			['trade.sell', 'sell'],
			['bridge.open', 'bridge'],
			['positions.open', 'positions'],
			['wallet.kill', 'lock signing'],
		],
	],
	[
		'MORE',
		[
			['alerts.open', 'alerts'],
			['rewind.open', 'rewind'],
			['feed.pause', 'pause'],
			['feed.retry', 'reconnect'],
			['more.open', 'more'],
			['palette.open', 'any action'],
			['help.open', 'help'],
			['program.quit program.interrupt', 'quit'],
			['program.suspend', 'shell'],
			['view.redraw', 'redraw'],
		],
	],
];

/** A pair as it is read. */
export function pairText([keys, what]: SummaryLine['pairs'][number]): string {
	return what === '' ? keys : `${keys} ${what}`;
}

/** The keys of the columns in a few lines. @param width cells beside the name of a group */
export function summaryLines(keys: BoundKeys, width: number, ascii: boolean): readonly SummaryLine[] {
	return SUMMARY.flatMap(([group, entries]) => {
		const lines: (readonly [string, string])[][] = [[]];
		let used = 0;
		for (const [ids, what] of entries) {
			const names = ids
				.split(' ')
				.map(id => keys.keyOf(id, ascii, 'list'))
				.filter(name => name !== undefined);
			if (names.length === 0) continue;
			const pair = [names.join(' '), what] as const;
			const cells = cellWidth(pairText(pair)) + 2;
			if (used + cells - 2 > width) {
				lines.push([]);
				used = 0;
			}
			used += cells;
			lines.at(-1)!.push(pair);
		}
		const filled = lines.filter(pairs => pairs.length > 0);
		return filled.map((pairs, at) => ({group: at === 0 ? group : '', pairs}));
	});
}
