import {Box} from 'ink';
import {render} from 'ink-testing-library';
import {expect, onTestFinished, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import {createStore} from '../../source/store.ts';
import {DisplayContext, Line} from '../../source/ui/live/lines.tsx';
import {ScreenSize} from '../../source/ui/modals/screen-size.ts';
import {BridgeModal} from '../../source/ui/money/bridge-modal.tsx';
import {type BridgeWindow, type MoneyState, NO_TRANSFER, windowOpened} from '../../source/ui/money/money-state.ts';
import {DISPLAY} from '../helpers/drawn-rows.tsx';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

/** The window of a transfer on a screen of 40x12, with these lines inside. */
function openWindow(body: () => readonly string[]) {
	const money = createStore<MoneyState>({
		wallet: {mode: 'practice', status: 'unlocked'},
		bridge: {...windowOpened(NO_TRANSFER), step: 'form'} as BridgeWindow,
	});
	const scrolled = (scroll: number) =>
		money.apply(state => (state.bridge ? {...state, bridge: {...state.bridge, scroll}} : state));
	const onReveal = (_kind: unknown, scroll: number) => scrolled(scroll);
	const window = () => (
		<DisplayContext value={DISPLAY}>
			<ScreenSize value={{columns: 40, rows: 12}}>
				<Box width={40} height={12}>
					<BridgeModal
						nowMs={0}
						source={{
							money,
							content: () => () => body().map(line => <Line key={line}>{line}</Line>),
							onDrawn() {},
							onReach: reach => money.apply(state => ({...state, reach})),
							onReveal,
						}}
					/>
				</Box>
			</ScreenSize>
		</DisplayContext>
	);
	const app = render(window());
	onTestFinished(() => app.unmount());
	const plain = () => app.lastFrame()!.replace(/\u001b\[[0-9;:]*m/g, '');
	const shown = async (what: string) => {
		await expect
			.poll(() => {
				app.rerender(window());
				return plain();
			})
			.toContain(what);
		return plain();
	};
	return {money, scrolled, shown};
}

test('the effect of a key is in sight, however small the window is', async () => {
	const {money, shown} = openWindow(() => Array.from({length: 12}, (_, at) => `line ${at}`));
	expect(await shown('line 0')).toMatch(/PRACTICE MONEY +↓ 5: PgDn/);
	const problem = {
		code: 'x',
		what: 'The amount is too large',
		why: 'the account has 5',
		next: 'requote',
		advice: 'Less.',
	};
	money.apply(state => ({...state, bridge: {...state.bridge!, problem} as BridgeWindow}));
	expect(await shown('✗ The amount is too large')).toContain('Less.');
});

test('the marked line of a form is in sight, however long the form is, and a person may scroll away from it', async () => {
	let marked = 0;
	const {scrolled, shown} = openWindow(() =>
		Array.from({length: 30}, (_, at) => `${at === marked ? DISPLAY.glyphs.cursor : ' '} order ${at}.`),
	);
	await shown('▌ order 0.');
	for (const next of [20, 29, 3, 0]) {
		marked = next;
		await shown(`▌ order ${next}.`);
	}
	scrolled(10);
	expect(await shown('order 10.')).not.toContain('▌');
});

test('a wallet that could not be opened is opened again with the next press of the key', async () => {
	let attempts = 0;
	const openMoney = () => Promise.reject(new Error(`attempt ${++attempts} failed`));
	const monitor = openTestMonitor({openMoney});
	const link = {...FIRST_LINK, phase: 'live'} as const;
	monitor.store.apply(state => ({...state, link}));
	for (const count of [1, 2]) {
		monitor.press('b');
		await expect.poll(() => monitor.store.get().notice?.text).toContain(`attempt ${count} failed`);
	}
});
