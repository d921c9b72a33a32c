import {type Explanation, explain} from '../../../errors.ts';
import {topMode} from '../../../monitor/state.ts';
import type {Context} from '../../feature.ts';
import type {LogLine} from './mode.ts';

/** The code that reads the journal is loaded when the log is first opened. */
export function createActionLogActions({
	store,
	monitor,
	journalFiles,
}: Pick<Context, 'store' | 'monitor' | 'journalFiles'>) {
	async function read(): Promise<{readonly lines: readonly LogLine[]; readonly problem?: Explanation}> {
		if (!journalFiles) return {lines: []};
		try {
			const [{openJournal}, {logLines}] = await Promise.all([
				import('../../../trading/journal.ts'),
				import('./log-lines.ts'),
			]);
			const {path, headPath} = journalFiles;
			return {lines: logLines(openJournal(path, {headPath}).records())};
		} catch (error) {
			return {lines: [], problem: explain(error)};
		}
	}

	return {
		close: monitor.leaveMode,
		open: async (): Promise<void> => {
			const {kind} = topMode(store.get());
			const found = await read();
			// Another key may have opened something else meanwhile.
			if (topMode(store.get()).kind !== kind) return;
			const {embedded, isPractice = embedded} = store.get().service;
			monitor.enterMode({kind: 'actionLog', ...found, isPractice, scroll: 0});
		},
		scroll: (by: number) =>
			monitor.changeMode(mode => (mode.kind === 'actionLog' ? {...mode, scroll: Math.max(mode.scroll + by, 0)} : mode)),
		/** All wallets, then each of them alone. */
		nextWallet: () =>
			monitor.changeMode(mode => {
				if (mode.kind !== 'actionLog') return mode;
				const wallets = [...new Set(mode.lines.flatMap(({wallet}) => (wallet === undefined ? [] : [wallet])))];
				const next = wallets[mode.wallet === undefined ? 0 : wallets.indexOf(mode.wallet) + 1];
				const {wallet: _, ...all} = mode;
				return {...all, scroll: 0, ...(next !== undefined && {wallet: next})};
			}),
	};
}
