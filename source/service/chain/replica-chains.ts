import {setTimeout as sleep} from 'node:timers/promises';
import type {Address, Hex} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import type {JsonRpc} from '../../rpc/json-rpc.ts';
import type {Replica} from '../replicas/replica.ts';
import type {ChainInfo} from './chains.ts';
import {ChainUnavailable} from './driver.ts';
import {laneChain, openLaneStore} from './lane-store.ts';
import {createLaneSender} from './nonce-lane.ts';
import type {Sender} from './sender.ts';

/** The parts of a replica that its chains use. */
export type ChainReplica = Pick<Replica, 'database' | 'leases'>;

/** A chain on which several replicas send from the same accounts. */
export interface SharedChain {
	senderOf(account: PrivateKeyAccount): Sender;
	/**
	 * Runs `act` under the chain's deployment lease, after all earlier transactions of the deployer are mined.
	 * @throws ChainUnavailable when the lease is not free in time
	 */
	deployAlone<T>(deployer: Address, act: () => Promise<T>): Promise<T>;
}

/** Timeout of the wait for another replica's deployment. */
const DEPLOYED_WITHIN_MS = 60_000;
/** Timeout of the wait for the transactions of a replica that died during its deployment. */
const IDLE_WITHIN_MS = 20_000;
const POLL_MS = 250;

/** @param instance the hash of the chain's first block */
export function openSharedChain(
	{database, leases}: ChainReplica,
	{info, rpc, instance}: {readonly info: ChainInfo; readonly rpc: JsonRpc; readonly instance: Hex},
): SharedChain {
	const store = openLaneStore(database, laneChain(info, instance));
	return {
		senderOf: account => createLaneSender({rpc, chainId: info.id, account, store}),
		async deployAlone(deployer, act) {
			const name = `deploys:${info.key}`;
			let lease = await leases.tryTake(name);
			for (
				const untilMs = performance.now() + DEPLOYED_WITHIN_MS;
				lease === undefined;
				lease = await leases.tryTake(name)
			) {
				if (performance.now() > untilMs) throw new ChainUnavailable(info.id, 'another replica deploys its contracts');
				await sleep(POLL_MS);
			}
			try {
				const untilMs = performance.now() + IDLE_WITHIN_MS;
				while (!(await store.isIdle(deployer)) && performance.now() < untilMs) await sleep(POLL_MS);
				return await act();
			} finally {
				await lease.release();
			}
		},
	};
}
