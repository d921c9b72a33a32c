import type {ColorDepth} from './sgr.ts';

/** How a text reaches the reader's clipboard from here. */
export type ClipboardRoute = 'osc52' | 'tmux' | 'screen' | 'none';

/** The capabilities of the terminal, as far as its environment shows them. */
export interface Capabilities {
	readonly isTTY: boolean;
	readonly depth: ColorDepth;
	/** Whether lines, braille and arrows can be drawn; otherwise only ASCII. */
	readonly unicode: boolean;
	/** The program between us and the terminal, if any: it needs sequences for the terminal wrapped. */
	readonly multiplexer: 'tmux' | 'screen' | undefined;
	readonly overSsh: boolean;
	/** Whether the terminal itself reads our bytes: no multiplexer, no editor, no SSH, behind which there may be mosh or tmux. */
	readonly isDirect: boolean;
	readonly clipboard: ClipboardRoute;
	/** Whether OSC sequences that it doesn't know are ignored rather than printed. */
	readonly ignoresUnknown: boolean;
	/** Whether it is known to make links of text (OSC 8). */
	readonly hyperlinks: boolean;
}

export interface TerminalSurroundings {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly isTTY: boolean;
	readonly platform: NodeJS.Platform;
	/** As configured; `auto` reads the environment. */
	readonly color?: 'auto' | 'never' | ColorDepth;
	/** `--ascii` */
	readonly ascii?: boolean;
}

/** The capabilities of the terminal, from the environment alone: the terminal is not queried. */
export function detectCapabilities(surroundings: TerminalSurroundings): Capabilities {
	const {env, isTTY} = surroundings;
	const term = env['TERM'] ?? '';
	const isSimple = term === 'dumb' || term === 'linux';
	const multiplexer = detectMultiplexer(env);
	const overSsh = Boolean(env['SSH_TTY'] || env['SSH_CONNECTION']);
	return {
		isTTY,
		depth: detectDepth(surroundings),
		unicode: detectUnicode(surroundings),
		multiplexer,
		overSsh,
		isDirect: multiplexer === undefined && !overSsh && !EDITORS.some(name => env[name]),
		clipboard: !isTTY || isSimple ? 'none' : (multiplexer ?? 'osc52'),
		ignoresUnknown: isTTY && !isSimple,
		hyperlinks: isTTY && !isSimple && multiplexer === undefined && knowsHyperlinks(env),
	};
}

/** Set in the terminals of editors. */
const EDITORS = ['VIM_TERMINAL', 'NVIM', 'INSIDE_EMACS'];

/** The innermost one. `screen.xterm` is GNU screen's, at the other end of SSH too; `screen-256color` may be tmux. */
function detectMultiplexer(env: TerminalSurroundings['env']): Capabilities['multiplexer'] {
	if (env['TERM']?.startsWith('screen.')) return 'screen';
	if (env['TMUX']) return 'tmux';
	return env['STY'] ? 'screen' : undefined;
}

/** A configured depth comes first, then FORCE_COLOR, NO_COLOR (no-color.org), and what the terminal is known for. */
function detectDepth({env, isTTY, platform, color = 'auto'}: TerminalSurroundings): ColorDepth {
	if (color === 'never' || !(isTTY || color === 'auto')) return 'none';
	if (color !== 'auto') return color;
	const found = isTTY ? knownDepth(env, platform) : 'none';
	switch (env['FORCE_COLOR']) {
		case undefined:
			break;
		case '0':
		case 'false':
			return 'none';
		case '1':
			return '16';
		case '2':
			return '256';
		case '3':
			return 'truecolor';
		default:
			return found === 'none' ? '16' : found;
	}
	return env['NO_COLOR'] ? 'none' : found;
}

const TRUECOLOR_TERMS = /^(xterm-kitty|xterm-ghostty|alacritty|wezterm|foot|contour|rio)|-direct/;
const TRUECOLOR_PROGRAMS = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio', 'WarpTerminal']);

function knownDepth(env: TerminalSurroundings['env'], platform: NodeJS.Platform): ColorDepth {
	const term = env['TERM'] ?? '';
	if (term === 'dumb') return 'none';
	// GNU screen garbles 24-bit colours, whatever the terminal around it says.
	if (detectMultiplexer(env) === 'screen') return term.includes('256') ? '256' : '16';
	if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '')) return 'truecolor';
	if (TRUECOLOR_TERMS.test(term) || TRUECOLOR_PROGRAMS.has(env['TERM_PROGRAM'] ?? '')) return 'truecolor';
	if (env['WT_SESSION'] || env['KONSOLE_VERSION'] || Number(env['VTE_VERSION'] ?? 0) >= 3600) return 'truecolor';
	if (/-256(color)?$/.test(term) || env['TERM_PROGRAM'] === 'Apple_Terminal') return '256';
	if (platform === 'win32') return 'truecolor';
	return term === '' ? 'none' : '16';
}

const LINK_TERMS = /^(xterm-kitty|xterm-ghostty|alacritty|wezterm|foot|contour|rio)/;
const LINK_PROGRAMS = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio']);

/** By name alone: a terminal may print sequences that it does not know. Inside a multiplexer its setting decides, which is unknown. */
function knowsHyperlinks(env: TerminalSurroundings['env']): boolean {
	if (LINK_TERMS.test(env['TERM'] ?? '') || LINK_PROGRAMS.has(env['TERM_PROGRAM'] ?? '')) return true;
	return Boolean(env['WT_SESSION']) || Number(env['VTE_VERSION'] ?? 0) >= 5000;
}

/** False when configured, when the locale has another encoding, and on the Linux console, whose font lacks the glyphs. */
function detectUnicode({env, platform, ascii = false}: TerminalSurroundings): boolean {
	if (ascii || env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false;
	const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
	return locale === undefined || locale === '' || platform === 'win32' || /utf-?8/i.test(locale);
}
