import {expect, test} from 'vitest';
import {menuContext} from '../../source/ui/create-actions.ts';
import {paletteItems} from '../../source/ui/features/palette/palette-items.ts';
import {keymap} from '../../source/ui/keymap/keymap.ts';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

const names = (typed: string) =>
	paletteItems(typed, menuContext(openTestMonitor().store.get(), false)).map(({label}) => label);

test.each([
	['theme', 'Theme…'],
	[':theme', 'Theme…'],
	['theme li', 'theme light'],
	['light', 'Theme: light'],
	['hide', 'Hide token'],
	['cop', 'Copy address'],
	['bridge', 'Bridge tokens'],
	['quit', 'Quit'],
	['clear', 'Clear filter'],
	['candles', 'Chart: next kind'],
	['chain', 'Choose chains'],
])('%s finds %s first', (typed, first) => {
	expect(names(typed)[0]).toBe(first);
});

test('what is typed must begin words: letters strewn over a sentence find nothing', () => {
	expect(names('hide')).not.toContain('Row height');
	expect(names(':theme')).not.toContain('Look up wallets');
	expect(names('xqz')).toEqual([]);
});

test('names are short and start with a capital', () => {
	for (const {title} of keymap) if (title !== undefined) expect(title).toMatch(/^[A-Z].{1,23}$/);
	for (const name of names('')) expect(name.length).toBeLessThanOrEqual(24);
});

test('the sentence of the marked line stands below what is typed, and Enter runs what is marked', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	monitor.press(':', ':pause');
	expect(monitor.frame()).toMatch(/Pause feed +p/);
	expect(monitor.frame()).toContain('Pause or resume the feed.');
	monitor.press('\r');
	expect(monitor.store.get().paused).toBe(true);
});

test('an empty result says so', () => {
	const monitor = openTestMonitor({size: {columns: 120, rows: 30}});
	monitor.press(':', 'show last');
	expect(monitor.frame()).toMatch(/Show last hidden +\(none\)/);
});
