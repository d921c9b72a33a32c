/** The items whose text holds every word of the query, in whatever case; all of them for an empty query. The order stays. */
export function narrowed<T>(items: readonly T[], query: string, textOf: (item: T) => string): readonly T[] {
	const words = query
		.toLowerCase()
		.split(' ')
		.filter(word => word !== '');
	return items.filter(item => {
		const text = textOf(item).toLowerCase();
		return words.every(word => text.includes(word));
	});
}

/** The marked one of the lines of a menu: a list that became shorter has its last line marked. */
export function markedOf<T>({index}: {readonly index: number}, items: readonly T[]): T | undefined {
	return items[Math.min(index, items.length - 1)];
}
