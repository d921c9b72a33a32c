import {parseSync} from 'oxc-parser';

/** An operator of the source that can be changed into another. */
export interface Operator {
	readonly id: number;
	readonly file: string;
	/** From 1. */
	readonly line: number;
	readonly column: number;
	readonly from: string;
}

/** The function of `switches.ts` for each operator. */
const SWITCHES: Readonly<Record<string, string>> = {
	'<': 'below',
	'<=': 'upTo',
	'>': 'above',
	'>=': 'from',
	'===': 'same',
	'!==': 'other',
	'+': 'plus',
	'-': 'minus',
	'&&': 'and',
	'||': 'or',
};
/** A replacement of source text. Of those at one place, ends come before operators, and operators before beginnings. */
interface Edit {
	readonly at: number;
	readonly removes: number;
	readonly text: string;
	readonly rank: number;
}

interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly operator?: string;
	readonly left?: Node;
	readonly right?: Node;
}

/**
 * The operators of a file that stand between blanks, and its source with some of them behind a switch: `a < b` becomes
 * `switches.below(7, a, b)`.
 * @param firstId the id of the first operator
 * @param isWanted whether an operator gets a switch
 * @param switches path of `switches.ts` from the file
 */
export function withSwitches(
	file: string,
	source: string,
	{
		firstId,
		isWanted,
		switches,
	}: {readonly firstId: number; readonly isWanted: (id: number) => boolean; readonly switches: string},
): {readonly source: string; readonly operators: readonly Operator[]} {
	const operators: Operator[] = [];
	const edits: Edit[] = [];
	visit(
		parseSync(file, source, {lang: 'ts', sourceType: 'module'}).program,
		({type, start, end, operator, left, right}) => {
			const isLogical = type === 'LogicalExpression';
			const name = SWITCHES[operator ?? ''];
			if ((!isLogical && type !== 'BinaryExpression') || name === undefined || !left || !right) return;
			// A function is no place for the `await` of another.
			if (isLogical && /\b(await|yield)\b/.test(source.slice(right.start, right.end))) return;
			const between = source
				.slice(left.end, right.start)
				.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, text => ' '.repeat(text.length));
			const place = between.indexOf(` ${operator} `);
			if (place === -1) return;
			const at = left.end + place + 1;
			const id = firstId + operators.length;
			const before = source.slice(0, at).split('\n');
			operators.push({id, file, line: before.length, column: before.at(-1)!.length + 1, from: operator!});
			if (!isWanted(id)) return;
			// Where two begin or end together, the longer one is outside.
			const size = (end - start) / source.length;
			edits.push({at: start, removes: 0, text: `switches.${name}(${id},`, rank: 3 - size});
			edits.push({at, removes: operator!.length, text: isLogical ? ',()=>(' : ',', rank: 1.5});
			edits.push({at: end, removes: 0, text: isLogical ? '))' : ')', rank: size});
		},
	);
	if (edits.length === 0) return {source, operators};
	let text = `import * as switches from '${switches}';`;
	let done = 0;
	for (const edit of edits.toSorted((a, b) => a.at - b.at || a.rank - b.rank)) {
		text += source.slice(done, edit.at) + edit.text;
		done = edit.at + edit.removes;
	}
	return {source: text + source.slice(done), operators};
}

function visit(value: unknown, take: (node: Node) => void): void {
	if (Array.isArray(value)) for (const part of value) visit(part, take);
	else if (typeof value === 'object' && value !== null && 'type' in value) {
		take(value as Node);
		for (const part of Object.values(value)) visit(part, take);
	}
}
