import type {Columns} from '../table.ts';
import type {Layout} from './migration.ts';
import {tableStatements} from './table-statements.ts';

const BRIDGE_INTENTS: Columns = {
	intentId: 'text',
	intentHash: 'text',
	createdAtMs: 'integer',
	updatedAtMs: 'integer',
	expiresAtMs: 'integer',
	isGasless: 'flag',
	authority: 'text',
	recipient: 'text',
	originChainId: 'integer',
	destinationChainId: 'integer',
	originInstance: 'text',
	destinationInstance: 'text',
	originToken: 'text',
	destinationToken: 'text',
	originDecimals: 'integer',
	destinationDecimals: 'integer',
	originSymbol: ['text'],
	destinationSymbol: ['text'],
	launch: ['text'],
	amountRaw: 'bigint',
	estimatedOutRaw: 'bigint',
	minOutRaw: 'bigint',
	bridgeFeeBps: 'integer',
	originGasRaw: 'bigint',
	destinationGasRaw: 'bigint',
	gasUnits: ['bigint'],
	quote: 'text',
	quotedBlock: 'bigint',
	status: ['text'],
	claim: ['text'],
	claimedUntilMs: ['integer'],
	batchDeadlineS: ['integer'],
	depositTxHash: ['text'],
	sentToRun: ['text'],
	failureCode: ['text'],
	failureReason: ['text'],
	depositId: ['text'],
	depositedRaw: ['bigint'],
	failedFills: 'integer',
	outRaw: ['bigint'],
	fillTxHash: ['text'],
	cancelTxHash: ['text'],
	refundTxHash: ['text'],
	settleTxHash: ['text'],
	depositDetectedAtMs: ['integer'],
	fillSentAtMs: ['integer'],
	fillConfirmedAtMs: ['integer'],
	settledAtMs: ['integer'],
};

const PRACTICE_TOKENS: Columns = {
	key: 'text',
	chainId: 'integer',
	instance: 'text',
	facts: 'text',
	epoch: 'integer',
	pendingTx: ['text'],
	pendingSince: ['bigint'],
};

const PERP_PROCESSES: Columns = {
	processId: 'text',
	action: 'text',
	wallet: 'text',
	chainId: 'integer',
	instance: 'text',
	txHash: ['text'],
	nonce: ['integer'],
	sentBy: ['text'],
	amountRaw: ['bigint'],
	status: 'text',
	errorMessage: ['text'],
	createdAtMs: 'integer',
};

const DEX_B_ACCOUNTS: Columns = {
	wallet: 'text',
	accountIndex: 'integer',
	balanceRaw: 'bigint',
	apiKeyIndex: ['integer'],
	apiKey: ['text'],
	authToken: ['text'],
	withdrawals: 'integer',
	createdAtMs: 'integer',
};

const DEX_B_TRADES: Columns = {
	id: 'text',
	wallet: 'text',
	tradeIndex: 'integer',
	marketId: 'text',
	stage: 'text',
	kind: 'text',
	isLong: 'flag',
	collateralRaw: 'bigint',
	sizeRaw: 'bigint',
	price: 'bigint',
	takeProfit: 'bigint',
	stopLoss: 'bigint',
	openFeeRaw: 'bigint',
	closeFeeRaw: 'bigint',
	realizedRaw: 'bigint',
	openedAtMs: 'integer',
	updatedAtMs: 'integer',
};

const DEX_B_DEPOSITS: Columns = {txHash: 'text', wallet: 'text', amountRaw: 'bigint', createdAtMs: 'integer'};

const WEBHOOKS: Columns = {
	id: 'text',
	owner: 'text',
	name: 'text',
	chain_ids: 'text',
	events: 'text',
	url: 'text',
	secret: 'text',
	created_at_ms: 'integer',
	filters: ['text'],
	delivered: 'integer',
	failed_attempts: 'integer',
	dropped: 'integer',
	last: ['text'],
};

const TABLES = [
	{name: 'bridge_intents', key: 'intentId', columns: BRIDGE_INTENTS},
	{name: 'practice_tokens', key: 'key', columns: PRACTICE_TOKENS},
	{name: 'perp_processes', key: 'processId', columns: PERP_PROCESSES},
	{name: 'dex_b_accounts', key: 'wallet', columns: DEX_B_ACCOUNTS},
	{name: 'dex_b_trades', key: 'id', columns: DEX_B_TRADES},
	{name: 'dex_b_deposits', key: 'txHash', columns: DEX_B_DEPOSITS},
	{name: 'webhooks', key: 'id', columns: WEBHOOKS},
];

/**
 * The layout of stores before their versions were counted: each room made its tables when it was first used, so a store has some of
 * them, and an old one lacks columns.
 */
export function firstLayout(found: Layout): string[] {
	const {integer, sequence, afterTable} = found.dialect;
	const delivery = `seq ${sequence}, id TEXT NOT NULL UNIQUE, webhook_id TEXT NOT NULL, event TEXT NOT NULL,
		body TEXT NOT NULL, created_at_ms ${integer} NOT NULL, attempts ${integer} NOT NULL`;
	return [
		...TABLES.flatMap(table => tableStatements(found, table)),
		...['intentHash', 'depositTxHash', 'fillTxHash', 'status', 'createdAtMs'].map(
			column => `CREATE INDEX IF NOT EXISTS bridge_intents_${column} ON bridge_intents (${column})`,
		),
		'CREATE INDEX IF NOT EXISTS dex_b_trades_wallet ON dex_b_trades (wallet, stage)',
		`CREATE TABLE IF NOT EXISTS webhook_deliveries (${delivery}) ${afterTable}`,
		`CREATE TABLE IF NOT EXISTS webhook_dead_letters (${delivery}, failed_at_ms ${integer} NOT NULL,
		status ${integer}, reason TEXT NOT NULL) ${afterTable}`,
		...['webhook_deliveries', 'webhook_dead_letters'].map(
			table => `CREATE INDEX IF NOT EXISTS ${table}_by_webhook ON ${table} (webhook_id, seq)`,
		),
		`CREATE TABLE IF NOT EXISTS used_signatures (signature TEXT PRIMARY KEY, until_ms ${integer} NOT NULL) ${afterTable}`,
		'CREATE INDEX IF NOT EXISTS used_signatures_until ON used_signatures (until_ms)',
	];
}
