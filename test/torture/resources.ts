/** What keeps the event loop alive, by kind, and listeners of the process: what a leak would make more of. */
export function resourcesInUse(): Record<string, number> {
	const count: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) count[kind] = (count[kind] ?? 0) + 1;
	const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
	return {...count, listeners};
}

/** Growth of a series: from the median of its first third to that of its last, as a share. */
export function growthOf(values: readonly number[]): number {
	const third = Math.max(1, Math.floor(values.length / 3));
	const median = (part: readonly number[]) => part.toSorted((a, b) => a - b)[part.length >> 1] ?? Number.NaN;
	return median(values.slice(-third)) / median(values.slice(0, third)) - 1;
}
