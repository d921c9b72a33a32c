/** The terminal modes that are set besides the picture. */
export interface Modes {
	/** Report clicks and the wheel (SGR coordinates). */
	readonly mouse?: boolean;
	/** Report when the window gains and loses the focus. */
	readonly focus?: boolean;
	/** Sequences that the terminal does not know are ignored rather than printed. */
	readonly ignoresUnknown?: boolean;
}

/*
 * Modes of input that a program left on which was killed: cursor keys and keypad of applications, the mouse in any form,
 * focus, keys as win32 records; then xterm's modifyOtherKeys and kitty's keyboard protocol.
 */
const RESET = '\x1B[?1;9;1000;1001;1002;1003;1004;1005;1006;1015;1016;9001l\x1B>';
const RESET_KEYS = '\x1B[>4m\x1B[=0u';
/** Queries whether pastes are marked (DECRQM). */
const PASTE_QUERY = '\x1B[?2004$p';

/*
 * In the order of entering: the alternate screen; the cursor hidden; no wrapping at the right edge, so that a glyph wider
 * than we think can't begin a new line; pasted text between marks; and, for the terminals that reorder lines themselves
 * (VTE, mlterm), text shown in the order in which it is written, so that a right-to-left name can't move its neighbours.
 */
const ENTER = '\x1B[?1049h\x1B[?25l\x1B[?7l\x1B[?2004h\x1B[8l';
const LEAVE = '\x1B[8h\x1B[?2004l\x1B[?7h\x1B[?1049l\x1B[?25h';
const MOUSE = {enter: '\x1B[?1000h\x1B[?1006h', leave: '\x1B[?1006l\x1B[?1000l'};
const FOCUS = {enter: '\x1B[?1004h', leave: '\x1B[?1004l'};

/** Marks around a frame: a terminal that knows them shows it at once, any other ignores them. */
export const FRAME_BEGIN = '\x1B[?2026h';
export const FRAME_END = '\x1B[?2026l';

/** Takes the terminal over. May be sent again to a terminal that has it already. */
export function enterSequence({mouse = false, focus = false, ignoresUnknown = false}: Modes): string {
	const keys = ignoresUnknown ? RESET_KEYS + PASTE_QUERY : '';
	return ENTER + RESET + keys + (mouse ? MOUSE.enter : '') + (focus ? FOCUS.enter : '');
}

/**
 * Gives the terminal back as it was. It may follow half a frame: the string terminator ends a sequence that was cut, the
 * end of a frame shows what came before.
 */
export function leaveSequence({mouse = false, focus = false}: Modes): string {
	return `\x1B\\${FRAME_END}\x1B[m${focus ? FOCUS.leave : ''}${mouse ? MOUSE.leave : ''}${LEAVE}`;
}
