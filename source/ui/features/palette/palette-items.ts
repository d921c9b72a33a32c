import {capitalised} from '../../../text.ts';
import type {JoinedCommand, MenuContext, MenuItem, MenuMessage} from '../../feature.ts';
import {actionName, type Binding} from '../../keymap/binding.ts';
import {keysText} from '../../keymap/key-names.ts';
import {withKeys} from '../../keymap/key-texts.ts';
import {whyKept} from '../../keymap/why-kept.ts';
import {THEME_NAMES, THEMES} from '../../theme.ts';
import {nameScore} from './name-score.ts';

/** The command and its arguments, once the word of a command and a blank stand at the start of the typed text. */
export function readCommand(
	typed: string,
	commands: readonly JoinedCommand[],
): {readonly command: JoinedCommand; readonly argument: string} | undefined {
	const [, word, argument = ''] = /^\s*(\w+)\s(.*)$/.exec(typed) ?? [];
	const command = commands.find(candidate => candidate.word === word);
	return command && {command, argument: argument.trimStart()};
}

/** The actions that the palette offers: what can be done in the list; one with keys of its own in the pane is there once. */
function offered({keys}: MenuContext): readonly Binding[] {
	const browse = keys.bindings.filter(({modes}) => modes.includes('list') || modes.includes('detail'));
	return browse.filter(
		(binding, at) => !HIDDEN.includes(binding.id) && browse.findIndex(other => other.id === binding.id) === at,
	);
}
const HIDDEN = ['palette.open', 'program.interrupt'];

/**
 * The lines of the palette for the typed text: actions and commands by name; once a command and a blank stand there, how
 * its line can go on, the line itself first when it can be run as it is.
 */
export function paletteItems(given: string, context: MenuContext): readonly MenuItem[] {
	const {state, keys, commands, isAscii: ascii} = context;
	const typed = withoutColon(given);
	const line = readCommand(typed, commands);
	if (line) {
		const {command, argument} = line;
		const whole = `${command.word} ${argument}`.trim();
		const canRun = command.problem(argument, state) === undefined;
		const others = command
			.completions(argument, state)
			.map(completion => ({
				id: `line:${command.word} ${completion.argument}`,
				label: completion.label ?? `${command.word} ${completion.argument}`,
				note: completion.note,
				line: `${command.word} ${completion.argument}`,
				isReady: command.problem(completion.argument, state) === undefined,
			}))
			.filter(item => !canRun || item.line.trim() !== whole);
		return canRun
			? [{id: `run:${whole}`, label: whole, note: command.help, line: whole, isReady: true}, ...others]
			: others;
	}
	const lines = [
		...offered(context).map(binding => ({
			item: bindingItem(binding, context),
			also: `${binding.label} ${binding.id}`,
			help: withKeys(binding.help, keys, ascii),
		})),
		...THEME_NAMES.map(name => ({
			item: {
				id: `theme:${name}`,
				label: `Theme: ${name}`,
				note: name === state.theme ? 'now' : '',
				line: `theme ${name}`,
				isReady: true,
			},
			also: 'colours colors',
			help: THEMES[name].label,
		})),
		...commands.map(command => ({
			item: commandItem(command, context),
			also: command.word,
			help: command.help,
		})),
	];
	return lines
		.flatMap(({item, also, help}) => {
			const score = nameScore({name: item.label, also, help}, typed);
			return score === undefined ? [] : [{item: {...item, help}, score}];
		})
		.toSorted((x, y) => y.score - x.score)
		.map(({item}) => item);
}

/** The text under the typed line: its problem, or the usage of the command. */
export function paletteMessage(
	typed: string,
	{state, commands}: MenuContext,
	marked: MenuItem | undefined,
): MenuMessage | undefined {
	const line = readCommand(withoutColon(typed), commands);
	if (!line) return marked?.help === undefined ? undefined : {text: marked.help, isProblem: false};
	const {command, argument} = line;
	const problem = argument.trim() === '' ? undefined : command.problem(argument, state);
	// Text that can still become valid is not reported as an error while it is typed.
	if (problem !== undefined && command.completions(argument, state).length > 0) return usageOf(command);
	return problem === undefined ? usageOf(command) : {text: problem, isProblem: true};
}

/** Users of other programs type the colon again. */
function withoutColon(typed: string): string {
	return typed.replace(/^[\s:]+/, '');
}

function usageOf({usage, help}: JoinedCommand): MenuMessage {
	return {text: `${usage}   ${help}`, isProblem: false};
}

function commandItem({word, usage}: JoinedCommand, {keys, isAscii}: MenuContext): MenuItem {
	const note = withKeys(`{palette.open}${usage}`, keys, isAscii);
	return {id: `command:${word}`, label: `${capitalised(word)}…`, note, line: `${word} `, isReady: false};
}

function bindingItem(binding: Binding, {state, keys, isAscii: ascii}: MenuContext): MenuItem {
	const why = binding.disabled?.(state);
	const disabled =
		(why === undefined ? undefined : why.startsWith('nothing') ? '(none)' : withKeys(why, keys, ascii)) ??
		(state.visit && whyKept(binding, state) ? 'not over SSH' : whyKept(binding, state));
	return {
		id: binding.id,
		label: actionName(binding),
		note: binding.keys.length > 0 ? keysText(binding, ascii) : (keys.keyOf(binding.id, ascii) ?? ''),
		...(disabled !== undefined && {disabled}),
	};
}
