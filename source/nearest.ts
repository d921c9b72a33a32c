/**
 * The known name with the fewest edits from a typed one (a swap of neighbours is one edit), without regard to case, `-` and
 * `_`. Undefined when more than a third of the letters differ; one letter may always differ.
 */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
	const letters = bare(typed);
	let best: string | undefined;
	let bestEdits = Math.max(1, Math.floor(letters.length / 3)) + 1;
	for (const name of known) {
		const edits = isBeginning(letters, bare(name)) ? 1 : editsBetween(letters, bare(name));
		if (edits < bestEdits) {
			best = name;
			bestEdits = edits;
		}
	}
	return best;
}

function bare(name: string): string {
	return name.toLowerCase().replaceAll(/[-_]/g, '');
}

function isBeginning(typed: string, name: string): boolean {
	return typed.length >= 3 && name.startsWith(typed);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editsBetween(a: string, b: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({length: b.length + 1}, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
			const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : Infinity;
			row.push(Math.min(replaced, swapped, last[j]! + 1, row[j - 1]! + 1));
		}
		beforeLast = last;
		last = row;
	}
	return last[b.length]!;
}
