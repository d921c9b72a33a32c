import type {Feature, SectionSpec} from '../feature.ts';
import {FEATURES, modeSpec} from '../features.ts';
import {type Binding, GROUPS, type HelpSection} from './binding.ts';
import {CLASSIC_KEYS} from './classic-keys.ts';

/** The section whose keys have topics. */
const WITH_TOPICS = 'columns';

const SECTIONS: readonly (readonly [string, SectionSpec])[] = (FEATURES as readonly Feature[])
	.flatMap(({help = {}}) => Object.entries(help))
	.toSorted(([, a], [, b]) => a.rank - b.rank);

/** All keys by the place where they are pressed; each action stands once, but for those of two places of their own. */
export function helpSections(bindings: readonly Binding[]): readonly HelpSection[] {
	const placed = new Map<string, Binding[]>();
	for (const binding of bindings) {
		// An action without a key of its own stands where a window lists it, and in the palette.
		if (binding.keys.length === 0 && binding.id in CLASSIC_KEYS) continue;
		for (const id of sectionsOf(binding)) placed.set(id, [...(placed.get(id) ?? []), binding]);
	}
	return SECTIONS.flatMap(([id, {title, notes = []}]): HelpSection[] => {
		const own = placed.get(id) ?? [];
		if (own.length === 0) return [];
		if (id !== WITH_TOPICS) return [{id, title, notes, topics: [{bindings: own}]}];
		const topics = GROUPS.map(name => ({name, bindings: own.filter(({group}) => group === name)}));
		return [{id, title, notes, topics: topics.filter(topic => topic.bindings.length > 0)}];
	});
}

function sectionsOf({modes}: Binding): readonly string[] {
	if (modes.includes('list')) return [WITH_TOPICS];
	const counts = SECTIONS.flatMap(([id, {shared}]) =>
		shared ? [{id, count: modes.filter(mode => shared(modeSpec(mode))).length}] : [],
	);
	// When two sections cover the same number of modes, the later section is the more specific one.
	const [shared] = counts.toReversed().toSorted((a, b) => b.count - a.count);
	const own = new Set(modes.map(mode => modeSpec(mode).help));
	return shared && shared.count > 1 && own.size > 1 ? [shared.id] : [...own];
}
