import type {WalletLabels} from '../../client/lookups/labels.ts';
import {steadyNow} from '../../steady-clock.ts';
import {compact, dateTime} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import {addressesOf} from '../line/operands.ts';
import {screenWidth} from '../output/output.ts';
import {type PrintedList, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {withClient} from '../service/with-client.ts';

/**
 * `pulsetop labels ADDRESS...`: prints the labels of wallets; with `--token` relative to a token.
 * @returns the exit code
 * @throws UsageError without an address; the errors of the client
 */
export async function labels({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const addresses = await addressesOf(operands, {most: 1000});
	const token = flags.text('token');
	const found = await withClient(config, client => client.labels(addresses, token === undefined ? {} : {token}));
	const wallets = addresses.map(address => found.get(address) ?? {address, atMs: steadyNow()});
	const {ascii} = config.ui;
	await printList(flags, {
		items: wallets,
		table: () => tableText(walletColumns(ascii ? '-' : '–'), wallets, {width: screenWidth(), ascii}),
		document: {schema: 'pulsetop.labels/1', ...(token !== undefined && {token}), wallets},
		csv: CSV,
	});
	return 0;
}

function walletColumns(unknown: string): readonly TableColumn<WalletLabels>[] {
	return [
		{title: 'WALLET', cell: ({address}) => address, shrinksTo: 8},
		{title: 'LABELS', cell: ({labels: kinds}) => (kinds ? kinds.join(' ') || 'none' : unknown)},
		{title: 'ENTITY', cell: ({entity}) => entity?.name ?? unknown, shrinksTo: 8},
		{title: 'FUNDED', cell: ({funding}) => dateTime(funding?.date, unknown)},
		{title: 'AMOUNT', align: 'right', cell: ({funding}) => amountText(funding, unknown)},
		{
			title: 'FROM',
			cell: ({funding}) => funding?.fromEntity?.name ?? funding?.fromTag ?? funding?.from ?? unknown,
			shrinksTo: 8,
		},
	];
}

function amountText(funding: WalletLabels['funding'], unknown: string): string {
	if (funding?.amount === undefined) return unknown;
	return [compact(funding.amount), funding.currency?.symbol].filter(Boolean).join(' ');
}

const CSV: PrintedList<WalletLabels>['csv'] = {
	address: ({address}) => address,
	labels: wallet => wallet.labels?.join(' '),
	entity: ({entity}) => entity?.name,
	entity_type: ({entity}) => entity?.type,
	funded_at: ({funding}) => funding?.date,
	funded_from: ({funding}) => funding?.from,
	funded_amount: ({funding}) => funding?.amount,
	funded_currency: ({funding}) => funding?.currency?.symbol,
};
