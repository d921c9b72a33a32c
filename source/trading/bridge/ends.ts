import {CapExceeded, type Caps, type Spend} from '../caps.ts';
import {type ChainReader, ChainUnread} from '../chain-reader.ts';
import {type SeenBlock, type Standing, standingsOf} from '../finality.ts';
import type {Journal, JournalRecord} from '../journal.ts';
import {microUp, USD_DECIMALS} from '../usd-amount.ts';
import {leastRawOf} from './amounts.ts';
import {type IntendedData, intentsIn, type JournaledIntent, statusData} from './journal-fold.ts';
import {isEnd, madeFinal, movedNothing, takenBack} from './machine.ts';

export interface EndSources {
	readonly journal: Journal;
	readonly caps: Pick<Caps, 'reserve'>;
	readonly chains: ChainReader;
}

/** The ends that rest on blocks which a reorganisation can still replace. */
export function unsettledEnds(records: readonly JournalRecord[]): readonly JournaledIntent[] {
	return intentsIn(records).filter(({state}) => isEnd(state) && state.seenIn !== undefined);
}

/**
 * Looks again at the blocks that ends rest on, until they are final. Where one was replaced, the end is taken back: in the journal,
 * so that it is in no position, and in the limits where they had been given back. The transfer is under way again then.
 * @param mayRead whether a chain may be read now; every chain when omitted
 * @returns the transfers whose ends were taken back
 * @throws JournalBroken, FileBusy; a chain that cannot be read changes nothing
 */
export async function recheckEnds(
	{journal, caps, chains}: EndSources,
	mayRead: (chainId: string) => boolean = () => true,
): Promise<readonly JournaledIntent[]> {
	const ends = unsettledEnds(journal.records());
	const standings = await readStandings(
		chains,
		ends.flatMap(({state}) => state.seenIn!).filter(({chainId}) => chains.knows(chainId) && mayRead(chainId)),
	);
	const back: JournaledIntent[] = [];
	for (const end of ends) {
		const standing = worstOf(end.state.seenIn!.map(block => standings.get(keyOf(block))));
		if (standing === undefined || standing === 'there') continue;
		const {intentId, intended, state} = end;
		// A chain that was reset says nothing about earlier blocks.
		const after = standing === 'gone' ? takenBack(state) : madeFinal(state);
		if (standing === 'gone' && movedNothing(state)) countAgain(caps, intentId, intended);
		const written = journal.claim('bridge.status', intentId, statusData(after), records => isSame(records, end));
		if (written && standing === 'gone') back.push({...end, state: after});
	}
	return back;
}

/** How blocks stand, by their keys. Those of a chain that cannot be read now are left out. */
async function readStandings(
	chains: ChainReader,
	blocks: readonly SeenBlock[],
): Promise<ReadonlyMap<string, Standing>> {
	const byChain = Map.groupBy(blocks, ({chainId}) => chainId);
	const read = await Promise.all(
		[...byChain].map(async ([chainId, own]) => {
			try {
				const found = await standingsOf(chains, chainId, own);
				return own.map(block => [keyOf(block), found.get(block.hash)!] as const);
			} catch (error) {
				if (error instanceof ChainUnread) return [];
				throw error;
			}
		}),
	);
	return new Map(read.flat());
}

function keyOf({chainId, hash}: SeenBlock): string {
	return `${chainId} ${hash}`;
}

/** The worst standing among the blocks of an end; undefined when a block was not read. */
function worstOf(standings: readonly (Standing | undefined)[]): Standing | undefined {
	return ([undefined, 'other', 'gone', 'there', 'final'] as const).find(standing => standings.includes(standing));
}

/** Whether no other process has changed the end meanwhile. */
function isSame(records: readonly JournalRecord[], {intentId, state}: JournaledIntent): boolean {
	const now = unsettledEnds(records).find(other => other.intentId === intentId);
	return JSON.stringify(now?.state.seenIn) === JSON.stringify(state.seenIn);
}

/** Counts an amount that may move after all. A cap that has no room for the amount stops nothing here. */
function countAgain(caps: EndSources['caps'], intentId: string, intended: IntendedData): void {
	try {
		caps.reserve(spendAgain(intentId, intended));
	} catch (error) {
		if (!(error instanceof CapExceeded)) throw error;
	}
}

function spendAgain(id: string, intended: IntendedData): Spend {
	const {originChainId: chainId, originToken: token, symbol, decimals, trade, leastOut} = intended;
	const amountRaw = BigInt(intended.amountRaw);
	const spend = {id, chainId, token, symbol, amountRaw, decimals};
	if (!trade) return spend;
	const {side} = trade;
	const usdMicro = side === 'buy' ? microUp(amountRaw, decimals) : (leastRawOf(leastOut ?? '', USD_DECIMALS) ?? 0n);
	return {...spend, trade: {side, usdMicro}};
}
