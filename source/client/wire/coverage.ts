import {type ChainCoverage, chainCoverageSchema} from '../../contract/coverage.ts';
import {clean} from '../../text.ts';

/** More chains than a service follows are not read. */
const MAX_CHAINS = 32;
const MAX_NAME = 40;
const MAX_WHY = 300;
const MAX_LISTED = 40;

/** The service's report on the chains that it follows: only members in the form of the contract, with clean texts. */
export function readCoverage(raw: readonly unknown[]): ChainCoverage[] {
	const schema = chainCoverageSchema();
	return raw.slice(0, MAX_CHAINS).flatMap(chain => {
		const {data} = schema.safeParse(chain);
		return data ? [tidied(data)] : [];
	});
}

function tidied(chain: ChainCoverage): ChainCoverage {
	const name = (text: string): string => clean(text, {maxLength: MAX_NAME});
	const names = (texts: readonly string[]): string[] => texts.slice(0, MAX_LISTED).map(name);
	const sentence = (text: string): string => clean(text, {maxLength: MAX_WHY});
	return {
		...chain,
		chainId: name(chain.chainId),
		name: name(chain.name),
		node: clean(chain.node, {maxLength: 100}),
		why: chain.why === null ? null : sentence(chain.why),
		gaps: chain.gaps.slice(0, MAX_LISTED).map(gap => ({...gap, why: sentence(gap.why)})),
		priced: names(chain.priced),
		unpriced: names(chain.unpriced),
	};
}
