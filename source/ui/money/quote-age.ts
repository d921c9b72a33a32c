import type {BridgeView} from '../../trading/bridge/flow.ts';
import {deadlineText} from '../../trading/bridge/review-lines.ts';
import type {ReviewLine} from '../../trading/flow.ts';

/** How old a quote is and when it is too old to sign, ms; undefined before there is one. @param nowMs local Unix ms */
function quoteAge(
	view: Pick<BridgeView, 'plan'> | undefined,
	nowMs: number,
): {readonly ageMs: number; readonly endMs: number} | undefined {
	const plan = view?.plan;
	if (!plan) return undefined;
	return {ageMs: Math.max(nowMs + plan.clock.skewMs - plan.quotedAtMs, 0), endMs: plan.maxQuoteAgeMs};
}

/** Whether the quote is too old to sign: a new one has to be requested. */
export function isQuoteOld(view: Pick<BridgeView, 'plan'> | undefined, nowMs: number): boolean {
	const age = quoteAge(view, nowMs);
	return age !== undefined && age.ageMs >= age.endMs;
}

/** The lines of a review as they are now: the deadline counts down, and the age of the quote stands below it. */
export function linesNow(view: BridgeView, nowMs: number): readonly ReviewLine[] {
	const age = quoteAge(view, nowMs);
	if (!view.plan || !age) return view.lines;
	const {batch, clock} = view.plan;
	const [ageS, endS] = [Math.floor(age.ageMs / 1000), Math.round(age.endMs / 1000)];
	const text =
		age.ageMs < age.endMs ? `${ageS} s old, can be signed until ${endS} s` : `${ageS} s old: too old to sign`;
	return view.lines.flatMap(line =>
		line.label === 'deadline'
			? [
					{label: 'deadline', text: deadlineText({batch}, nowMs + clock.skewMs)},
					{label: 'quote', text: text},
				]
			: [line],
	);
}
