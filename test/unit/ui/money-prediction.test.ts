import {beforeEach, expect, test} from 'vitest';
import {textInserted} from '../../../source/monitor/transitions/text-edit.ts';
import {createStore, type Store} from '../../../source/store.ts';
import type {PredictionPlace} from '../../../source/trading/prediction/checks.ts';
import type {PredictionFlow, PredictionView} from '../../../source/trading/prediction/flow.ts';
import {CHOOSING} from '../../../source/trading/prediction/machine.ts';
import {createController, type MoneyWindow} from '../../../source/ui/money/controller.ts';
import type {MoneyState} from '../../../source/ui/money/money-state.ts';
import type {MoneyWallet} from '../../../source/ui/money/money-wallet.ts';
import {predictionPart} from '../../../source/ui/money/prediction.ts';
import {drawnTexts} from '../../helpers/drawn-rows.tsx';

const PLACE = {chainId: 'evm:137', symbol: 'USDC', decimals: 6} as PredictionPlace;
const FACTS = {
	owner: `0x${'1'.repeat(40)}`,
	account: `0x${'2'.repeat(40)}`,
	isDeployed: true,
	walletRaw: 1_000_000_000n,
	accountRaw: 12_500_000n,
	coinsRaw: 10n ** 18n,
};

let store: Store<MoneyState>;
let keys: MoneyWindow;
let asked: unknown[][];
let facts: typeof FACTS;
let changed: () => void;

beforeEach(async () => {
	asked = [];
	facts = FACTS;
	const flow = {
		get view() {
			return {state: CHOOSING, place: PLACE, facts, checks: [], lines: [], toAccept: []} as unknown as PredictionView;
		},
		subscribe(listener: () => void) {
			changed = listener;
			return () => {};
		},
		read: async () => facts,
		dismiss() {},
		build: async (...input: unknown[]) => void asked.push(input),
	} as unknown as PredictionFlow;
	store = createStore<MoneyState>({wallet: {mode: 'practice', status: 'unlocked', address: FACTS.owner}});
	const wallet = {openingText: () => 'Opening', open: async () => 'unlocked'} as unknown as MoneyWallet;
	const part = predictionPart({place: async () => PLACE, flowOf: async () => flow});
	keys = createController(part, {store, wallet, nowMs: () => 0, documentsDir: 'nowhere'});
	await keys.open();
});

const shown = () => store.get().predictionAccount!;
const type = (typed: string) => {
	for (const key of typed) keys.edit(edit => textInserted(edit, key));
};

test('an amount over the balance is refused here with a text, and Esc goes back to the typed amount', async () => {
	type('99');
	await keys.accept();
	expect(shown()).toMatchObject({
		step: 'form',
		problem: {what: 'You have 12.5 USDC', why: '99 USDC is more than your balance in the account'},
	});
	expect(keys.back()).toBe(true);
	expect(shown().problem).toBeUndefined();
	expect(shown().form.amount.text).toBe('99');
	expect(keys.back()).toBe(false);

	keys.turn(-1);
	await keys.open();
	keys.turn(-1);
	type('1000.5');
	await keys.accept();
	expect(shown().problem).toMatchObject({
		what: 'You have 1,000 USDC',
		why: '1,000.5 USDC is more than your balance in the wallet',
	});
	expect(asked).toEqual([]);
});

test.each([
	['', /digits with at most one dot/],
	['0', /more than 0/],
	['1.0000001', /6 decimal places/],
])('the amount "%s" is refused without a request', async (typed, why) => {
	type(typed);
	await keys.accept();
	expect(shown().problem?.why).toMatch(why);
	expect(asked).toEqual([]);
});

test('max is all that the action can move: of the account, or of the wallet', async () => {
	type('max');
	expect(shown().form.amount.text).toBe('12.5');
	await keys.accept();
	expect(asked).toEqual([['withdraw', '12.5']]);

	await keys.open();
	keys.turn(-1);
	type('max');
	expect(shown().form.amount.text).toBe('1000');
	await keys.accept();
	expect(asked.at(-1)).toEqual(['deposit', '1000']);
});

/** The actions that the form offers, from the one it begins with. */
function offered(): string[] {
	const actions: string[] = [];
	for (let {action} = shown().form; !actions.includes(action); {action} = shown().form) {
		actions.push(action);
		keys.turn(1);
	}
	return actions;
}

test('an account that exists is not offered to be created, and one that does not exist has nothing to withdraw', async () => {
	expect(offered()).toEqual(['withdraw', 'deposit']);

	facts = {...FACTS, accountRaw: 0n};
	await keys.open();
	expect(offered()).toEqual(['deposit', 'withdraw']);

	facts = {...FACTS, isDeployed: false, accountRaw: 0n};
	await keys.open();
	expect(offered()).toEqual(['deploy', 'deposit']);
});

test('an account that another run created while the form was open is not offered to be created any more', async () => {
	facts = {...FACTS, isDeployed: false, accountRaw: 0n};
	await keys.open();
	expect(shown().form.action).toBe('deploy');
	facts = FACTS;
	changed();
	expect(shown().form.action).toBe('deposit');
	expect(offered()).toEqual(['deposit', 'withdraw']);
});

test('what is typed as soon as the form is there goes into the amount, and what came before it goes nowhere', async () => {
	const opened = keys.open();
	type('7');
	keys.move(1);
	await keys.accept();
	await opened;
	expect(shown()).toMatchObject({step: 'form', form: {field: 'action', amount: {text: ''}}});
	keys.move(1);
	type('99');
	expect(shown()).toMatchObject({form: {action: 'withdraw', field: 'amount', amount: {text: '99'}}});
	expect(asked).toEqual([]);
});

test('balances stand in the window with thousands apart, and the field says what can be typed', () => {
	const text = drawnTexts(keys.content(0), 90).join('\n');
	expect(text).toContain('1,000 USDC');
	expect(text).toMatch(/amount +e\.g\. 12\.5, or max/);
});
