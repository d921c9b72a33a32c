import type {ReactNode} from 'react';
import {type CheckResult, isOnlyNew} from '../../trading/check.ts';
import {Line, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import type {Tone} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';

export interface Checked {
	readonly checks: readonly CheckResult[];
	readonly toAccept: readonly unknown[];
}

/** Every check with its result; what failed stands first, then what could not be checked. A contract that only has to be accepted is a question, and no failure. */
export function Checks({view}: {readonly view: Checked}): ReactNode {
	const {cross, check} = useDisplay().glyphs;
	const [mark, tone]: readonly [string, Tone] = isOnlyNew(view) ? ['!', 'warn'] : [cross, 'bad'];
	const rank = ({ok, isUnavailable}: CheckResult) => (ok ? (isUnavailable ? 1 : 2) : 0);
	return view.checks
		.toSorted((a, b) => rank(a) - rank(b))
		.map(({title, ok, isUnavailable, detail}, at) =>
			isUnavailable ? (
				// biome-ignore lint/suspicious/noArrayIndexKey: a check is its place
				<Hanging key={at} tone="warn" text={`? ${title}: not checked, ${detail}`} />
			) : (
				// biome-ignore lint/suspicious/noArrayIndexKey: a check is its place
				<Hanging key={at} tone={ok ? 'text' : tone} text={`${ok ? check : mark} ${title}: ${detail}`} />
			),
		);
}

/** The failed checks; none where contracts only have to be accepted. */
export function failedChecks(view: Checked): readonly CheckResult[] {
	return isOnlyNew(view) ? [] : view.checks.filter(({ok}) => !ok);
}

interface FailedChecksProps {
	readonly view: Checked;
	/** The advice for all of them. */
	readonly next?: string;
}

/** Above everything else: each failed check with what was found and what to do. */
export function FailedChecks({view, next = ''}: FailedChecksProps): ReactNode {
	const {cross, arrow} = useDisplay().glyphs;
	const failed = failedChecks(view);
	if (failed.length === 0) return null;
	const text = failed.length === 1 ? 'A check has failed' : `${failed.length} checks have failed`;
	return (
		<>
			{failed.map(({title, detail, advice}) => [
				<Hanging key={title} tone="bad" text={`${cross} ${title}: ${detail}`} />,
				advice !== undefined && <Hanging key={advice} tone="text" text={`${arrow} ${advice}`} indent={2} />,
			])}
			<Paragraph tone="warn" text={`${text}: nothing can be signed. ${next}`.trim()} />
		</>
	);
}

interface CheckCountProps {
	readonly checks: readonly CheckResult[];
	/** Whether Enter leads to the confirmation. */
	readonly isReady: boolean;
	/** A trial that no check makes. */
	readonly untried: string | undefined;
}

/** How many checks passed, and by name what was not checked. */
export function CheckCount({checks, isReady, untried}: CheckCountProps): ReactNode {
	const {check} = useDisplay().glyphs;
	if (checks.length === 0) return null;
	const passed = checks.filter(({ok, isUnavailable}) => ok && !isUnavailable).length;
	const isAll = checks.every(({ok}) => ok);
	const open = checks.filter(({isUnavailable}) => isUnavailable).map(({title}) => title);
	const left = [...open, ...(untried === undefined ? [] : [untried])].join(', ');
	const counted = isAll ? `${passed} checks passed` : `${passed} of ${checks.length} checks are fine`;
	const text = isReady ? `${counted}. Enter goes on to the confirmation.` : counted;
	return (
		<>
			<Hanging tone={isReady ? 'good' : 'dim'} text={`${check} ${text}`} />
			{left !== '' && <Hanging tone={open.length > 0 ? 'warn' : 'dim'} text={`? not checked: ${left}`} />}
		</>
	);
}

interface HangingProps {
	readonly tone: Tone;
	readonly text: string;
	/** Cells before the mark. */
	readonly indent?: number;
}

/** A marked text: what goes on below stands behind the mark. */
function Hanging({tone, text, indent = 0}: HangingProps): ReactNode {
	return wrapText(text, useWidth() - indent - 2).map((line, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={at}>
			<Text tone={tone}>{`${' '.repeat(at === 0 ? indent : indent + 2)}${line}`}</Text>
		</Line>
	));
}
