/** Figures, addresses, identifiers, and which clock is ahead. */
const OF_A_RUN = /\S*\d\S*|\b[a-z0-9]+(-[a-z0-9]+){2}\b|\b(behind|ahead of)\b/g;

/** The words of a picture of a money window, without what belongs to one run: each run has a wallet and an intent of its own. */
export function comparable(svg: string): string {
	return svg
		.split('\n')
		.flatMap(line => {
			const [, text] = /^<text [^>]*>(.*)<\/text>$/.exec(line) ?? [];
			return text === undefined ? [] : [text.replaceAll(OF_A_RUN, '#')];
		})
		.join('\n');
}
