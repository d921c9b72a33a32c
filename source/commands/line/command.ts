import type {Config} from '../../config/config.ts';
import type {Flags} from './flags.ts';

/** A flag of the command line, as the table declares it. */
export interface Flag {
	/** Without dashes. */
	readonly name: string;
	/** The name of its value in help: `FILE`. A flag without one takes no value. */
	readonly value?: string;
	/**
	 * The form of its value, where the flag may stand without one: another word after it is no value of it. It must be the
	 * same in every command that has the flag, since words are read before the command is known.
	 */
	readonly valueLike?: RegExp;
	/** It means something without a value, too. */
	readonly isAlone?: true;
	/** The values that it accepts. */
	readonly choices?: readonly string[];
	readonly short?: string;
	/** May be given several times. */
	readonly repeats?: true;
	/** One sentence, for help. */
	readonly help: string;
}

/** A command, as the table declares it. Its code is loaded when it runs and not before. */
export interface Command {
	readonly name: string;
	/** One line without a full stop, for the list of commands. */
	readonly summary: string;
	/** The form of the operands: `TOKEN...`. Without it the command takes none. */
	readonly operands?: string;
	/** Further text for the help of the command. */
	readonly details?: string;
	readonly flags: readonly Flag[];
	readonly examples?: readonly string[];
	readonly subcommands?: readonly Command[];
	/** @returns the exit code */
	readonly run?: (call: Call) => Promise<number>;
}

/** The arguments of a command. */
export interface Call {
	/** Reads the configuration, flags included. @throws ConfigError */
	readonly readConfig: () => Promise<Config>;
	readonly flags: Flags;
	readonly operands: readonly string[];
	/** All commands and flags, for completions and the manual page. */
	readonly grammar: Grammar;
}

/** All commands of the program. */
export interface Grammar {
	readonly commands: readonly Command[];
	/** Flags of every command. */
	readonly globalFlags: readonly Flag[];
	/** The command that runs when none is named. */
	readonly defaultCommand: Command;
}
