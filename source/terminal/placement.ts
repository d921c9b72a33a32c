import type {DOMElement} from 'ink';

/** Where a box is on the screen, in cells. The right and lower bounds are exclusive. */
export interface Place {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
	/** The visible part, inside every box around it that hides its overflow. */
	readonly left: number;
	readonly top: number;
	readonly right: number;
	readonly bottom: number;
	/** Indices of the nodes from the root down: Ink draws in the order of these paths. */
	readonly path: readonly number[];
}

// Values of yoga-layout, whose module is not loaded for two numbers.
const DISPLAY_NONE = 1;
const EDGE = {left: 0, top: 1, right: 2, bottom: 3};

/**
 * Finds a box on the screen as Ink has last laid it out, by the arithmetic of Ink's own renderer (offsets of the boxes
 * around it, scrolled content, hidden overflow). Undefined if it is not in the tree, or not displayed.
 */
export function placeOf(node: DOMElement): Place | undefined {
	const path: number[] = [];
	const chain: DOMElement[] = [];
	for (let at: DOMElement | undefined = node; at !== undefined; at = at.parentNode) {
		if (at.yogaNode === undefined || at.yogaNode.getDisplay() === DISPLAY_NONE) return undefined;
		chain.push(at);
		if (at.parentNode !== undefined) path.push(at.parentNode.childNodes.indexOf(at));
	}
	if (chain.at(-1)!.nodeName !== 'ink-root') return undefined;

	let x = 0;
	let y = 0;
	let left = 0;
	let top = 0;
	let right = Number.POSITIVE_INFINITY;
	let bottom = Number.POSITIVE_INFINITY;
	for (const box of chain.toReversed()) {
		const yoga = box.yogaNode!;
		x += yoga.getComputedLeft();
		y += yoga.getComputedTop();
		if (box === node) break;
		if (isHidden(box.style.overflowX, box.style.overflow)) {
			left = Math.max(left, x + yoga.getComputedBorder(EDGE.left));
			right = Math.min(right, x + yoga.getComputedWidth() - yoga.getComputedBorder(EDGE.right));
		}
		if (isHidden(box.style.overflowY, box.style.overflow)) {
			top = Math.max(top, y + yoga.getComputedBorder(EDGE.top));
			bottom = Math.min(bottom, y + yoga.getComputedHeight() - yoga.getComputedBorder(EDGE.bottom));
		}
		x -= Math.trunc(box.style.contentOffsetX ?? 0);
		y -= Math.trunc(box.style.contentOffsetY ?? 0);
	}
	const width = node.yogaNode!.getComputedWidth();
	const height = node.yogaNode!.getComputedHeight();
	return {
		x,
		y,
		width,
		height,
		left: Math.max(left, x),
		top: Math.max(top, y),
		right: Math.min(right, x + width),
		bottom: Math.min(bottom, y + height),
		path: path.reverse(),
	};
}

function isHidden(axis: string | undefined, both: string | undefined): boolean {
	return (axis ?? both) === 'hidden';
}

/** Whether two boxes are drawn in the same cells and order. */
export function isSamePlace(a: Place, b: Place): boolean {
	return (
		a.x === b.x &&
		a.y === b.y &&
		a.left === b.left &&
		a.top === b.top &&
		a.right === b.right &&
		a.bottom === b.bottom &&
		comparePaths(a.path, b.path) === 0
	);
}

/** Negative if the first path is drawn before, and so below, the second. */
export function comparePaths(a: readonly number[], b: readonly number[]): number {
	for (let level = 0; level < a.length && level < b.length; level++) {
		const difference = a[level]! - b[level]!;
		if (difference !== 0) return difference;
	}
	return a.length - b.length;
}
