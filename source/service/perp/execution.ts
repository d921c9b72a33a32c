import type {Address} from 'viem';
import type {PayloadContent, PerpExecuteBody} from '../../contract/perp.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import type {Database} from '../store/database.ts';
import type {DexB} from './dex-b.ts';
import type {Processes} from './processes.ts';

export interface PerpExecuteDependencies {
	readonly chains: ChainSet;
	readonly dexB: DexB;
	readonly processes: Processes;
	readonly database: Database;
	/** How long an answer waits for the chain before it names a process instead, in milliseconds. */
	readonly waitMs: number;
}

/** An execution: the envelope, its content, and the signer. */
export interface Execution {
	readonly body: PerpExecuteBody;
	readonly content: PayloadContent;
	readonly signer: Address;
}
