import {expect, test} from 'vitest';
import {editOf} from '../../../source/monitor/transitions/text-edit.ts';
import {
	type MoneyKind,
	type MoneyState,
	type MoneyStep,
	NO_TRANSFER,
	windowOpened,
	windowScrolled,
} from '../../../source/ui/money/money-state.ts';
import {createMoneyWindow} from '../../helpers/money-windows.ts';

const WALLET = {mode: 'practice', status: 'unlocked'} as const;
const token = (symbol: string) => ({chainId: 'evm:8453', address: `0x${symbol}`, symbol, decimals: 6});
const CONTRACT = {role: 'batch executor', chainId: 8453, address: '0x1'};

/** The hints of a window in a step, as they stand in the line below: action and label. */
function hints(kind: MoneyKind, step: MoneyStep, more: object, state: Partial<MoneyState> = {}): string {
	const {keys, put} = createMoneyWindow(kind);
	put({step, ...more}, {wallet: WALLET, ...state});
	return words(keys.hints());
}
const bridge = (step: MoneyStep, more: object = {}, reach = 0) => hints('bridge', step, more, {reach});
const perp = (step: MoneyStep, more: object = {}, wallet: MoneyState['wallet'] = WALLET) =>
	hints('perp', step, more, {wallet});
const vault = (step: MoneyStep, more: object = {}) => hints('predictionAccount', step, more);

function words(offers: Readonly<Record<string, string>>): string {
	return Object.entries(offers)
		.map(([id, label]) => `${id.replace(/^\w+\./, '')}=${label}`)
		.join(', ');
}

test('a step offers the keys that do something in it, and no other', () => {
	expect(bridge('opening')).toBe('back=close');
	expect(bridge('no-wallet')).toBe('back=close');
	expect(bridge('unlock')).toBe('accept=unlock, back=close');
	expect(bridge('accept', {view: {toAccept: [CONTRACT]}})).toBe('accept=accept, back=back');
	expect(perp('accept', {view: {toAccept: [CONTRACT]}})).toBe('accept=accept, back=back');
	expect(vault('accept', {view: {toAccept: [CONTRACT]}})).toBe('accept=accept, back=back');
	expect(vault('unavailable')).toBe('back=close');
});

test('while something is under way only the way out is offered', () => {
	expect(bridge('form', {busy: 'Asking'})).toBe('back=close');
	expect(perp('accept', {busy: 'Remembering it', view: {toAccept: [CONTRACT]}})).toBe('back=back');
});

test('a form offers its arrow keys where there is something to choose', () => {
	const form = {...NO_TRANSFER, origins: [token('A'), token('B')], destinations: [token('A')]};
	expect(bridge('form')).toBe('back=close');
	expect(bridge('form', {form})).toBe('accept=get a quote, next=next line, right=other token, back=close');
	expect(bridge('form', {form: {...form, field: 'amount'}})).toBe('accept=get a quote, next=next line, back=close');
	expect(bridge('form', {form: {...form, field: 'to'}})).toBe('accept=get a quote, next=next line, back=close');
	// Making an account has no amount: there is no other line to go to.
	expect(vault('form', {form: {action: 'deploy', field: 'action'}})).toBe(
		'accept=get a proposal, right=other action, back=close',
	);
	expect(vault('form', {form: {action: 'deposit', field: 'amount'}})).toBe(
		'accept=get a proposal, next=next line, back=close',
	);
});

test('a review offers what comes next, and where a check has failed another try', () => {
	const plan = {};
	const failed = {ok: false};
	const checks: object[] = [];
	expect(bridge('review', {view: {toAccept: [], checks, plan, state: {phase: 'reviewed'}}})).toBe(
		'accept=confirm, next=details, raw=raw, export=to file, back=back',
	);
	expect(
		bridge('review', {shows: 'raw', view: {toAccept: [CONTRACT], checks: [failed], plan, state: {phase: 'quoted'}}}),
	).toBe('accept=show the contract, next=details, raw=summary, export=to file, back=back');
	// Who can't sign anyway is not led through contracts first.
	expect(bridge('review', {view: {toAccept: [CONTRACT], checks: [failed, failed], state: {phase: 'quoted'}}})).toBe(
		'accept=check again, back=back',
	);
	expect(perp('review', {view: {toAccept: [], checks: [failed], plan, state: {phase: 'built'}}})).toBe(
		'accept=ask again, next=details, raw=raw, export=to file, back=back',
	);
	expect(perp('review', {view: {toAccept: [], checks, plan: {clock: {}}, state: {phase: 'reviewed'}}})).toBe(
		'accept=confirm, next=details, raw=raw, export=to file, back=back',
	);
});

test('the confirmation says what Enter does, and offers the other answer once it can be chosen', () => {
	const view = {quoted: {request: {amountRaw: 25_000_000n, decimals: 6}}, toAccept: [], state: {phase: 'reviewed'}};
	expect(bridge('confirm', {view, typed: editOf('2')})).toBe('accept=cancel, back=back');
	expect(bridge('confirm', {view, typed: editOf('25')})).toBe('accept=cancel, next=switch, back=back');
	expect(bridge('confirm', {view, typed: editOf('25'), answer: 'sign'})).toBe(
		'accept=sign and send, next=switch, back=back',
	);
	// "Cancel" would be read as "cancel the order" here.
	expect(perp('confirm')).toBe('accept=keep, next=switch, back=back');
	expect(perp('confirm', {answer: 'sign'})).toBe('accept=sign and cancel it, next=switch, back=back');
});

test('a list of one order has no next one, and an empty one says what Enter does', () => {
	expect(perp('form', {view: {targets: [{}]}})).toBe('accept=review the cancel, back=close');
	expect(perp('form', {view: {targets: [{}, {}]}})).toBe('accept=review the cancel, next=next order, back=close');
	expect(perp('form', {view: {targets: []}})).toBe('accept=place an order, back=close');
	expect(perp('form', {view: {targets: []}}, {...WALLET, mode: 'real'})).toBe('accept=read again, back=close');
});

test('scrolling is offered as far as there is something to see', () => {
	const view = {toAccept: [CONTRACT]};
	expect(bridge('accept', {view, scroll: 0}, 5)).toContain('pageDown=scroll');
	expect(bridge('accept', {view, scroll: 5}, 5)).toBe('accept=accept, back=back, pageUp=scroll up');
	expect(bridge('accept', {view, scroll: 2}, 5)).toMatch(/pageDown=scroll, pageUp=scroll up$/);
});

test('a window that was scrolled to its end comes back with the first step', () => {
	const end = windowScrolled(windowScrolled(windowOpened(NO_TRANSFER), 90, {reach: 40}), 90, {reach: 40});
	expect(end.scroll).toBe(40);
	expect(windowScrolled(end, -16, {reach: 40}).scroll).toBe(24);
	// A larger terminal shows more at once: what was scrolled beyond its end does not have to be scrolled back.
	expect(windowScrolled(end, -1, {reach: 10}).scroll).toBe(9);
});
