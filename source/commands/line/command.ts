import type {Config} from '../../config/config.ts';
import type {Grammar} from './command-line.ts';
import type {Flags} from './flags.ts';

/** A flag of the command line, as the table declares it. */
export interface Flag {
	/** Without dashes. */
	readonly name: string;
	/** What its value is called in help: `FILE`. A flag without one takes no value. */
	readonly value?: string;
	/** The words its value must be one of. */
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
	/** What stands after the name: `TOKEN...`. Without it, nothing may. */
	readonly operands?: string;
	/** More to know, for the command's own help. */
	readonly details?: string;
	readonly flags: readonly Flag[];
	readonly examples?: readonly string[];
	readonly subcommands?: readonly Command[];
	/** @returns the exit code */
	readonly run?: (call: Call) => Promise<number>;
}

/** What a command is called with. */
export interface Call {
	/** Reads the configuration, flags included. Throws a ConfigError when it can't be used. */
	readonly readConfig: () => Promise<Config>;
	readonly flags: Flags;
	readonly operands: readonly string[];
	/** The whole command line, for what is made from it. */
	readonly grammar: Grammar;
}
