import {type MonitorState, topMode} from '../../../monitor/state.ts';
import * as text from '../../../monitor/transitions/text-edit.ts';
import {type Context, feature} from '../../feature.ts';
import {acceptLabel, type BindingSpec, type ModeTraits} from '../../keymap/binding.ts';

type Edit = (edit: text.TextEdit) => text.TextEdit;

function createTypingActions({store, monitor, specOf}: Context) {
	/** Changes the line that is typed, that of the window where it has lines of its own; a menu that it narrows marks its first line. */
	function edit(change: Edit): void {
		const window = top();
		if (window.spec.edit) {
			window.spec.edit(change, window.actions);
			return;
		}
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
		/** One character to the left or right, or another value of the line. */
		turn: (by: 1 | -1) => {
			const {spec, actions} = top();
			if (spec.fields?.turn) spec.fields.turn(by, actions);
			else edit(line => text.cursorMovedBy(line, by));
		},
		move: (by: 1 | -1, key: string) => {
			const {spec, actions} = top();
			spec.fields?.move(by, actions, key);
		},
		complete: () => {
			const {spec, actions} = top();
			spec.complete?.(actions);
		},
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
const typesText = (traits: ModeTraits): boolean => typesLine(traits) || traits.edit !== undefined;
const hasFields = ({fields}: ModeTraits): boolean => fields !== undefined;
const typesOrTurns = (traits: ModeTraits): boolean => typesLine(traits) || traits.fields?.turn !== undefined;

function key(
	binding: Pick<BindingSpec<TypingActions>, 'id' | 'keys' | 'label' | 'help' | 'hint' | 'hintWhen'>,
	change: Edit,
	modes: (traits: ModeTraits) => boolean = typesLine,
): BindingSpec<TypingActions> {
	return {...binding, modes, yields: 'toOwn', group: 'Typing', run: a => a.edit(change)};
}

/** The keys of every line that is typed. */
export const typing = feature({
	name: 'typing',
	actions: createTypingActions,
	help: {typing: {title: 'WHILE TYPING A LINE OR A FORM', rank: 120, shared: typesText}},
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
			typesText,
		),
		key(
			{id: 'edit.delete', keys: ['delete'], label: 'delete next', help: 'Delete the character under the cursor.'},
			text.nextCharDeleted,
		),
		key(
			{id: 'edit.word', keys: ['ctrl+w'], label: 'delete word', help: 'Delete the word before the cursor.'},
			text.wordDeleted,
			typesText,
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
			typesText,
		),
		{
			id: 'edit.left',
			keys: ['left'],
			modes: typesOrTurns,
			yields: 'toOwn',
			group: 'Typing',
			label: 'other',
			help: 'One character left; in a money window, the previous token, chain or answer.',
			run: a => a.turn(-1),
		},
		{
			id: 'edit.right',
			keys: ['right'],
			modes: typesOrTurns,
			yields: 'toOwn',
			group: 'Typing',
			label: 'other',
			help: 'One character right; in a money window, the next token, chain or answer.',
			hint: 12,
			hintWhen: (_, {fields}) => fields?.turn !== undefined,
			run: a => a.turn(1),
		},
		{
			id: 'form.next',
			keys: ['tab', 'down', 'ctrl+n'],
			modes: hasFields,
			yields: 'toAll',
			group: 'Typing',
			label: 'next',
			help: 'The next line, order, answer, or column of an alert rule. In the review of a money window Tab shows all facts, contracts and checks, and back.',
			hint: 10,
			labelNow: (_, {fields}) => fields?.label,
			run: (a, _, key) => a.move(1, key),
		},
		{
			id: 'form.previous',
			keys: ['shift+tab', 'up', 'ctrl+p'],
			modes: hasFields,
			yields: 'toAll',
			group: 'Typing',
			label: 'previous',
			help: 'The previous line, order, answer or column.',
			run: (a, _, key) => a.move(-1, key),
		},
		{
			id: 'prompt.complete',
			keys: ['tab'],
			modes: ({complete}) => complete !== undefined,
			group: 'Typing',
			label: 'complete',
			help: 'Complete the word, in the palette the line.',
			hint: 11,
			run: a => a.complete(),
		},
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
