/** Something that a wanted program said in a transaction. */
export interface ProgramEvent {
	readonly program: string;
	/** The bytes, as base64. */
	readonly data: string;
}

/** The logs of one transaction, read. */
export interface ReadLogs {
	readonly events: readonly ProgramEvent[];
	/** Instructions that wanted programs named (`MigrateToCpswap`), with their program. */
	readonly instructions: readonly {readonly program: string; readonly name: string}[];
	/** The node cut the logs: events may be missing. */
	readonly isCut: boolean;
	/** The lines contradict each other, so that the program of an event is not known: there are no events then. */
	readonly isBroken: boolean;
}

const PROGRAM = 'Program ';
const DATA = 'Program data: ';
const LOG = 'Program log: ';
const INSTRUCTION = 'Program log: Instruction: ';
const RETURN = 'Program return: ';
const CUT = 'Log truncated';
/** Deeper calls than a transaction may have. */
const DEEPEST = 16;

/**
 * Attributes what programs wrote to the program that wrote it: the first eight bytes of events are shared between programs.
 * A line of a program's own text always begins with `Program log: `, so that no program can forge a line of the runtime.
 */
export function readLogs(lines: readonly string[], wanted: ReadonlySet<string>): ReadLogs {
	const stack: string[] = [];
	const events: ProgramEvent[] = [];
	const instructions: {program: string; name: string}[] = [];
	for (const line of lines) {
		if (!line.startsWith(PROGRAM)) {
			if (line === CUT) return {events, instructions, isCut: true, isBroken: false};
			continue;
		}
		if (line.startsWith(DATA)) {
			const program = stack.at(-1);
			if (program === undefined) return BROKEN;
			if (wanted.has(program)) events.push({program, data: line.slice(DATA.length)});
		} else if (line.startsWith(LOG)) {
			if (!line.startsWith(INSTRUCTION)) continue;
			const program = stack.at(-1);
			if (program !== undefined && wanted.has(program)) {
				instructions.push({program, name: line.slice(INSTRUCTION.length)});
			}
		} else if (!line.startsWith(RETURN) && !step(stack, line)) {
			return BROKEN;
		}
	}
	return {events, instructions, isCut: false, isBroken: stack.length > 0};
}

const BROKEN: ReadLogs = {events: [], instructions: [], isCut: false, isBroken: true};

/** `Program X invoke [2]`, `Program X success`, `Program X failed: why`; other lines change nothing. False: it cannot be. */
function step(stack: string[], line: string): boolean {
	const end = line.indexOf(' ', PROGRAM.length);
	if (end < 0) return true;
	const program = line.slice(PROGRAM.length, end);
	if (line.startsWith('invoke [', end + 1)) {
		const depth = Number(line.slice(end + 9, line.indexOf(']', end)));
		if (depth !== stack.length + 1 || depth > DEEPEST) return false;
		stack.push(program);
		return true;
	}
	if (line.endsWith('success') && line.length === end + 8) return stack.pop() === program;
	if (line.startsWith('failed', end + 1)) return stack.pop() === program;
	return true;
}
