import {cellWidth, truncate} from '../text.ts';

/** A sentence whose first line has less room than the others; where not even its first word fits, that line is empty. */
export function wrapWithin(text: string, first: number, rest: number): string[] {
	const words = text.split(' ');
	let count = 0;
	while (count < words.length && cellWidth(words.slice(0, count + 1).join(' ')) <= first) count++;
	const behind = words.slice(count).join(' ');
	return [words.slice(0, count).join(' '), ...(behind === '' ? [] : wrapText(behind, rest))];
}

/** Breaks a sentence into lines of at most so many cells, at spaces; a longer word is cut. */
export function wrapText(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		const joined = line === '' ? word : `${line} ${word}`;
		if (cellWidth(joined) <= width) {
			line = joined;
			continue;
		}
		if (line !== '') lines.push(line);
		line = truncate(word, width);
	}
	if (line !== '') lines.push(line);
	return lines;
}
