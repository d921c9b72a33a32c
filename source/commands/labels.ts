import type {WalletLabels} from '../client/labels.ts';
import {compact, dateTime} from '../ui/format.ts';
import type {Call} from './line/command.ts';
import {addressesOf} from './line/operands.ts';
import {formatOf, jsonText, print, screenWidth} from './output.ts';
import {csvText, type TableColumn, tableText} from './table.ts';
import {withClient} from './with-client.ts';

/**
 * `pulsetop labels ADDRESS...`: what the service knows of wallets, with `--token` relative to a token.
 * @returns the exit code
 * @throws UsageError without an address; what the client throws
 */
export async function labels({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const addresses = await addressesOf(operands, {most: 1000});
	const token = flags.text('token');
	const found = await withClient(config, client => client.labels(addresses, token === undefined ? {} : {token}));
	const wallets = addresses.map(address => found.get(address) ?? {address, labels: [], atMs: Date.now()});
	switch (formatOf(flags)) {
		case 'table': {
			const {ascii} = config.ui;
			await print(tableText(walletColumns(ascii ? '-' : '–'), wallets, {width: screenWidth(), ascii}));
			break;
		}
		case 'json':
			await print(jsonText({schema: 'pulsetop.labels/1', ...(token !== undefined && {token}), wallets}));
			break;
		case 'jsonl':
			await print(wallets.map(wallet => `${JSON.stringify(wallet)}\n`).join(''));
			break;
		case 'csv':
			await print(csvText(CSV_NAMES, wallets.map(csvRow)));
	}
	return 0;
}

function walletColumns(unknown: string): readonly TableColumn<WalletLabels>[] {
	return [
		{title: 'WALLET', cell: ({address}) => address, shrinksTo: 8},
		{title: 'LABELS', cell: wallet => wallet.labels.join(' ') || unknown},
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

const CSV_NAMES = [
	'address',
	'labels',
	'entity',
	'entity_type',
	'funded_at',
	'funded_from',
	'funded_amount',
	'funded_currency',
];

function csvRow({address, labels: names, entity, funding}: WalletLabels): readonly unknown[] {
	const {date, from, amount, currency} = funding ?? {};
	return [address, names.join(' '), entity?.name, entity?.type, date, from, amount, currency?.symbol];
}
