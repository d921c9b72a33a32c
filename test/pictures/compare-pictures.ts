/** How busy the link was, as the first line of the screen says: measured, so that no two runs agree. */
const MEASURED = /^[\d.]+ (msg\/s|[kM]?B\/s|ms)$/;
/** The marks of a lookalike depend on all tokens that came while the service loaded its history. */
const LOOK_ALIKE = /^[≈~]$/;
/** Figures, addresses, identifiers, and which clock is ahead. */
const OF_A_RUN = /\S*\d\S*|\b[a-z0-9]+(-[a-z0-9]+){2}\b|\b(behind|ahead of)\b/g;

/**
 * What two pictures have in common when they show the same: all but what was measured. Of a window of money the words
 * count, but nothing that belongs to one run: each has a wallet and an intent of its own.
 */
export function comparable(svg: string): string {
	const isMoney = svg.includes('MONEY');
	return svg
		.split('\n')
		.flatMap(line => {
			const [, text] = /^<text [^>]*>(.*)<\/text>$/.exec(line) ?? [];
			if (text === undefined) return isMoney ? [] : [line];
			if (MEASURED.test(text.trim()) || LOOK_ALIKE.test(text)) return [];
			return [isMoney ? text.replaceAll(OF_A_RUN, '#') : line];
		})
		.join('\n');
}
