import type {ModeKind} from '../../monitor/mode.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {Binding, BindingSpec, BoundKeys, Need} from './binding.ts';

/** Why an action that needs something of the host does nothing for a viewer; names of actions in braces are their keys. */
const OVER_SSH: Readonly<Record<Need, string>> = {
	money: 'not over this connection; to trade: npm install -g pulsetop',
	files: 'no files here: {menu.copy} copies the list, a paste imports it',
	operator: 'only for the operator of this host',
	shell: 'there is no shell here; {program.quit} leaves',
};

/** Why the keys of this screen leave an action out, in words for a line of a menu; undefined where they have the action. */
export function whyKept(
	{danger, needs}: Pick<BindingSpec<never>, 'danger' | 'needs'>,
	{readOnly, visit, service}: Pick<MonitorState, 'readOnly' | 'visit' | 'service'>,
): string | undefined {
	if (visit && needs) return OVER_SSH[needs];
	if (danger && readOnly) return service.recording ? 'not in a recording' : 'not in read-only mode';
	return undefined;
}

const viewersKeys = new WeakMap<BoundKeys, BoundKeys>();

/** The keys as the help lists them for a viewer over SSH: without those that do nothing, and without those of windows that don't open. */
export function keysOfViewer(keys: BoundKeys): BoundKeys {
	const known = viewersKeys.get(keys);
	if (known) return known;
	const closed = new Set<string>(CLOSED);
	const bindings = keys.bindings.filter(({needs, modes}: Binding) => !needs && !modes.every(mode => closed.has(mode)));
	const ids = new Set(bindings.map(({id}) => id));
	const made: BoundKeys = {
		...keys,
		bindings,
		sections: () =>
			keys.sections().flatMap(section => {
				const topics = section.topics.map(topic => ({
					...topic,
					bindings: topic.bindings.filter(binding => bindings.includes(binding)),
				}));
				const left = topics.filter(topic => topic.bindings.length > 0);
				return left.length === 0 ? [] : [{...section, topics: left}];
			}),
		keyOf: (id, ascii, mode) => (ids.has(id) ? keys.keyOf(id, ascii, mode) : undefined),
	};
	viewersKeys.set(keys, made);
	return made;
}
/** The modes of windows that only a key with a need opens. */
const CLOSED: readonly ModeKind[] = [
	'trade',
	'bridge',
	'perp',
	'predictionAccount',
	'positions',
	'webhooks',
	'actionLog',
];
