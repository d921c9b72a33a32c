/** Where a query is searched, the best place first. */
export interface Found {
	readonly name: string;
	readonly also: string;
	readonly help: string;
}

/**
 * How well a query of word beginnings matches an item: each word must begin a word of the item. The name counts most, then
 * its other names, then its help.
 * @returns undefined when one of the words matches nothing
 */
export function nameScore({name, also, help}: Found, query: string): number | undefined {
	let score = 0;
	for (const typed of wordsOf(query)) {
		const at = wordsOf(name).findIndex(word => word.startsWith(typed));
		if (at >= 0) score += 30 - at + (wordsOf(name)[at] === typed ? 5 : 0);
		else if (wordsOf(also).some(word => word.startsWith(typed))) score += 15;
		else if (wordsOf(help).some(word => word.startsWith(typed))) score += 1;
		else return undefined;
	}
	return score;
}

function wordsOf(text: string): readonly string[] {
	return text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(word => word !== '');
}
