import type {ChainCoverage} from '../../contract/coverage.ts';
import {lagText} from '../../monitor/following.ts';
import type {Finding} from './finding.ts';

const CHECK =
	'pulsetop follow check URL says what a node answers; a second node of the chain takes over from one that fails.';

/** The findings on the chains that a service follows. Names no node: the report can be pasted. */
export function followFindings(chains: readonly ChainCoverage[]): readonly Finding[] {
	return chains.flatMap(chain => [stateFinding(chain), ...notesOf(chain)]);
}

function stateFinding(chain: ChainCoverage): Finding {
	const {name, state, why, block, lagMs, nodes} = chain;
	const reason = why === null ? '' : `: ${chain.node === '' ? why : why.replaceAll(chain.node, 'its node')}`;
	if (state === 'stalled' || state === 'unreachable')
		return {subject: 'chains', state: 'bad', text: `${name} is ${state}${reason}`, advice: CHECK};
	const lag = lagMs === null ? '' : `, ${lagText(lagMs)} behind`;
	const where = block === null ? 'no block is read yet' : `block ${block.toLocaleString('en-US')} is read${lag}`;
	const load = `${Math.round(chain.callsPerMinute)} calls a minute to ${nodes === 1 ? 'its node' : `its ${nodes} nodes`}`;
	const bytes = `${(chain.bytesPerSecond / 1000).toFixed(1)} kB a second`;
	const tokens = `${chain.tokens} of at most ${chain.maxTokens} tokens are followed`;
	const text = `${name} is ${state === 'live' ? 'live' : `${state}${reason}`}: ${where}; ${load}, ${bytes}; ${tokens}`;
	return {subject: 'chains', state: state === 'live' ? 'good' : 'note', text};
}

function notesOf({
	name,
	gaps,
	gapCount,
	unknownEvents,
	unknownBlocks,
	droppedTokens,
	unpriced,
	block,
}: ChainCoverage): Finding[] {
	const notes: Omit<Finding, 'subject' | 'state'>[] = [];
	if (gapCount > 0) {
		const [newest] = gaps;
		const last =
			newest === undefined ? '' : `; the newest is blocks ${newest.fromBlock} to ${newest.toBlock}: ${newest.why}`;
		notes.push({
			text: `${name} has ${gapCount} gap${gapCount === 1 ? '' : 's'} that could not be read${last}`,
			advice:
				'Figures that reach back into a gap are shown as unknown. A node that keeps more of the past closes the next one.',
		});
	}
	if (unknownEvents > 0)
		notes.push({
			text: `${name}: ${unknownEvents} events of launchpads, in ${unknownBlocks} blocks, are unknown here`,
			advice: 'A launchpad may have changed: what it does now is not shown until pulsetop knows it.',
		});
	if (droppedTokens > 0)
		notes.push({
			text: `${name}: ${droppedTokens} tokens are followed no more, to make room for newer ones`,
			advice: `tokens = 2000 under [follow.${name}] follows more, with more calls.`,
		});
	if (unpriced.length > 0 && block !== null)
		notes.push({
			text: `${name}: the price of ${unpriced.join(', ')} in USD is not known, so neither is what is traded in it`,
		});
	return notes.map(note => ({subject: 'chains', state: 'note', ...note}));
}
