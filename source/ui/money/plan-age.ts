import type {BridgeView} from '../../trading/bridge/flow.ts';
import {deadlineText} from '../../trading/bridge/review-lines.ts';
import type {ReviewLine} from '../../trading/flow.ts';

/** How old a plan is, and from when on it is too old to sign, ms. */
export interface PlanAge {
	readonly ageMs: number;
	readonly maxMs: number;
}

/** A flow whose plans age. */
export interface Ageing<View> {
	/** @param nowMs local Unix ms @returns undefined before there is a plan */
	age(view: View | undefined, nowMs: number): PlanAge | undefined;
	/** The confirmation gets a fresh plan by itself: the age of a plan that is being confirmed means nothing. */
	readonly confirmsFresh?: true;
}

/** The steps that show a plan. */
export type AgeingStep = 'review' | 'confirm';

function ageIn<View>(flow: Ageing<View>, view: View | undefined, nowMs: number, step: AgeingStep): PlanAge | undefined {
	return step === 'confirm' && flow.confirmsFresh ? undefined : flow.age(view, nowMs);
}

/** Whether the plan is too old to go on with from this step. @param nowMs local Unix ms */
export function isStale<View>(flow: Ageing<View>, view: View | undefined, nowMs: number, step: AgeingStep): boolean {
	const age = ageIn(flow, view, nowMs, step);
	return age !== undefined && age.ageMs >= age.maxMs;
}

/** The age of a plan for the title of its window: `quote 9 s of 20`. */
export interface PlanTitle {
	readonly text: string;
	readonly isStale: boolean;
}

/** @param proposal its name in the title @returns undefined where the age means nothing */
export function planTitle<View>(
	flow: Ageing<View>,
	proposal: string,
	view: View | undefined,
	nowMs: number,
	step: AgeingStep,
): PlanTitle | undefined {
	const age = ageIn(flow, view, nowMs, step);
	if (!age) return undefined;
	const isStale = age.ageMs >= age.maxMs;
	const seconds = `${Math.floor(age.ageMs / 1000)} s of ${Math.round(age.maxMs / 1000)}`;
	return {text: `${proposal} ${isStale ? 'too old' : seconds}`, isStale};
}

/** @param nowMs local Unix ms */
export function quoteAge(view: Pick<BridgeView, 'plan'> | undefined, nowMs: number): PlanAge | undefined {
	const plan = view?.plan;
	if (!plan) return undefined;
	return {ageMs: Math.max(nowMs + plan.clock.skewMs - plan.quotedAtMs, 0), maxMs: plan.maxQuoteAgeMs};
}

/** @returns the lines of a review as they are now: the deadline counts down */
export function linesNow({plan, lines}: BridgeView, nowMs: number): readonly ReviewLine[] {
	if (!plan) return lines;
	const {batch, clock} = plan;
	const text = deadlineText({batch}, nowMs + clock.skewMs);
	return lines.map(line => (line.label === 'deadline' ? {...line, text} : line));
}

/** @returns the age of a payload or proposal */
export function builtAge(
	view: {readonly plan?: {readonly builtAtMs: number; readonly clock: {readonly skewMs: number}}} | undefined,
	nowMs: number,
	maxMs: number,
): PlanAge | undefined {
	const plan = view?.plan;
	return plan && {ageMs: Math.max(nowMs + plan.clock.skewMs - plan.builtAtMs, 0), maxMs};
}
