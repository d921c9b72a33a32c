import {cellWidth, truncate} from '../text.ts';

/** The lines of a text whose first line has less room than the others: `first` and `rest` cells. The first line is empty where not even one word fits. */
export function wrapWithin(text: string, first: number, rest: number): string[] {
	const words = text.split(' ');
	let count = 0;
	while (count < words.length && cellWidth(words.slice(0, count + 1).join(' ')) <= first) count++;
	const behind = words.slice(count).join(' ');
	return [words.slice(0, count).join(' '), ...(behind === '' ? [] : wrapText(behind, rest))];
}

/** Breaks a text into lines of at most `width` cells, at spaces; a longer word is cut. */
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

/** Broken at spaces, and inside a word that is longer than a line. */
export function folded(text: string, width: number): string[] {
	return text.split(' ').reduce<string[]>(
		(lines, word) => {
			const joined = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
			if (cellWidth(joined) <= width) lines[lines.length - 1] = joined;
			else {
				const parts = word.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [word];
				if (lines.at(-1) === '') lines.pop();
				lines.push(...parts);
			}
			return lines;
		},
		[''],
	);
}
