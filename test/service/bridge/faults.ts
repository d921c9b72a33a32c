import {keccak256, stringToHex} from 'viem';
import type {Chain, ChainSet} from '../../../source/service/chain/chain-set.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {type Sender, SenderBusy, SendRejected, SendUncertain} from '../../../source/service/chain/sender.ts';

/** Where sending fails, and whether the transaction got onto the chain all the same. */
export type Fault =
	| 'busy'
	| 'rejected before it is written down'
	| 'rejected by the node'
	| 'no word, and lost'
	| 'no word, but sent'
	| 'hangs before it is written down'
	| 'hangs before it is sent'
	| 'hangs after it was sent';

const never = (): Promise<never> => new Promise(() => {});

/** A sender that fails. */
function faulty(sender: Sender, fault: Fault): Sender {
	return {
		...sender,
		async send(outgoing, persist, options) {
			const lost = {hash: keccak256(stringToHex(`lost ${Math.random()}`)), raw: '0x', nonce: 0} as const;
			switch (fault) {
				case 'busy':
					throw new SenderBusy(options?.queueMs ?? Number.NaN);
				case 'rejected before it is written down':
					throw new SendRejected('test');
				case 'rejected by the node':
					await persist?.(lost);
					throw new SendRejected('test');
				case 'no word, and lost':
					await persist?.(lost);
					throw new SendUncertain(lost.hash, 'test');
				case 'no word, but sent':
					throw new SendUncertain(await sender.send(outgoing, persist, options), 'test');
				case 'hangs before it is written down':
					return never();
				case 'hangs before it is sent':
					await persist?.(lost);
					return never();
				case 'hangs after it was sent':
					await sender.send(outgoing, persist, options);
					return never();
			}
		},
	};
}

/** Chains on which one role's sending fails, as long as `faultOf` says so. */
export function faultyChains(chains: ChainSet, faultOf: (chainId: number, role: Role) => Fault | undefined): ChainSet {
	return {
		...chains,
		async ready(chainId) {
			const chain: Chain = await chains.ready(chainId);
			return {
				...chain,
				sender(role) {
					const fault = faultOf(chainId, role);
					return fault === undefined ? chain.sender(role) : faulty(chain.sender(role), fault);
				},
			};
		},
	};
}
