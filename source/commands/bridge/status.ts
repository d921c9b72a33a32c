import {chainName} from '../../chains/chains.ts';
import type {BridgeStatusRow} from '../../contract/bridge.ts';
import {clean} from '../../text.ts';
import {describeBridge} from '../../trading/bridge/describe-state.ts';
import {unsettledEnds} from '../../trading/bridge/ends.ts';
import {intentsIn, type JournaledIntent} from '../../trading/bridge/journal-fold.ts';
import {type BridgeState, DRAFT, isInFlight} from '../../trading/bridge/machine.ts';
import {readingOf} from '../../trading/bridge/status-reading.ts';
import {openTradingFiles} from '../../trading/open-trading.ts';
import {dateTime} from '../../ui/format.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {screenWidth} from '../output/output.ts';
import {type PrintedList, printList} from '../output/print-list.ts';
import {type TableColumn, tableText} from '../output/table.ts';
import {moneyModeOf} from '../service/money-mode.ts';
import {requestedMode, type TradingContext, withTrading} from '../trading/context.ts';
import {intentDocument, intentText} from './describe-intent.ts';
import {exitCodeOf, watch} from './execute.ts';

/**
 * `pulsetop bridge status [INTENT]`: prints the status of a transfer, or of all open ones. It only reads.
 * @returns 0; with `--wait` the exit code of `bridge execute`
 */
export async function bridgeStatus({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const [intentId, ...others] = operands;
	if (others.length > 0) throw new UsageError('Only one intent can be named', 'Without a name all open ones are read.');
	const mode = await moneyModeOf(config);
	const {journal} = openTradingFiles({dataDir: config.dataDir, mode});
	// Practice chains can always be read.
	const isReadable = (chainId: string) => mode === 'practice' || config.rpc[chainId] !== undefined;
	const chosen = () =>
		intentsIn(journal.records(), isReadable).filter(intent =>
			intentId === undefined ? isInFlight(intent.state) : intent.intentId === intentId,
		);
	// Without a transfer that is open, or whose end can be taken back, no service is needed.
	const isNothing = intentId === undefined && chosen().length === 0 && unsettledEnds(journal.records()).length === 0;
	const read: readonly Read[] = isNothing
		? []
		: await withTrading(config, async context => {
				await context.trading.recheckEnds();
				const intents = chosen();
				if (intents.length === 0 && intentId !== undefined) return [{state: await foreignState(context, intentId)}];
				return inTurn(intents, intent => readState(context, intent, flags));
			});
	const intents = read.map(({state, intent}) => intentDocument(state, intent));
	await printList(flags, {
		items: intents,
		table: () => (read.length === 0 ? 'No transfer is open.\n' : read.map(({state}) => intentText(state)).join('\n')),
		document: {schema: 'pulsetop.bridge-status/1', mode, intents},
		csv: INTENT_CSV,
	});
	if (!flags.has('wait')) return 0;
	return Math.max(0, ...read.map(({state}) => exitCodeOf(state, {mayBeOpen: false})));
}

interface Read {
	readonly state: BridgeState;
	readonly intent?: JournaledIntent;
}

/** Reads an intent of the journal once, or with `--wait` to its end. An ended one is not read again. */
async function readState({trading}: TradingContext, intent: JournaledIntent, flags: Flags): Promise<Read> {
	if (!isInFlight(intent.state)) return {state: intent.state, intent};
	const authority = intent.intended.authority.toLowerCase();
	const wallet = trading.keystore.list().find(({address}) => address?.toLowerCase() === authority);
	if (wallet === undefined)
		throw new UsageError('The wallet of this transfer is not here', `No key file is of ${intent.intended.authority}.`);
	trading.choose(wallet.name);
	const flow = await trading.bridgeFlow();
	flow.resume(intent.intentId);
	if (flags.has('wait')) await watch(flow);
	else await flow.read();
	return {state: flow.view.state, intent};
}

/** The state of an intent that was not sent from here: only the service reports it. */
async function foreignState({client}: TradingContext, intentId: string): Promise<BridgeState> {
	const {data} = await client.call('bridgeStatus', {params: {intentId}});
	const {status, ...facts} = readingOf(data as BridgeStatusRow);
	const known = ['pending', 'deposited', 'filling', 'retrying', 'filled', 'settled', 'refunded', 'failed'] as const;
	return {
		...DRAFT,
		intentId,
		...facts,
		phase: known.find(phase => phase === status) ?? 'progressing',
		readAtMs: Math.round(client.clock.nowMs()),
	};
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (const item of items) results.push(await work(item));
	return results;
}

/** `pulsetop bridge list`: prints every transfer of the journal, newest first. @returns the exit code */
export async function bridgeList({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const mode = await requestedMode(config, flags);
	const {journal} = openTradingFiles({dataDir: config.dataDir, mode});
	const intents = intentsIn(journal.records()).toReversed();
	const documents = intents.map(intent => intentDocument(intent.state, intent));
	await printList(flags, {
		items: documents,
		table: () =>
			intents.length === 0
				? `No transfer was made in ${mode} mode.\n`
				: tableText(LIST_COLUMNS, intents.map(listRow), {width: screenWidth(), ascii: config.ui.ascii}),
		document: {schema: 'pulsetop.bridge-list/1', mode, intents: documents},
		csv: INTENT_CSV,
	});
	return 0;
}

type IntentDocument = ReturnType<typeof intentDocument>;

/** An intent that was not sent from here has only a state. */
const INTENT_CSV: PrintedList<IntentDocument>['csv'] = {
	intent_id: ({intentId}) => intentId,
	phase: ({phase}) => phase,
	is_end: ({isEnd}) => isEnd,
	sent_at_ms: ({transfer}) => transfer?.atMs,
	amount: ({transfer}) => transfer?.amount,
	symbol: ({transfer}) => transfer?.symbol,
	origin_chain_id: ({transfer}) => transfer?.originChainId,
	origin_token: ({transfer}) => transfer?.originToken,
	destination_chain_id: ({transfer}) => transfer?.destinationChainId,
	destination_token: ({transfer}) => transfer?.destinationToken,
	authority: ({transfer}) => transfer?.authority,
	recipient: ({transfer}) => transfer?.recipient,
	deposit_tx_hash: ({depositTxHash}) => depositTxHash,
	fill_tx_hash: ({fillTxHash}) => fillTxHash,
	reverted_tx_hash: ({revertedTxHash}) => revertedTxHash,
};

type ListRow = ReturnType<typeof listRow>;

function listRow(intent: JournaledIntent) {
	const {transfer} = intentDocument(intent.state, intent);
	const {amount, symbol, originChainId, destinationChainId, recipient, atMs} = transfer!;
	return {
		at: dateTime(atMs, '-'),
		amount: `${amount} ${symbol}`,
		from: chainName(originChainId),
		to: chainName(destinationChainId),
		recipient,
		state: describeBridge(intent.state).title,
		intent: clean(intent.intentId),
	};
}

const LIST_COLUMNS: readonly TableColumn<ListRow>[] = [
	{title: 'SENT', cell: ({at}) => at},
	{title: 'AMOUNT', align: 'right', cell: ({amount}) => amount},
	{title: 'FROM', cell: ({from}) => from, shrinksTo: 8},
	{title: 'TO', cell: ({to}) => to, shrinksTo: 8},
	{title: 'STATE', cell: ({state}) => state},
	{title: 'RECIPIENT', cell: ({recipient}) => recipient, shrinksTo: 8},
	{title: 'INTENT', cell: ({intent}) => intent},
];
