import {type Address, encodeFunctionData, type Hash, isAddressEqual} from 'viem';
import * as z from 'zod';
import {EVM_ADDRESS} from '../../address.ts';
import type {PerpExecuteResponse} from '../../contract/perp.ts';
import {Token} from '../chain/artifacts.generated.ts';
import {SendRejected, SendUncertain} from '../chain/sender.ts';
import {Refused} from '../http-error.ts';
import {DexBRefused} from './dex-b.ts';
import {withdrawalMessage} from './dex-b-messages.ts';
import type {Execution, PerpExecuteDependencies} from './execution.ts';
import {checkL1Signature, readPayload, refuseOtherAccount} from './payload-reading.ts';
import {endOf, responseOf} from './process-response.ts';

/** The chain of dexB's withdrawals. */
const WITHDRAWAL_CHAIN = 42161;
const WITHDRAWAL_GAS = 150_000n;

const WITHDRAWAL = z.looseObject({
	accountIndex: z.int(),
	amountRaw: z.string().regex(/^\d{1,40}$/),
	to: z.string().regex(EVM_ADDRESS),
	number: z.int().min(0),
	L1Sig: z.string(),
});

/**
 * Pays out of dexB. The balance goes down before the money is sent; an amount that was certainly not sent is put back.
 * @throws DexBRefused, Refused
 */
export async function executeWithdrawal(
	dependencies: PerpExecuteDependencies,
	{content, signer}: Execution,
): Promise<PerpExecuteResponse> {
	const {dexB, processes, chains, waitMs, database} = dependencies;
	const {L1Sig, ...fields} = readPayload(WITHDRAWAL, content.payload, 'payload');
	if (!isAddressEqual(fields.to as Address, signer)) refuseOtherAccount();
	checkL1Signature(withdrawalMessage(fields), L1Sig, signer);
	if (fields.accountIndex !== (await dexB.registered(signer)).accountIndex)
		throw new DexBRefused('the account has another index');
	const chain = await chains.ready(WITHDRAWAL_CHAIN);
	if (chain.kind !== 'embedded') throw new DexBRefused('it is for practice chains');
	const amountRaw = BigInt(fields.amountRaw);
	const {instance, info} = chain;
	const processId = await database.transaction(async () => {
		await dexB.withdraw(signer, amountRaw, fields.number);
		return processes.begin({action: 'withdraw', wallet: signer, chainId: info.id, instance, amountRaw});
	});
	const keeper = chain.sender('keeper');
	const data = encodeFunctionData({abi: Token.abi, functionName: 'transfer', args: [signer, amountRaw]});
	let txHash: Hash | null = null;
	try {
		const outgoing = {to: chain.addresses.usdc, data, gas: WITHDRAWAL_GAS};
		txHash = await keeper.send(outgoing, ({hash, nonce}) =>
			processes.sending(processId, {hash, nonce, sentBy: keeper.address}),
		);
	} catch (error) {
		if (!(error instanceof SendUncertain)) await processes.notSent(processId, 'it was not sent');
		if (error instanceof SendRejected) throw new Refused(502, `the withdrawal was not sent: ${error.why}`);
		if (!(error instanceof SendUncertain)) throw error;
		txHash = error.hash;
	}
	return responseOf(await endOf(processes, {processId, action: 'withdraw', txHash}, waitMs));
}
