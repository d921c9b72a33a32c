import type {ScrollStep} from '../feature.ts';

/** The first line in sight after a step; less than 0 and beyond the end where the step leads there. @param page lines of the window */
export function scrolled(scroll: number, {lines = 0, pages = 0, to}: ScrollStep, page: number): number {
	if (to !== undefined) return to === 'first' ? 0 : Number.MAX_SAFE_INTEGER;
	// Two lines stay in sight, so that the eye finds its place again.
	return scroll + lines + pages * Math.max(page - 2, 1);
}
