import {describe, expect, test} from 'vitest';
import {MONEY_KINDS, SIGHT_MS} from '../../../source/ui/money/money-state.ts';
import {createMoneyWindow, FINGERPRINT_END, settled} from '../../helpers/money-windows.ts';
import {fc} from '../../helpers/properties.ts';

type Window = ReturnType<typeof createMoneyWindow>;

/** Keys, and what happens by itself. */
const ACTS: Readonly<Record<string, (window: Window) => unknown>> = {
	enter: ({keys}) => keys.accept(),
	esc: ({keys}) => keys.back() || keys.close(),
	tab: ({keys}) => keys.move(1),
	left: ({keys}) => keys.turn(-1),
	raw: ({keys}) => keys.toggle('raw'),
	details: ({keys}) => keys.toggle('details'),
	paste: ({keys}) => keys.paste('5'),
	erase: ({keys}) => keys.edit(() => ({text: '', cursor: 0})),
	digit: window => window.type('1'),
	wanted: window => window.type(window.wanted() ?? ''),
	fingerprint: window => window.type(FINGERPRINT_END),
	draw: window => window.draw(),
	see: window => window.see(),
	settle: () => settled(),
	lock: window => window.lock(),
	end: window => window.shown().step === 'status' && window.end(),
	async reopen({keys}) {
		keys.close();
		await keys.open();
	},
	async minute(window) {
		window.wait(61_000);
		window.keys.tick?.();
		await settled();
	},
};
const KEYS = Object.keys(ACTS);

/*
 * The rules of every money window, each tried in all of them. What a window adds of its own (its form, its list, its words)
 * is tested beside its code.
 */
describe.each(MONEY_KINDS)('the %s window', kind => {
	test('signs after a form, a review and a confirmation, each of them seen', async () => {
		const window = createMoneyWindow(kind);
		await window.toConfirm();
		expect(window.shown().step).toBe('confirm');
		const {plan} = window.shown().view!;
		window.see();
		window.type(window.wanted() ?? '');
		window.keys.turn(1);
		expect(window.shown().answer).toBe('sign');
		await window.keys.accept();
		expect(window.signed).toEqual([plan]);
		expect(window.shown().step).toBe('status');
	});

	test('goes back to the review with the reason when a check fails at the signature, and signs the next one', async () => {
		const window = createMoneyWindow(kind);
		window.isWorse = true;
		await window.toConfirm();
		window.see();
		window.type(window.wanted() ?? '');
		window.keys.turn(1);
		await window.keys.accept();
		expect(window.signed).toEqual([]);
		expect(window.shown()).toMatchObject({step: 'review', problem: {what: 'Something went wrong inside pulsetop'}});
		window.isWorse = false;
		window.see();
		await window.keys.accept();
		window.see();
		window.type(window.wanted() ?? '');
		window.keys.turn(1);
		await window.keys.accept();
		expect(window.signed).toHaveLength(1);
	});

	test.each(['review', 'confirm', 'accept'])(
		'asks for the passphrase where the wallet locks itself in the step %s, then for a fresh plan that is seen and confirmed',
		async step => {
			for (const how of ['a key', 'a second'] as const) {
				const window = createMoneyWindow(kind, {isNew: step === 'accept'});
				await (step === 'review' ? window.toReview() : window.toConfirm());
				expect(window.shown().step).toBe(step);
				window.see();
				const requests = window.asked.length;
				window.lock();
				if (how === 'a key') await window.keys.accept();
				else window.keys.tick();
				await settled();
				expect(window.shown().step).toBe('unlock');
				expect(window.text()).toMatch(/locked itself: nothing was typed or signed for 300 s\. Nothing was sent\./);
				window.type('the passphrase');
				await window.keys.accept();
				await settled();
				expect(window.passphrases).toEqual(['the passphrase']);
				expect(window.shown().step).toBe('review');
				expect(window.asked.length).toBe(requests + 1);
				// Unseen, it leads nowhere.
				await window.keys.accept();
				expect(window.shown().step).toBe('review');
				expect(window.signed).toEqual([]);
			}
		},
	);

	test('asks for the passphrase where the wallet locks itself over the form, and keeps what was typed', async () => {
		const window = createMoneyWindow(kind);
		await window.fill();
		const {form} = window.shown();
		window.lock();
		await window.keys.accept();
		expect(window.shown().step).toBe('unlock');
		expect(window.asked).toEqual([]);
		window.type('the passphrase');
		await window.keys.accept();
		expect(window.shown().step).toBe('form');
		expect(window.shown().form).toEqual(form);
	});

	test('opens a practice wallet that has locked itself without a word, and asks for a fresh plan', async () => {
		const window = createMoneyWindow(kind);
		await window.toReview();
		window.see();
		window.put({}, {wallet: {mode: 'practice', status: 'locked'}});
		window.keys.tick();
		expect(window.shown().step).toBe('review');
		const requests = window.asked.length;
		await window.keys.accept();
		await settled();
		expect([window.shown().step, window.asked.length]).toEqual(['review', requests + 1]);
	});

	test('asks for a fresh plan in place of one that is too old to sign, at the review and at the answer', async () => {
		// A trade asks for a fresh quote at every confirmation.
		for (const step of kind === 'trade' ? ['review'] : ['review', 'confirm']) {
			const window = createMoneyWindow(kind);
			await (step === 'review' ? window.toReview() : window.toConfirm());
			window.see();
			window.wait(61_000);
			expect(window.text()).toMatch(/The (quote|payload|proposal) is too old to sign/);
			const requests = window.asked.length;
			if (step === 'confirm') {
				window.type(window.wanted() ?? '');
				window.keys.turn(1);
			}
			await window.keys.accept();
			await settled();
			expect([window.shown().step, window.asked.length, window.signed]).toEqual(['review', requests + 1, []]);
		}
	});

	test('asks once, before any request, which amount is meant by one with separators', async () => {
		if (kind === 'perp') return;
		for (const typed of ['1.000', '1,000', "1'000", '1.234.567', '1 000']) {
			const window = createMoneyWindow(kind);
			await window.keys.open();
			window.see();
			window.type(`${kind === 'trade' ? '$' : ''}${typed}`);
			await window.keys.accept();
			expect(window.asked).toEqual([]);
			expect(window.shown()).toMatchObject({
				step: 'form',
				problem: {code: 'amount-unclear', why: expect.stringContaining(typed)},
			});
			window.keys.edit(() => ({text: '1', cursor: 1}));
			await window.keys.accept();
			expect([window.shown().step, window.asked.length]).toEqual(['review', 1]);
		}
	});

	test('goes from the review nowhere before the review was drawn, and in sight for a moment', async () => {
		const window = createMoneyWindow(kind);
		await window.toReview();
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
		window.draw();
		window.wait(SIGHT_MS - 1);
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
		window.wait(1);
		await window.keys.accept();
		expect(window.shown().step).toBe('confirm');
	});

	test('takes no text and no other answer in a confirmation that was not seen', async () => {
		const window = createMoneyWindow(kind);
		await window.toConfirm();
		window.type(window.wanted() ?? 'x');
		window.keys.turn(1);
		expect(window.shown()).toMatchObject({answer: 'cancel', typed: {text: ''}});
		window.keys.move(1);
		expect(window.shown().answer).toBe('cancel');
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
		expect(window.signed).toEqual([]);
	});

	test('stays on Cancel until the other answer is chosen: Enter alone goes back to the review', async () => {
		const window = createMoneyWindow(kind);
		await window.toConfirm();
		window.see();
		window.type(window.wanted() ?? '');
		await window.keys.accept();
		expect(window.shown()).toMatchObject({step: 'review', answer: 'cancel', typed: {text: ''}});
		expect(window.signed).toEqual([]);
	});

	test('offers the answer that signs only over the exact text, and takes it back when the text changes', async () => {
		const window = createMoneyWindow(kind);
		await window.toConfirm();
		const wanted = window.wanted();
		if (wanted === undefined) return;
		window.see();
		for (const typed of ['', '4', '50']) {
			window.type(typed);
			window.keys.turn(1);
			expect(window.shown().answer).toBe('cancel');
			window.keys.edit(() => ({text: '', cursor: 0}));
		}
		window.type(wanted);
		window.keys.move(1);
		expect(window.shown().answer).toBe('sign');
		window.type('0');
		expect(window.shown().answer).toBe('cancel');
		window.keys.move(1);
		expect(window.shown().answer).toBe('cancel');
	});

	test('has no step in which a paste confirms, accepts or chooses anything', async () => {
		const window = createMoneyWindow(kind, {isNew: true});
		const unchanged = async () => {
			window.see();
			const before = window.shown();
			for (const text of ['5', '5\t\r', FINGERPRINT_END, 'y']) window.keys.paste(text);
			await settled();
			expect(window.shown()).toEqual(before);
		};
		await window.toReview();
		await unchanged();
		await window.keys.accept();
		expect(window.shown().step).toBe('accept');
		await unchanged();
		window.type(FINGERPRINT_END);
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
		window.see();
		await window.keys.accept();
		expect(window.shown().step).toBe('confirm');
		await unchanged();
		window.type(window.wanted() ?? '');
		window.keys.turn(1);
		await window.keys.accept();
		expect(window.shown().step).toBe('status');
		await unchanged();
	});

	test('takes the end of a fingerprint only from a step that was seen', async () => {
		const window = createMoneyWindow(kind, {isNew: true});
		await window.toReview();
		window.see();
		await window.keys.accept();
		expect(window.shown().step).toBe('accept');
		window.type(FINGERPRINT_END);
		expect(window.shown().typed.text).toBe('');
		window.see();
		window.type('aaaaaa');
		await window.keys.accept();
		expect(window.shown()).toMatchObject({step: 'accept'});
		expect(window.shown().problem).toBeDefined();
		window.keys.edit(() => ({text: '', cursor: 0}));
		window.type(FINGERPRINT_END);
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
	});

	test('goes one step back on Esc: to the review from what follows it, then to the form, then out', async () => {
		const window = createMoneyWindow(kind, {isNew: true});
		await window.toReview();
		window.see();
		await window.keys.accept();
		window.see();
		window.type('abc');
		expect(window.keys.back()).toBe(true);
		expect(window.shown()).toMatchObject({step: 'review', typed: {text: ''}});
		expect(window.keys.back()).toBe(true);
		expect(window.shown().step).toBe('form');
		expect(window.keys.back()).toBe(false);
		expect(window.signed).toEqual([]);
	});

	test('leads from an edit after the review to another review, which has to be seen like the first', async () => {
		const window = createMoneyWindow(kind);
		await window.toConfirm();
		window.see();
		const {plan} = window.shown().view!;
		window.keys.back();
		window.see();
		window.keys.back();
		window.see();
		if (kind === 'perp') window.keys.move(1);
		else window.type('1');
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
		expect(window.shown().view!.plan).not.toBe(plan);
		expect(window.asked).toHaveLength(2);
		await window.keys.accept();
		expect(window.shown().step).toBe('review');
	});

	test('sends one request until its response, however often Enter is pressed', async () => {
		const window = createMoneyWindow(kind);
		await window.fill();
		window.service.hold();
		const first = window.keys.accept();
		await window.keys.accept();
		await window.keys.accept();
		expect(window.shown().busy).toBeDefined();
		await window.service.release();
		await first;
		expect(window.asked).toHaveLength(1);
		expect(window.shown()).toMatchObject({step: 'review'});
		expect(window.shown().busy).toBeUndefined();
	});

	test('shows what decides first, and every fact and check as details, one key away', async () => {
		const window = createMoneyWindow(kind);
		await window.toReview();
		window.see();
		const summary = window.text(120);
		expect(summary).toContain('✓ 1 checks passed. Enter goes on to the confirmation.');
		expect(summary).not.toMatch(/you send.*\n(.*\n)*.*nonce +7/);
		expect(window.hints()).toMatchObject({'form.next': 'details'});
		window.keys.toggle('details');
		expect(window.text(120)).toMatch(/nonce +7[\s\S]*contract is the known one: /);
		expect(window.hints()).toMatchObject({'form.next': 'summary', 'money.accept': 'confirm'});
		window.keys.toggle('details');
		expect(window.text(120)).toBe(summary);
		await window.keys.accept();
		expect(window.shown().step).toBe('confirm');
		// In another step the same key does nothing to what is shown.
		window.keys.toggle('details');
		expect(window.shown().shows).toBe('summary');
	});

	test('says that Enter goes on only where it does, and names a failed check in review and status', async () => {
		const window = createMoneyWindow(kind);
		await window.toReview();
		expect(window.text(120)).toContain('Enter goes on to the confirmation');
		window.wait(61_000);
		expect(window.text(120)).toMatch(/too old to sign\. Enter gets a fresh one\./);
		expect(window.text(120)).not.toContain('Enter goes on');
		const view = window.shown().view as {readonly state: object};
		const phase = kind === 'bridge' || kind === 'trade' ? 'quoted' : 'built';
		const state = {...view.state, phase};
		window.put({step: 'review', view: {...view, plan: undefined, checks: [], state}});
		expect(window.text(120)).not.toContain('Enter goes on');
		const checks = [{name: 'x', title: 'payload is fresh', ok: false, detail: '70 s old', advice: 'Ask sooner.'}];
		for (const step of ['review', 'status']) {
			window.put({step, view: {...view, checks, state}});
			expect(window.text(120)).toMatch(/✗ payload is fresh: 70 s old\n {2}→ Ask sooner\./);
			expect(window.text(120)).not.toContain('Enter goes on');
		}
	});

	test('shows in the raw view exactly what is signed, one key away from the confirmation', async () => {
		const window = createMoneyWindow(kind);
		await window.toReview();
		window.see();
		expect(Object.keys(window.hints())).toEqual(
			expect.arrayContaining(['money.accept', 'money.raw', 'money.export', 'money.back']),
		);
		window.keys.toggle('raw');
		expect(window.text()).toContain('Exactly this is signed and sent.');
		expect(window.text()).toMatch(/\n\{\n/);
		window.keys.toggle('raw');
		expect(window.text()).not.toContain('Exactly this is signed');
		await window.keys.accept();
		expect(window.shown().step).toBe('confirm');
		window.keys.back();
		expect(window.hints()).toHaveProperty(['money.raw']);
	});

	test('opens on what is under way: nothing else can be begun before its end', async () => {
		const window = createMoneyWindow(kind);
		await window.toConfirm();
		window.see();
		window.type(window.wanted() ?? '');
		window.keys.turn(1);
		await window.keys.accept();
		window.keys.close();
		expect(window.store.get()[kind]).toBeUndefined();
		await window.keys.open();
		expect(window.shown().step).toBe('status');
		window.see();
		await window.keys.accept();
		expect(window.shown().step).toBe('status');
		expect(window.signed).toHaveLength(1);
		window.end();
		await window.keys.accept();
		expect(window.shown().step).toBe('form');
	});

	test('changes nothing by work that an earlier opening of it still does', async () => {
		const window = createMoneyWindow(kind);
		window.opening.hold();
		const first = window.keys.open();
		window.keys.close();
		const second = window.keys.open();
		await window.opening.releaseLast();
		await second;
		expect(window.shown().step).toBe('form');
		if (kind === 'perp') window.keys.move(1);
		else window.type('7');
		const shown = window.shown();
		await window.opening.release();
		await first;
		expect(window.shown()).toEqual(shown);

		// A response that comes after the window was closed and opened again belongs to no form that is shown.
		await window.fill();
		window.service.hold();
		const asking = window.keys.accept();
		await settled();
		window.keys.close();
		const reopening = window.keys.open();
		await settled();
		await window.service.release();
		await Promise.all([asking, reopening]);
		expect(window.shown()).toMatchObject({step: 'form'});
		expect(window.shown().view?.plan).toBeUndefined();
	});

	test('hands a passphrase to the key file once, and forgets and never shows it', async () => {
		const window = createMoneyWindow(kind);
		window.isLocked = true;
		await window.keys.open();
		expect(window.shown().step).toBe('unlock');
		window.type('open ');
		window.keys.paste(' sesame\n');
		expect(window.text()).not.toMatch(/sesame/);
		await window.keys.accept();
		expect(window.passphrases).toEqual(['open sesame']);
		expect(window.shown().step).toBe('form');
		expect(
			JSON.stringify(window.store.get(), (_, part) => (typeof part === 'bigint' ? String(part) : part)),
		).not.toMatch(/sesame/);
	});

	test('a review that was seen before the window was opened again does not count for the next one', async () => {
		const window = createMoneyWindow(kind);
		await window.toReview();
		window.see();
		window.keys.close();
		await window.keys.open();
		if (kind !== 'perp') window.type(kind === 'trade' ? '$5' : '5');
		await window.keys.accept();
		const {step} = window.shown();
		await window.keys.accept();
		expect(window.shown().step).toBe(step);
		expect(step).not.toBe('confirm');
	});

	test('never signs, with any keys, what a shown review and confirmation did not contain', async () => {
		// Whole steps among single keys, or hardly a sequence would come to a signature.
		const keys = fc.oneof(
			{weight: 5, arbitrary: fc.constantFrom(['see', 'enter'], ['see', 'wanted', 'tab', 'enter'])},
			{weight: 1, arbitrary: fc.constantFrom(['see', 'fingerprint', 'enter'], ['enter', 'wanted', 'tab', 'enter'])},
			{weight: 3, arbitrary: fc.constantFrom(...KEYS).map(name => [name])},
		);
		await fc.assert(
			fc.asyncProperty(fc.boolean(), fc.array(keys, {minLength: 5, maxLength: 30}), async (isNew, pressed) => {
				const window = createMoneyWindow(kind, {isNew});
				await window.fill();
				/** Plans that were in sight, by step. */
				const seen = {review: new Set<unknown>(), confirm: new Set<unknown>()};
				const note = () => {
					const {step, view} = window.shown();
					if (step === 'review' || step === 'confirm') seen[step].add(view?.plan);
				};
				for (const name of pressed.flat()) {
					await ACTS[name]!(window);
					if (name === 'see') note();
					for (const plan of window.signed) {
						expect(seen.review.has(plan)).toBe(true);
						expect(seen.confirm.has(plan)).toBe(true);
					}
					if (window.store.get()[kind] === undefined) await window.fill();
				}
			}),
			{
				numRuns: 150,
				examples: [
					[
						false,
						[
							['see', 'enter'],
							['see', 'enter'],
							['reopen'],
							['paste'],
							['enter', 'wanted', 'tab', 'enter'],
							['draw'],
							['see', 'wanted', 'tab', 'enter'],
						],
					],
				],
			},
		);
	});
});
