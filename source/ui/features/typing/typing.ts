import {type MonitorState, topMode} from '../../../monitor/state.ts';
import * as text from '../../../monitor/transitions/text-edit.ts';
import {type Context, feature} from '../../feature.ts';
import {acceptLabel, type BindingSpec, type ModeTraits} from '../../keymap/binding.ts';

type Edit = (edit: text.TextEdit) => text.TextEdit;

function createTypingActions({store, monitor, specOf}: Context) {
	/** Changes the line that is typed; a menu that it narrows has its first line marked again. */
	function edit(change: Edit): void {
		monitor.changeMode(mode =>
			'edit' in mode ? {...mode, edit: change(mode.edit), ...('index' in mode && {index: 0})} : mode,
		);
		const {mode, spec, actions} = top();
		spec.typed?.(mode, actions);
	}

	/** The mode on top with the spec of its feature. */
	function top() {
		const mode = topMode(store.get());
		return {mode, ...specOf(mode.kind)};
	}

	return {
		edit,
		accept: () => {
			const {mode, spec, actions} = top();
			spec.accept?.(mode, actions);
		},
		cancel: () => {
			const {mode, spec, actions} = top();
			if (spec.cancel) spec.cancel(mode, actions);
			else monitor.leaveMode();
		},
		type: (typed: string) => edit(line => text.textInserted(line, typed)),
	};
}

type TypingActions = ReturnType<typeof createTypingActions>;

/** Enter takes the typed text. */
const isPrompt = ({accept}: ModeTraits): boolean => accept !== undefined;
const typesLine = (traits: ModeTraits): boolean => traits.typesLine === true;

function key(
	binding: Pick<BindingSpec<TypingActions>, 'id' | 'keys' | 'label' | 'help' | 'hint' | 'hintWhen'>,
	change: Edit,
): BindingSpec<TypingActions> {
	return {...binding, modes: typesLine, group: 'Typing', run: a => a.edit(change)};
}

/** The keys of every line that is typed. */
export const typing = feature({
	name: 'typing',
	actions: createTypingActions,
	help: {typing: {title: 'WHILE TYPING A LINE', rank: 120, shared: typesLine}},
	bindings: [
		{
			id: 'prompt.accept',
			keys: ['enter'],
			modes: isPrompt,
			group: 'Typing',
			label: 'apply',
			help: 'Take what was typed.',
			hint: 5,
			labelNow: acceptLabel,
			run: a => a.accept(),
		},
		{
			id: 'prompt.cancel',
			keys: ['esc'],
			modes: isPrompt,
			isExit: true,
			group: 'Typing',
			label: 'cancel',
			help: 'Leave the line.',
			hint: 15,
			labelNow: (_, {cancels}) => cancels,
			run: a => a.cancel(),
		},
		key(
			{
				id: 'edit.backspace',
				keys: ['backspace', 'ctrl+h'],
				label: 'delete',
				help: 'Delete the character before the cursor.',
			},
			text.charDeleted,
		),
		key(
			{id: 'edit.delete', keys: ['delete'], label: 'delete next', help: 'Delete the character under the cursor.'},
			text.nextCharDeleted,
		),
		key(
			{id: 'edit.word', keys: ['ctrl+w'], label: 'delete word', help: 'Delete the word before the cursor.'},
			text.wordDeleted,
		),
		key(
			{
				id: 'edit.line',
				keys: ['ctrl+u'],
				label: 'delete line',
				help: 'Delete everything before the cursor.',
				hint: 20,
				hintWhen: isTyped,
			},
			text.lineDeleted,
		),
		key({id: 'edit.left', keys: ['left'], label: 'left', help: 'One character left.'}, edit =>
			text.cursorMovedBy(edit, -1),
		),
		key({id: 'edit.right', keys: ['right'], label: 'right', help: 'One character right.'}, edit =>
			text.cursorMovedBy(edit, 1),
		),
		key({id: 'edit.start', keys: ['home', 'ctrl+a'], label: 'start', help: 'Start of the line.'}, edit =>
			text.cursorMovedTo(edit, 'start'),
		),
		key({id: 'edit.end', keys: ['end', 'ctrl+e'], label: 'end', help: 'End of the line.'}, edit =>
			text.cursorMovedTo(edit, 'end'),
		),
	],
});

/** Whether there is text in the line. */
function isTyped(state: MonitorState): boolean {
	const mode = topMode(state);
	return 'edit' in mode && mode.edit.text !== '';
}
