/**
 * How well a text matches a query: the letters of the query in order, gaps allowed. Higher is better, undefined means
 * no match. Hits at the start of a word and in a row count more.
 */
function fuzzyScore(text: string, query: string): number | undefined {
	const [lower, letters] = [text.toLowerCase(), query.toLowerCase().replaceAll(' ', '')];
	let score = 0;
	let at = -1;
	for (const letter of letters) {
		const next = lower.indexOf(letter, at + 1);
		if (next < 0) return undefined;
		if (next === at + 1) score += 3;
		if (next === 0 || !/[a-z0-9]/.test(lower[next - 1]!)) score += 4;
		score -= Math.min(next - at - 1, 5);
		at = next;
	}
	return score - lower.length / 100;
}

/** The items that match the query, best first; all of them, in their order, for an empty query. */
export function fuzzyFilter<T>(items: readonly T[], query: string, textOf: (item: T) => string): readonly T[] {
	if (query.trim() === '') return items;
	return items
		.flatMap(item => {
			const score = fuzzyScore(textOf(item), query);
			return score === undefined ? [] : [{item, score}];
		})
		.sort((a, b) => b.score - a.score)
		.map(({item}) => item);
}
