/** A rectangle, in px. */
export interface Place {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

type Arm = 'left' | 'right' | 'up' | 'down';

/** To which edges of the cell a line runs from its middle, how thick each stroke is, and how far two of them lie apart. */
interface Drawing {
	readonly arms: readonly Arm[];
	readonly strokePx: number;
	readonly apartPx: number;
}

const DRAWINGS: Readonly<Record<string, Drawing>> = {
	'─': {arms: ['left', 'right'], strokePx: 1, apartPx: 0},
	'━': {arms: ['left', 'right'], strokePx: 3, apartPx: 0},
	'│': {arms: ['up', 'down'], strokePx: 1, apartPx: 0},
	'═': {arms: ['left', 'right'], strokePx: 1, apartPx: 3},
	'║': {arms: ['up', 'down'], strokePx: 1, apartPx: 3},
	'╔': {arms: ['right', 'down'], strokePx: 1, apartPx: 3},
	'╗': {arms: ['left', 'down'], strokePx: 1, apartPx: 3},
	'╚': {arms: ['right', 'up'], strokePx: 1, apartPx: 3},
	'╝': {arms: ['left', 'up'], strokePx: 1, apartPx: 3},
};

/** Whether a character is drawn as lines, so that they meet whatever font the reader has. */
export function isLine(char: string): boolean {
	return char in DRAWINGS;
}

/** A character of lines as a path; one that only runs from left to right may fill several cells. */
export function linePath(char: string, {x, y, width, height}: Place): {readonly d: string; readonly strokePx: number} {
	const {arms, strokePx, apartPx} = DRAWINGS[char]!;
	const middle = {x: x + width / 2, y: y + height / 2};
	const has = (arm: Arm) => arms.includes(arm);
	// The outer of two lines begins on the side that a corner turns its back to.
	const [backX, backY] = [has('right') ? -1 : 1, has('down') ? -1 : 1];
	const isCorner = (has('left') || has('right')) && (has('up') || has('down'));
	const strokes = apartPx === 0 ? [0] : [-apartPx / 2, apartPx / 2];
	const d = strokes.map(offset => {
		const [atX, atY] = [middle.x + offset * backX, middle.y + offset * backY];
		if (!isCorner)
			return has('left') ? `M${px(x)} ${px(atY)}H${px(x + width)}` : `M${px(atX)} ${px(y)}V${px(y + height)}`;
		return `M${px(has('left') ? x : x + width)} ${px(atY)}H${px(atX)}V${px(has('up') ? y : y + height)}`;
	});
	return {d: d.join(''), strokePx};
}

/** A length with the one digit after the dot that can be seen. */
export function px(value: number): string {
	return String(Math.round(value * 10) / 10);
}
