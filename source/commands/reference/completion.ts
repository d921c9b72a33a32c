import type {Call, Command, Flag, Grammar} from '../line/command.ts';
import {UsageError} from '../line/usage-error.ts';
import {print} from '../output/output.ts';

const SHELLS: Readonly<Record<string, (grammar: Grammar) => string>> = {
	bash: bashScript,
	zsh: zshScript,
	fish: fishScript,
};

/**
 * `pulsetop completion SHELL`: a script for the shell, made from the table of commands.
 * @returns the exit code
 * @throws UsageError for another shell
 */
export async function completion({operands, grammar}: Call): Promise<number> {
	const script = operands.length === 1 ? SHELLS[operands[0] ?? ''] : undefined;
	if (script === undefined)
		throw new UsageError('One shell is needed', `There are: ${Object.keys(SHELLS).join(', ')}.`);
	await print(script(grammar));
	return 0;
}

/** A command with its path: 'config show'. */
interface Place {
	readonly path: string;
	readonly command: Command;
}

function placesOf(commands: readonly Command[], above = ''): readonly Place[] {
	return commands.flatMap(command => {
		const path = `${above}${command.name}`;
		return [{path, command}, ...placesOf(command.subcommands ?? [], `${path} `)];
	});
}

/** Whether the shell completes the value of a flag as a path. */
const takesPath = ({value}: Flag): boolean => value === 'FILE' || value === 'DIR';

/** Every flag that takes a value, and whether that is a file. */
function valuesOf(grammar: Grammar): readonly {readonly flag: Flag; readonly isFile: boolean}[] {
	const all = [...grammar.globalFlags, ...placesOf(grammar.commands).flatMap(({command}) => command.flags)];
	const byName = new Map(all.filter(({value}) => value !== undefined).map(flag => [flag.name, flag]));
	return [...byName.values()].map(flag => ({flag, isFile: takesPath(flag)}));
}

/** All paths between bars: `|feed|config|config show|`. */
const knownPaths = (places: readonly Place[]) => `|${places.map(({path}) => path).join('|')}|`;

const dashed = (flags: readonly Flag[]) => flags.map(({name}) => `--${name}`).join(' ');

function bashScript(grammar: Grammar): string {
	const places = placesOf(grammar.commands);
	const choices = valuesOf(grammar).map(({flag, isFile}) => {
		const reply = isFile ? 'compgen -f -- "$cur"' : `compgen -W "${(flag.choices ?? []).join(' ')}" -- "$cur"`;
		return `    --${flag.name}) COMPREPLY=($(${reply})); return ;;`;
	});
	const cases = places.map(({path, command}) => {
		const below = (command.subcommands ?? []).map(({name}) => name).join(' ');
		return `    "${path}") words="${[below, dashed(command.flags)].filter(Boolean).join(' ')}" ;;`;
	});
	const top = grammar.commands.map(({name}) => name).join(' ');
	return `# pulsetop: completion for bash. Put it into ~/.local/share/bash-completion/completions/pulsetop
_pulsetop() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' word skip='' known='${knownPaths(places)}'
  case "$prev" in
${choices.join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case "$word" in
      ${valuesOf(grammar)
				.map(({flag}) => `--${flag.name}`)
				.join('|')}) skip=1 ;;
      -*) ;;
      *) [[ $known == *"|\${path:+$path }$word|"* ]] && path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
    '') words="${top} ${dashed(grammar.defaultCommand.flags)}" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words ${dashed(grammar.globalFlags)}" -- "$cur"))
}
complete -o default -F _pulsetop pulsetop
`;
}

function zshScript(grammar: Grammar): string {
	const quoted = (text: string) =>
		text.replaceAll(/['[\]:\\]/g, character => (character === "'" ? "'\\''" : `\\${character}`));
	const spec = (flag: Flag) => {
		const {name, value, choices, help} = flag;
		const after =
			value === undefined ? '' : `:${value}:${choices ? `(${choices.join(' ')})` : takesPath(flag) ? '_files' : ' '}`;
		return `'--${name}[${quoted(help)}]${after}'`;
	};
	const described = (commands: readonly Command[]) =>
		commands.map(({name, summary}) => `'${name}:${quoted(summary)}'`).join(' ');
	const branches = placesOf(grammar.commands).map(({path, command}) => {
		const below = command.subcommands
			? `commands=(${described(command.subcommands)}); _describe command commands; `
			: '';
		return `    '${path}') ${below}_arguments ${[...command.flags, ...grammar.globalFlags].map(spec).join(' ')} '*::operand:_files' ;;`;
	});
	return `#compdef pulsetop
# pulsetop: completion for zsh. Put it as _pulsetop into a directory of your fpath.
_pulsetop() {
  local -a commands
  local where='' word known='${knownPaths(placesOf(grammar.commands))}'
  for word in "\${(@)words[2,CURRENT-1]}"; do [[ $known == *"|\${where:+$where }$word|"* ]] && where="\${where:+$where }$word"; done
  case "$where" in
    '') commands=(${described(grammar.commands)}); _describe command commands; _arguments ${[...grammar.defaultCommand.flags, ...grammar.globalFlags].map(spec).join(' ')} ;;
${branches.join('\n')}
  esac
}
_pulsetop "$@"
`;
}

function fishScript(grammar: Grammar): string {
	const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
	const flagLine = (condition: string, flag: Flag) => {
		const {name, short, value, choices, help} = flag;
		return [
			'complete -c pulsetop',
			condition,
			`-l ${name}`,
			short && `-s ${short}`,
			value && '-r',
			value && !takesPath(flag) && '-f',
			choices && `-a ${quoted(choices.join(' '))}`,
			`-d ${quoted(help)}`,
		]
			.filter(Boolean)
			.join(' ');
	};
	const within = (path: string) =>
		`-n ${quoted(
			path
				.split(' ')
				.map(word => `__fish_seen_subcommand_from ${word}`)
				.join('; and '),
		)}`;
	const lines = placesOf(grammar.commands).flatMap(({path, command}) => {
		const above = path.includes(' ') ? within(path.slice(0, path.lastIndexOf(' '))) : '-n __fish_use_subcommand';
		const name = `complete -c pulsetop ${above} -f -a ${command.name} -d ${quoted(command.summary)}`;
		return [name, ...command.flags.map(flag => flagLine(within(path), flag))];
	});
	const globals = grammar.globalFlags.map(flag => flagLine('', flag));
	const defaults = grammar.defaultCommand.flags.map(flag => flagLine('-n __fish_use_subcommand', flag));
	return `# pulsetop: completion for fish. Put it into ~/.config/fish/completions/pulsetop.fish\n${[...lines, ...defaults, ...globals].join('\n')}\n`;
}
