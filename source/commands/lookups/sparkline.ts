import {isEvmAddress, isSolanaAddress} from '../../address.ts';
import type {Sparkline, SparklineQuery} from '../../client/lookups/sparkline.ts';
import {PulsetopError} from '../../errors.ts';
import {price} from '../../ui/format.ts';
import {drawSparkline} from '../../ui/sparkline.ts';
import type {Call} from '../line/command.ts';
import {chainOf} from '../line/operands.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output/output.ts';
import {printList} from '../output/print-list.ts';
import {withClient} from '../service/with-client.ts';

/** The service has no price line for the asset. */
export class NoSparkline extends PulsetopError {
	readonly code = 'no-sparkline';
}

const MAX_CELLS = 100;
const LINES = 8;

/**
 * `pulsetop sparkline ASSET`: prints the price line of a token or a named asset, drawn or as numbers.
 * @returns the exit code
 * @throws UsageError without an asset; NoSparkline when the service has none
 */
export async function sparkline({flags, operands, readConfig}: Call): Promise<number> {
	const [asset, ...others] = operands;
	if (asset === undefined || others.length > 0)
		throw new UsageError('One asset is needed', 'Write an address or a name after the command.');
	const config = await readConfig();
	const timeFrame = flags.text('time-frame');
	// Only an address needs a chain.
	const isAddress = flags.has('chain') || isEvmAddress(asset) || isSolanaAddress(asset);
	const query: SparklineQuery = {
		asset,
		...(isAddress && {blockchain: chainOf(asset, flags)}),
		...(timeFrame !== undefined && {timeFrame}),
	};
	const line = await withClient(config, client => client.sparkline(query));
	if (line === undefined)
		throw new NoSparkline('The service has no price line for it', {
			why: asset,
			next: 'fix-input',
			advice: 'Check the name or the address; another --time-frame may have one.',
		});
	await printList(flags, {
		items: line.points.map((value, index) => ({index, value})),
		table: () => drawing(line, config.ui.ascii),
		document: {schema: 'pulsetop.sparkline/1', ...query, ...line},
		csv: {index: ({index}) => index, value: ({value}) => value},
	});
	return 0;
}

function drawing({points, min, max, last, unit}: Sparkline, ascii: boolean): string {
	const width = Math.min(screenWidth() ?? MAX_CELLS, MAX_CELLS);
	const label = (value: number) => price(value, ascii ? {subscripts: ''} : {});
	// Coordinates of a picture are not prices.
	const figures =
		unit === 'usd' ? `min ${label(min)}  max ${label(max)}  last ${label(last)}` : 'The service gives no scale.';
	return [...drawSparkline(points, width, LINES, ascii), figures].map(text => `${text}\n`).join('');
}
