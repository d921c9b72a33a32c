import {expect, test} from 'vitest';
import {initialState} from '../../../source/monitor/initial-state.ts';
import type {Mode} from '../../../source/monitor/mode.ts';
import {boardOffers} from '../../../source/ui/boards/board-offers.ts';
import {type BoardsState, NO_BOARDS} from '../../../source/ui/screens/screens-state.ts';

const monitor = initialState({
	size: {columns: 80, rows: 24},
	nowMs: 0,
	service: {label: 'x', embedded: true},
	theme: 'dark',
});
type Parts = {readonly [Board in 'markets' | 'webhooks' | 'labels']?: object} & {readonly reach?: number};

/** The actions that are offered, by their ids. */
function offered(mode: Mode, {markets, webhooks, labels, reach = 0}: Parts = {}): readonly string[] {
	const boards = {
		markets: {...NO_BOARDS.markets, ...markets},
		webhooks: {...NO_BOARDS.webhooks, ...webhooks},
		labels: {...NO_BOARDS.labels, ...labels},
		reach,
	} as BoardsState;
	return Object.keys(boardOffers(mode, boards, monitor) ?? {}).toSorted();
}
const typed = (board: 'markets' | 'webhooks' | 'labels', text: string): Mode => ({
	kind: 'boardInput',
	board,
	field: 'x',
	edit: {text, cursor: 0},
});

const HOOKS = {list: {kind: 'ready', value: [{id: 'a'}], atMs: 0}};

test('a board without lines offers no keys of a line', () => {
	expect(offered({kind: 'webhooks'})).toEqual(['board.back', 'board.refresh', 'webhooks.create']);
	expect(offered({kind: 'labels'})).toEqual(['board.back', 'labels.type']);
	expect(offered({kind: 'markets'})).not.toContain('board.accept');
	expect(offered({kind: 'webhooks'}, {webhooks: HOOKS})).toEqual(
		expect.arrayContaining(['board.accept', 'webhooks.edit', 'webhooks.remove']),
	);
});

test('what could not be delivered is offered once there is some', () => {
	const health = (deadLettersCount: number) => new Map([['a', {kind: 'ready', value: {deadLettersCount}, atMs: 0}]]);
	expect(offered({kind: 'webhooks'}, {webhooks: {...HOOKS, health: health(0)}})).not.toContain('webhooks.redeliver');
	expect(offered({kind: 'webhooks'}, {webhooks: {...HOOKS, health: health(2)}})).toContain('webhooks.redeliver');
});

test('a question offers its answers alone', () => {
	expect(offered({kind: 'webhooks'}, {webhooks: {...HOOKS, step: 'remove'}})).toEqual([
		'board.accept',
		'board.back',
		'webhooks.turn',
	]);
});

test('a page offers scrolling as far as there is something to see, and not to open it once more', () => {
	const open = {open: 'platformA:1', scroll: 3};
	expect(offered({kind: 'markets'}, {markets: open, reach: 9})).toContain('board.pageDown');
	expect(offered({kind: 'markets'}, {markets: open, reach: 3})).toContain('board.pageUp');
	expect(offered({kind: 'markets'}, {markets: {...open, scroll: 0}})).toEqual([
		'board.back',
		'board.copy',
		'board.refresh',
		'markets.watch',
		'vault.open',
	]);
});

test('a line that is typed offers the next one only where there is one', () => {
	expect(offered(typed('labels', ''))).toEqual(['boardInput.accept', 'boardInput.cancel']);
	expect(offered(typed('markets', 'x'))).toEqual(['boardInput.accept', 'boardInput.cancel', 'edit.line']);
	expect(offered(typed('webhooks', ''), {webhooks: {step: 'create'}})).toContain('boardInput.next');
	expect(offered(typed('webhooks', ''), {webhooks: {step: 'edit'}})).not.toContain('boardInput.next');
});
