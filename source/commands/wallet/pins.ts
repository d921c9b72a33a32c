import {chainWord} from '../../monitor/filter/chain-words.ts';
import {openTradingFiles} from '../../trading/open-trading.ts';
import type {Pin} from '../../trading/pins.ts';
import {PinNotConfirmed} from '../../trading/pins.ts';
import {dateTime} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output/output.ts';
import {membersCsv, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {acceptedRoles} from '../trading/accept.ts';
import {requestedMode} from '../trading/context.ts';
import {chainNamed} from '../trading/place.ts';

/**
 * `pulsetop wallet pins`: prints the accepted contracts; `--forget ROLE=LAST6 --chain CHAIN` first removes one.
 * @returns the exit code
 * @throws UsageError, PinNotConfirmed
 */
export async function walletPins({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const mode = await requestedMode(config, flags);
	const {pins, journal} = openTradingFiles({dataDir: config.dataDir, mode});
	const forget = acceptedRoles(flags, 'forget');
	if (forget.size > 0) {
		const chain = flags.text('chain');
		if (chain === undefined) throw new UsageError('--chain is missing', 'A contract is accepted for one chain.');
		const chainId = chainNamed(chain);
		for (const [role, typed] of forget) {
			const pin = pins.list().find(other => other.chainId === chainId && other.role === role);
			if (pin === undefined)
				throw new UsageError('There is no such contract', `No ${role} of ${chainId} was accepted.`);
			if (!pin.address.endsWith(typed.toLowerCase())) throw new PinNotConfirmed();
			pins.revoke(chainId, role);
			journal.append('pin.revoked', chainId, {role, address: pin.address});
		}
	}
	const list = pins.list();
	await printList(flags, {
		items: list,
		table: () =>
			list.length === 0
				? `No contract was accepted in ${mode} mode yet.\n`
				: tableText(PIN_COLUMNS, list, {width: screenWidth(), ascii: config.ui.ascii}),
		document: {schema: 'pulsetop.wallet-pins/1', mode, pins: list},
		csv: {...membersCsv<Pin>('chainId', 'role', 'address'), accepted_at_ms: ({atMs}) => atMs},
	});
	return 0;
}

const PIN_COLUMNS: readonly TableColumn<Pin>[] = [
	// The word that this command takes, too.
	{title: 'CHAIN', cell: ({chainId}) => chainWord(chainId) ?? chainId},
	{title: 'CONTRACT', cell: ({role}) => role},
	{title: 'ADDRESS', cell: ({address}) => address},
	{title: 'ACCEPTED', cell: ({atMs}) => dateTime(atMs)},
];
