import {expect, test} from 'vitest';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {Mode} from '../../../../source/monitor/mode.ts';
import {SCREENS} from '../../../../source/ui/features.ts';
import {initialScreens} from '../../../../source/ui/screens/create-screens.ts';
import {screenHints} from '../../../../source/ui/screens/hints.ts';
import type {ScreensState} from '../../../../source/ui/screens/screens-state.ts';

const monitor = initialState({
	size: {columns: 80, rows: 24},
	nowMs: 0,
	service: {label: 'x', embedded: true},
	theme: 'dark',
});
type Parts = {readonly [Name in 'prediction' | 'webhooks' | 'labels']?: object} & {readonly reach?: number};

/** The actions that are hinted at, by their ids. */
function hinted(mode: Mode, {prediction, webhooks, labels, reach = 0}: Parts = {}): readonly string[] {
	const initial = initialScreens(SCREENS);
	const screens: ScreensState = {
		...initial,
		prediction: {...initial.prediction, ...prediction},
		webhooks: {...initial.webhooks, ...webhooks},
		labels: {...initial.labels, ...labels},
		reach,
	};
	return Object.keys(screenHints(SCREENS, mode, screens, monitor) ?? {}).toSorted();
}
const typed = (screen: 'prediction' | 'webhooks' | 'labels', text: string): Mode => ({
	kind: 'screenInput',
	screen,
	field: 'x',
	edit: {text, cursor: 0},
});

const HOOKS = {list: {kind: 'ready', value: [{id: 'a'}], atMs: 0}};

test('a screen without lines hints at no keys of a line', () => {
	expect(hinted({kind: 'webhooks'})).toEqual(['board.refresh', 'menu.close', 'webhooks.create']);
	expect(hinted({kind: 'labels'})).toEqual(['labels.type', 'menu.close']);
	expect(hinted({kind: 'webhooks'}, {webhooks: HOOKS})).toEqual(
		expect.arrayContaining(['menu.accept', 'webhooks.edit', 'webhooks.remove']),
	);
});

test('delivering again is hinted at once something could not be delivered', () => {
	const health = (deadLettersCount: number) => new Map([['a', {kind: 'ready', value: {deadLettersCount}, atMs: 0}]]);
	expect(hinted({kind: 'webhooks'}, {webhooks: {...HOOKS, health: health(0)}})).not.toContain('webhooks.redeliver');
	expect(hinted({kind: 'webhooks'}, {webhooks: {...HOOKS, health: health(2)}})).toContain('webhooks.redeliver');
});

test('a question hints at its answers alone', () => {
	expect(hinted({kind: 'webhooks'}, {webhooks: {...HOOKS, step: 'remove', cursor: 'a'}})).toEqual([
		'menu.accept',
		'menu.close',
		'webhooks.turn',
	]);
	expect(hinted({kind: 'webhooks'}, {webhooks: {...HOOKS, step: 'remove', cursor: 'gone'}})).toEqual([
		'board.refresh',
		'menu.close',
	]);
});

test('a page hints at scrolling as far as there is something to see, and not to open it once more', () => {
	const open = {open: 'platformA:1', scroll: 3};
	expect(hinted({kind: 'prediction'}, {prediction: open, reach: 9})).toContain('board.pageDown');
	expect(hinted({kind: 'prediction'}, {prediction: open, reach: 3})).toContain('board.pageUp');
	expect(hinted({kind: 'prediction'}, {prediction: {...open, scroll: 0}})).toEqual([
		'board.refresh',
		'markets.watch',
		'menu.close',
		'menu.copy',
		'vault.open',
	]);
});

test('a line that is typed hints at the next one only where there is one', () => {
	expect(hinted(typed('labels', ''))).toEqual(['prompt.accept', 'prompt.cancel']);
	expect(hinted(typed('prediction', 'x'))).toEqual(['edit.line', 'prompt.accept', 'prompt.cancel']);
	expect(hinted(typed('webhooks', ''), {webhooks: {step: 'create'}})).toContain('form.next');
	expect(hinted(typed('webhooks', ''), {webhooks: {step: 'edit'}})).not.toContain('form.next');
});
