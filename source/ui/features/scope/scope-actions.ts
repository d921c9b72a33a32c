import {FULL_SCOPE, type ScopePart, scopeText, scopeToggled} from '../../../monitor/columns/scope.ts';
import {fetchScope} from '../../../monitor/columns/scope-lookup.ts';
import {topMode} from '../../../monitor/state.ts';
import {scopeSet} from '../../../monitor/transitions/screen.ts';
import type {Context} from '../../feature.ts';
import {ALL, knownWith, SCOPE_KEYS, scopeItems} from './scope-items.ts';

/** Actions that narrow all columns to chains and launchpads; the columns follow every step. */
export function createScopeActions({store, monitor}: Context) {
	const {apply, get} = store;
	let isNamed = false;

	/** Chains and factories that the service names, once; before a response the menu has those of the columns. */
	async function readNames(): Promise<void> {
		const client = monitor.client();
		if (isNamed || client === undefined) return;
		isNamed = true;
		try {
			const named = await fetchScope(client);
			apply(state => ({...state, known: knownWith(state, named)}));
		} catch {
			isNamed = false;
		}
	}

	/** The part that the open menu is about. */
	function openPart(): ScopePart | undefined {
		const mode = topMode(get());
		return mode.kind === 'chains' || mode.kind === 'launchpads' ? mode.kind : undefined;
	}

	function toggle(id: string | undefined): void {
		const part = openPart();
		if (part === undefined || id === undefined) return;
		apply(state => scopeSet(state, id === ALL ? {...state.scope, [part]: []} : scopeToggled(state.scope, part, id)));
	}

	return {
		open: (part: ScopePart) => {
			apply(state => ({...state, known: knownWith(state, FULL_SCOPE)}));
			monitor.enterMode({kind: part, index: 0, before: get().scope});
			void readNames();
		},
		/** @param key the one that stands before the line */
		toggleKey: (key: string) => {
			const part = openPart();
			if (part !== undefined) toggle(scopeItems(part, get())[1 + SCOPE_KEYS.indexOf(key)]?.id);
		},
		toggleMarked: () => {
			const mode = topMode(get());
			if (mode.kind === 'chains' || mode.kind === 'launchpads') toggle(scopeItems(mode.kind, get())[mode.index]?.id);
		},
		clear: () => toggle(ALL),
		/** Enter in the menu: keeps the choice. */
		keep: () => {
			const part = openPart();
			monitor.leaveMode();
			monitor.saveChoices();
			if (part !== undefined) sayScope(part);
		},
		/** Esc in the menu: restores the choice before. */
		cancel: () => {
			const mode = topMode(get());
			if (mode.kind !== 'chains' && mode.kind !== 'launchpads') return;
			const {before} = mode;
			apply(state => scopeSet(state, before));
			monitor.leaveMode();
		},
		/** All chains and all launchpads again. */
		resetScope: () => {
			apply(state => scopeSet(state, FULL_SCOPE));
			monitor.saveChoices();
			monitor.notify('All columns show all chains and launchpads again.');
		},
	};

	function sayScope(part: ScopePart): void {
		const {scope, alerts} = get();
		const isAll = scope[part].length === 0;
		const rules = alerts.rules.length === 0 || isAll ? '' : ' Alert rules still see everything.';
		monitor.notify(
			isAll ? `All columns show all ${part}.` : `All columns show only ${scopeText(scope, part)}.${rules}`,
		);
	}
}
