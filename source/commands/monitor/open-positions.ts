import {existsSync, statSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import type {Config} from '../../config/config.ts';
import {steadyNow} from '../../steady-clock.ts';
import {journalFiles} from '../../trading/journal-files.ts';
import type {PositionBook} from '../../trading/positions/book.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {practiceAt} from '../service/practice-at.ts';
import {moneyServiceOf} from './money-service.ts';
import type {Connected} from './run.ts';

/**
 * Opens the positions of the journal of this configuration: no wallet is opened, and none of the code that signs is loaded.
 * @throws ServiceMissing while there is no service; MoneyMissing; PracticeUnproven
 */
export async function openPositionBook(config: Config, connected: Connected): Promise<PositionBook> {
	const [mode, {options}, {openBook}, {openJournal}, {openChains}, {listPracticeChains}] = await Promise.all([
		moneyModeOf(config),
		moneyServiceOf(config, connected),
		import('../../trading/positions/book.ts'),
		import('../../trading/journal.ts'),
		import('../../trading/open-chains.ts'),
		import('../../trading/practice-funds.ts'),
	]);
	const practice = practiceAt(options, mode);
	const {path, headPath} = journalFiles(config.dataDir, mode);
	return openBook({
		journal: openJournal(path, {headPath}),
		journalSize: () => statSync(path, {throwIfNoEntry: false})?.size ?? 0,
		chains: openChains({mode, rpcUrls: config.rpc, ...(practice && {practice})}),
		...(practice && {practice: () => listPracticeChains(practice)}),
		nowMs: steadyNow,
	});
}

/** Marks the rows of the holdings, where the journal has a trade. Without one nothing is loaded. */
export async function followPositions(config: Config, follow: () => void): Promise<void> {
	// An unproven service has no positions to show; opening them says what is wrong.
	const mode = await moneyModeOf(config).catch(() => undefined);
	if (mode === undefined) return;
	const {path} = journalFiles(config.dataDir, mode);
	if (!existsSync(path)) return;
	if ((await readFile(path, 'utf8')).includes('"trade":')) follow();
}
