import {clean} from '../../text.ts';
import {type CheckResult, isOnlyNew} from '../../trading/check.ts';
import type {WalletMode} from '../../trading/practice.ts';
import {tableText} from '../output/table.ts';
import type {ChosenWallet} from './context.ts';

/** The first members of every money document: mode and wallet. */
export function whoActs(mode: WalletMode, {name, address}: ChosenWallet) {
	return {mode, wallet: {name, address}};
}

/** A line of a review. */
export interface Fact {
	readonly label: string;
	readonly text: string;
}

/** Facts as lines: the label, then the cleaned text, never cut. */
export function factsText(facts: readonly Fact[]): string {
	const width = Math.max(0, ...facts.map(({label}) => label.length));
	return facts.map(({label, text}) => `${label.padEnd(width)}  ${clean(text)}\n`).join('');
}

interface Checked {
	readonly checks: readonly CheckResult[];
	/** New contracts that a person may accept. */
	readonly toAccept: readonly unknown[];
}

/**
 * Every check with its result, marked by text and not by colour. New contracts are marked as to be accepted, not as failed,
 * when nothing else failed; what passes only when a person types its figure is marked as that.
 */
export function checksText(view: Checked, {ascii}: {ascii: boolean}): string {
	const {checks} = view;
	const failed = checks.filter(({ok}) => !ok).length;
	const isNew = isOnlyNew(view);
	const open = isNew ? 'TO BE ACCEPTED' : 'FAILED';
	const marks = ascii ? {good: 'ok', bad: open} : {good: '✓', bad: `${isNew ? '!' : '✗'} ${open}`};
	const unchecked = checks.filter(({isUnavailable}) => isUnavailable).length;
	const byWord = checks.filter(({acknowledge}) => acknowledge !== undefined).length;
	const markOf = ({ok, isUnavailable, acknowledge}: CheckResult): string => {
		if (!ok) return marks.bad;
		if (acknowledge !== undefined) return ascii ? 'TO BE TYPED' : '! TO BE TYPED';
		return isUnavailable ? '? NOT CHECKED' : marks.good;
	};
	const rows = checks.map(check => ({mark: markOf(check), title: check.title, detail: clean(check.detail)}));
	const counted = [
		...(byWord === 0 ? [] : [`${byWord} TO BE TYPED`]),
		...(unchecked === 0 ? [] : [`${unchecked} NOT CHECKED`]),
	];
	const passed = counted.length === 0 ? 'ALL PASSED' : counted.join(', ');
	const columns = [
		{title: `${checks.length} CHECKS`, cell: ({title}: (typeof rows)[number]) => title},
		{title: failed === 0 ? passed : `${failed} ${open}`, cell: ({mark}: (typeof rows)[number]) => mark},
		{title: '', cell: ({detail}: (typeof rows)[number]) => detail},
	];
	return tableText(columns, rows, {ascii});
}

/** A value as indented JSON. */
export function indented(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}
