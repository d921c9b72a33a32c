import type {Client} from '../../client/client.ts';
import type {TokenId} from '../../client/lookups/token.ts';
import type {Entry} from '../../contract/entry.ts';
import {FIELDS, type Field, type FieldName} from '../../contract/fields.ts';
import {WINDOWS_8} from '../../contract/windows.ts';
import {PulsetopError} from '../../errors.ts';
import {change, compact, dateTime, grouped, price, share, usd} from '../../ui/format.ts';
import {ENTRY_CSV} from '../feed/columns.ts';
import type {Call} from '../line/command.ts';
import {addressesOf, chainOf} from '../line/operands.ts';
import {screenWidth} from '../output/output.ts';
import {printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {withClient} from '../service/with-client.ts';

/** The service does not know a token. */
export class TokenUnknown extends PulsetopError {
	readonly code = 'token-unknown';

	constructor({chainId, address}: TokenId) {
		super('The service does not know the token', {
			why: `${address} on ${chainId}`,
			next: 'fix-input',
			advice: 'Check the address and its chain; a token of this moment may be known a little later.',
		});
	}
}

/**
 * `pulsetop token ADDRESS...`: prints everything that the service reports of tokens.
 * @returns the exit code
 * @throws UsageError without an address or a chain; TokenUnknown when the service does not know one of them
 */
export async function token({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const addresses = await addressesOf(operands, {most: 100});
	const tokens = addresses.map(address => ({address, chainId: chainOf(address, flags)}));
	const entries = await withClient(config, client => Promise.all(tokens.map(known => knownToken(client, known))));
	await printList(flags, {
		items: entries,
		table: () => entries.map(entry => tokenText(entry, {width: screenWidth(), ascii: config.ui.ascii})).join('\n'),
		document: {schema: 'pulsetop.token/1', tokens: entries},
		csv: ENTRY_CSV,
	});
	return 0;
}

/** Fetches a token. @throws TokenUnknown when the service does not know it; the errors of the client */
export async function knownToken(client: Client, token: TokenId): Promise<Entry> {
	const entry = await client.fetchToken(token);
	if (entry) return entry;
	throw new TokenUnknown(token);
}

/**
 * Each known field with its value, in the order of the field table; then the time windows side by side.
 * @param options the width in cells, undefined for no limit
 */
export function tokenText(
	entry: Entry,
	options: {readonly width: number | undefined; readonly ascii: boolean},
): string {
	const {ascii} = options;
	const known = FIELDS.filter(({name}) => entry[name] !== undefined);
	const columns = [
		{title: 'FIELD', cell: ({name}: Field) => name},
		{title: 'VALUE', cell: (field: Field) => valueText(field, entry, ascii), shrinksTo: 12},
	];
	const single = known.filter(({name}) => measureOf(name) === undefined);
	const measures = [...new Set(known.flatMap(({name}) => measureOf(name) ?? []))];
	return `${tableText(columns, single, options)}\n${tableText(windowColumns(entry, ascii), measures, options)}`;
}

const IN_WINDOW = new RegExp(`_(${WINDOWS_8.join('|')})(?=_ago$|$)`);

/** The measure of a field with a window: `volume_5min` => `volume`; undefined for other fields. */
function measureOf(name: FieldName): string | undefined {
	return IN_WINDOW.test(name) ? name.replace(IN_WINDOW, '') : undefined;
}

function windowColumns(entry: Entry, ascii: boolean): readonly TableColumn<string>[] {
	const byWindow = WINDOWS_8.map(window => ({
		title: window.replace('min', 'm'),
		align: 'right' as const,
		cell: (measure: string) => {
			const field = FIELDS.find(({name}) => measureOf(name) === measure && IN_WINDOW.exec(name)?.[1] === window);
			return field === undefined || entry[field.name] === undefined ? '' : valueText(field, entry, ascii);
		},
	}));
	return [{title: 'IN THE LAST', cell: measure => measure}, ...byWindow];
}

function valueText({name, kind}: Field, entry: Entry, ascii: boolean): string {
	const value = entry[name];
	if (typeof value !== 'number') return String(value);
	if (name.startsWith('price_change')) return change(value);
	if (kind === 'date') return dateTime(value);
	if (kind === 'percent') return share(value);
	if (kind === 'integer') return grouped(value);
	const small = () => price(value, ascii ? {subscripts: ''} : {});
	if (kind === 'usd') return Math.abs(value) < 1 ? small() : usd(value);
	// The unit is the quote token, not the dollar.
	if (name === 'price_token' && Math.abs(value) < 1) return small().replace('$', '');
	return compact(value);
}
