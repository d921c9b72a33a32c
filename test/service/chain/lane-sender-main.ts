// A process that sends one transaction after another until it is killed.
import type {Hex} from 'viem';
import {privateKeyToAccount} from 'viem/accounts';
import {createJsonRpc} from '../../../source/rpc/json-rpc.ts';
import {openLaneStore} from '../../../source/service/chain/lane-store.ts';
import {createLaneSender} from '../../../source/service/chain/nonce-lane.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import type {StoreAddress} from '../../../source/service/store/store-address.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';

export interface LaneSenderStart {
	readonly address: StoreAddress;
	readonly schema: string;
	readonly nodeUrl: string;
	readonly key: Hex;
	/** See laneChain. */
	readonly lane: string;
	/** The amount of its transactions, which says whose they are. */
	readonly value: number;
}

process.once('message', async ({address, schema, nodeUrl, key, lane, value}: LaneSenderStart) => {
	const database = await openPostgres(address, {schema});
	const rpc = createJsonRpc(() => nodeUrl, {timeoutMs: PATIENCE_MS});
	const account = privateKeyToAccount(key);
	const sender = createLaneSender({rpc, chainId: 8453, account, store: openLaneStore(database, lane)});
	const outgoing = {to: account.address, gas: 21_000n, value: BigInt(value)};
	for (;;) {
		await sender.send(outgoing, async ({hash}) => {
			await database.run('INSERT INTO written (hash, n) VALUES (?, ?)', [hash, value]);
		});
	}
});
