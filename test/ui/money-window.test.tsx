import {Box} from 'ink';
import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {FIRST_LINK} from '../../source/client/feed/feed-events.ts';
import {createStore} from '../../source/store.ts';
import {DisplayContext, Line} from '../../source/ui/live/lines.tsx';
import {ScreenSize} from '../../source/ui/modals/screen-size.ts';
import {BridgeModal} from '../../source/ui/money/bridge-modal.tsx';
import {type BridgeWindow, type MoneyState, NO_TRANSFER, windowOpened} from '../../source/ui/money/money-state.ts';
import {DISPLAY} from '../helpers/drawn-rows.tsx';
import {openTestMonitor} from '../helpers/monitor-app.tsx';

test('the effect of a key is in sight, however small the window is', async () => {
	const money = createStore<MoneyState>({
		wallet: {mode: 'practice', status: 'unlocked'},
		bridge: {...windowOpened(NO_TRANSFER), step: 'form'} as BridgeWindow,
	});
	const body = Array.from({length: 12}, (_, at) => `line ${at}`);
	const window = () => (
		<DisplayContext value={DISPLAY}>
			<ScreenSize value={{columns: 40, rows: 12}}>
				<Box width={40} height={12}>
					<BridgeModal
						nowMs={0}
						source={{
							money,
							content: () => () => body.map(line => <Line key={line}>{line}</Line>),
							onDrawn() {},
							onReach: reach => money.apply(state => ({...state, reach})),
							onReveal: (_kind, scroll) =>
								money.apply(state => (state.bridge ? {...state, bridge: {...state.bridge, scroll}} : state)),
						}}
					/>
				</Box>
			</ScreenSize>
		</DisplayContext>
	);
	const app = render(window());
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
	app.unmount();
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
