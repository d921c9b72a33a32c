/**
 * The name that was probably meant: the nearest of the known ones by edits (a swap of neighbours is one), without regard
 * to case, `-` and `_`. Nothing when none is near: a third of its length may differ, and one letter always.
 */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
	const wanted = bare(typed);
	let best: string | undefined;
	let bestEdits = Math.max(1, Math.floor(wanted.length / 3)) + 1;
	for (const name of known) {
		const edits = isBeginning(wanted, bare(name)) ? 1 : editsBetween(wanted, bare(name));
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
