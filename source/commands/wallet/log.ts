import {clean} from '../../text.ts';
import type {JournalRecord} from '../../trading/journal.ts';
import {recordDetail, recordLabel} from '../../trading/journal-labels.ts';
import {openTradingFiles} from '../../trading/open-trading.ts';
import {dateTime} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import {screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {requestedMode} from '../trading/context.ts';
import {provePassphrase} from './limits.ts';

/**
 * `pulsetop wallet log`: prints the journal of money actions, oldest first; verifies the hash chain of its lines and their count.
 * `--confirm` first goes on with the lines that can be trusted, with the passphrase of a wallet.
 * @returns the exit code
 * @throws JournalBroken, JournalCut, WrongPassphrase
 */
export async function walletLog({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const mode = await requestedMode(config, flags);
	const files = openTradingFiles({dataDir: config.dataDir, mode});
	if (flags.has('confirm')) {
		// Without a wallet there is nothing to protect.
		if (files.keystore.list().length > 0) await provePassphrase(files, config, flags);
		files.journal.confirm();
	}
	const all = files.journal.records();
	const limit = flags.wholeNumber('limit', {from: 1, to: 1_000_000});
	const records = limit === undefined ? all : all.slice(-limit);
	await printList(flags, {
		items: records,
		table: () =>
			records.length === 0
				? `Nothing was done in ${mode} mode yet.\n`
				: tableText(LOG_COLUMNS, records, {width: screenWidth(), ascii: config.ui.ascii}),
		document: {schema: 'pulsetop.wallet-log/1', mode, total: all.length, records},
		csv: {...membersCsv<JournalRecord>('seq', 'atMs', 'kind', 'id'), data: ({data}) => JSON.stringify(data)},
	});
	return 0;
}

const LOG_COLUMNS: readonly TableColumn<JournalRecord>[] = [
	{title: '', align: 'right', cell: ({seq}) => String(seq)},
	{title: 'TIME', cell: ({atMs}) => dateTime(atMs)},
	{title: 'WHAT', cell: ({kind}) => recordLabel(kind)},
	{title: 'ABOUT', cell: ({id}) => clean(id), shrinksTo: 12},
	{title: '', cell: record => clean(recordDetail(record)), shrinksTo: 12},
];
