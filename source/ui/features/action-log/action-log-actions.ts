import {type Explanation, explain} from '../../../errors.ts';
import type {Actions} from '../../../monitor/actions.ts';
import {type MonitorState, topMode} from '../../../monitor/state.ts';
import type {Store} from '../../../store.ts';
import type {LogLine} from '../rest-modes.ts';

export interface ActionLogOptions {
	readonly store: Store<MonitorState>;
	readonly actions: Actions;
	/** The journal of the money that this run works with; undefined where there is none. */
	readonly journalPath: string | undefined;
}

/** The keys of the action log. What reads the journal is loaded when it is first looked at. */
export function createActionLogActions({store, actions, journalPath}: ActionLogOptions) {
	async function read(): Promise<{readonly lines: readonly LogLine[]; readonly problem?: Explanation}> {
		if (journalPath === undefined) return {lines: []};
		try {
			const [{openJournal}, {logLines}] = await Promise.all([
				import('../../../trading/journal.ts'),
				import('./log-lines.ts'),
			]);
			return {lines: logLines(openJournal(journalPath).records())};
		} catch (error) {
			return {lines: [], problem: explain(error)};
		}
	}

	return {
		openActionLog: async (): Promise<void> => {
			const {kind} = topMode(store.get());
			const found = await read();
			// Another key may have opened something else meanwhile.
			if (topMode(store.get()).kind !== kind) return;
			const isPractice = store.get().service.embedded;
			actions.enterMode({kind: 'actionLog', ...found, isPractice, scroll: 0});
		},
		scrollActionLog: (by: number) =>
			actions.changeMode(mode => (mode.kind === 'actionLog' ? {...mode, scroll: Math.max(mode.scroll + by, 0)} : mode)),
		/** All wallets, then each of them alone. */
		nextLogWallet: () =>
			actions.changeMode(mode => {
				if (mode.kind !== 'actionLog') return mode;
				const wallets = [...new Set(mode.lines.flatMap(({wallet}) => (wallet === undefined ? [] : [wallet])))];
				const next = wallets[mode.wallet === undefined ? 0 : wallets.indexOf(mode.wallet) + 1];
				const {wallet: _, ...all} = mode;
				return {...all, scroll: 0, ...(next !== undefined && {wallet: next})};
			}),
	};
}
