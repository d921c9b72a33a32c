import {PulsetopError} from '../errors.ts';

/** A line of a configuration file. */
export interface ConfigLine {
	readonly path: string;
	/** From 1. */
	readonly line: number;
	/** Where in the line, from 1. */
	readonly column?: number;
	/** Where in a text that stands there, from 1. */
	readonly character?: number;
}

/** A value or a name in the configuration that the program can't take. The value itself is not repeated: it may be a key. */
export class ConfigError extends PulsetopError {
	readonly code = 'config';
	/** The line of the file, from 1, and the fault there; absent where no line is to blame. */
	readonly place?: {readonly line: number; readonly reason: string};

	constructor(what: string, why: string, cause?: unknown) {
		super(what, {why, next: 'fix-input', cause});
	}

	/** The same with a place in the file, which `why` begins with. @param reason a sentence */
	static at({path, line, column, character}: ConfigLine, what: string, reason: string, cause?: unknown): ConfigError {
		const inLine = column === undefined ? '' : `, column ${column}`;
		const inText = character === undefined ? '' : `, at character ${character} of the text`;
		const error = new ConfigError(what, `Line ${line}${inLine} of ${path}${inText}: ${reason}`, cause);
		return Object.assign(error, {place: {line, reason}});
	}
}
