import {cellWidth, truncate} from '../text.ts';

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
