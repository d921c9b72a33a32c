import {type ChainCoverage, chainCoverageSchema} from '../../contract/coverage.ts';
import {clean} from '../../text.ts';

/** More chains than a service follows are not read. */
const MOST_CHAINS = 32;
const MOST_NAME = 40;
const MOST_WHY = 300;
const MOST_LISTED = 40;

/** What a service reports of the chains that it follows: only what has the form of the contract, with clean texts. */
export function readCoverage(raw: readonly unknown[]): ChainCoverage[] {
	const schema = chainCoverageSchema();
	return raw.slice(0, MOST_CHAINS).flatMap(chain => {
		const {data} = schema.safeParse(chain);
		return data ? [tidied(data)] : [];
	});
}

function tidied(chain: ChainCoverage): ChainCoverage {
	const name = (text: string): string => clean(text, {maxLength: MOST_NAME});
	const names = (texts: readonly string[]): string[] => texts.slice(0, MOST_LISTED).map(name);
	const sentence = (text: string): string => clean(text, {maxLength: MOST_WHY});
	return {
		...chain,
		chainId: name(chain.chainId),
		name: name(chain.name),
		node: clean(chain.node, {maxLength: 100}),
		why: chain.why === null ? null : sentence(chain.why),
		gaps: chain.gaps.slice(0, MOST_LISTED).map(gap => ({...gap, why: sentence(gap.why)})),
		priced: names(chain.priced),
		unpriced: names(chain.unpriced),
	};
}
