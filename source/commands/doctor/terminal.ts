import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {Config} from '../../config/config.ts';
import {type Capabilities, detectCapabilities} from '../../terminal/capabilities.ts';
import {cellWidth} from '../../text.ts';
import type {Finding} from './finding.ts';
import {probeWidths} from './width-probe.ts';

/** Capabilities of the terminal, its widths of characters, and settings of tmux that get in the way. */
export async function terminalFindings(config: Config | undefined): Promise<readonly Finding[]> {
	const capabilities = detectCapabilities({
		env: process.env,
		isTTY: process.stdout.isTTY === true,
		platform: process.platform,
		color: config?.ui.color ?? 'auto',
		ascii: config?.ui.ascii ?? false,
	});
	if (!capabilities.isTTY) {
		return [{subject: 'terminal', state: 'note', text: 'not a terminal: run doctor in the one you use'}];
	}
	return [
		...capabilityFindings(capabilities, {columns: process.stdout.columns, rows: process.stdout.rows}),
		widthFinding(await probeWidths(SAMPLES.map(({text}) => text))),
		...(capabilities.multiplexer === 'tmux' ? tmuxFindings(await readTmux()) : []),
		...(capabilities.multiplexer === 'screen' ? [GNU_SCREEN] : []),
	];
}

const GNU_SCREEN: Finding = {
	subject: 'terminal',
	state: 'note',
	text: 'GNU screen keeps the mouse: Esc would wait for the next key',
	advice: 'tmux shares the mouse.',
};

const DEPTHS = {none: 'no colours', 16: '16 colours', 256: '256 colours', truecolor: '16 million colours'} as const;
const CLIPBOARDS = {
	osc52: 'through the terminal (OSC 52), which may have to allow it',
	tmux: 'through tmux',
	screen: 'through screen, if the terminal allows it',
	none: 'not possible',
} as const;

/** Findings from the environment and the size, in cells. */
export function capabilityFindings(
	{depth, unicode, multiplexer, overSsh, clipboard}: Capabilities,
	{columns, rows}: {columns: number; rows: number},
): readonly Finding[] {
	const where = [process.env['TERM'] ?? 'unnamed', multiplexer && `inside ${multiplexer}`, overSsh && 'over SSH'];
	const size: Finding =
		columns >= 40 && rows >= 12
			? {subject: 'terminal', state: 'good', text: `${columns} columns and ${rows} rows`}
			: {
					subject: 'terminal',
					state: 'bad',
					text: `${columns} columns and ${rows} rows are too few`,
					advice: 'At least 40 by 12 are needed.',
				};
	return [
		{subject: 'terminal', state: 'good', text: `${where.filter(Boolean).join(', ')}; ${DEPTHS[depth]}`},
		size,
		unicode
			? {subject: 'terminal', state: 'good', text: 'lines and braille are drawn'}
			: {
					subject: 'terminal',
					state: 'note',
					text: 'only ASCII is drawn',
					advice: 'Set LANG to a UTF-8 locale, C.UTF-8 for example.',
				},
		{
			subject: 'terminal',
			state: clipboard === 'none' ? 'note' : 'good',
			text: `copying works ${CLIPBOARDS[clipboard]}`.replace('works not', 'is not'),
		},
	];
}

/** Texts whose width differs between terminals. */
export const SAMPLES = [
	{name: 'Chinese', text: '狗'},
	{name: 'emoji', text: '👍'},
	{name: 'joined emoji', text: '👨\u200d👩\u200d👧'},
	{name: 'lines', text: '│'},
	{name: 'blocks', text: '█'},
	{name: 'braille', text: '⣿'},
	{name: 'ellipsis', text: '…'},
	{name: 'combining marks', text: 'e\u0301'},
] as const;

/** Whether characters have the expected widths. @param widths cells for each sample; undefined when not measured */
export function widthFinding(widths: readonly number[] | undefined): Finding {
	if (widths === undefined) {
		return {
			subject: 'terminal',
			state: 'note',
			text: 'it does not report its cursor position, so widths cannot be measured',
		};
	}
	const wrong = SAMPLES.flatMap(({name, text}, at) =>
		widths[at] === cellWidth(text) ? [] : [`${name} ${widths[at]} instead of ${cellWidth(text)}`],
	);
	if (wrong.length === 0) return {subject: 'terminal', state: 'good', text: 'characters are as wide as expected'};
	const isAmbiguous = wrong.some(sample => /^(lines|blocks|ellipsis)/.test(sample));
	return {
		subject: 'terminal',
		state: 'note',
		text: `some characters are not as wide as expected: ${wrong.join(', ')}. Rows stay aligned all the same`,
		...(isAmbiguous && {advice: 'Set ui.ambiguous-width = "wide" in the configuration, or use --ascii.'}),
	};
}

/** Options of tmux by name; one that is absent is unknown to this tmux. */
export type TmuxOptions = ReadonlyMap<string, string>;

async function readTmux(): Promise<TmuxOptions> {
	const run = promisify(execFile);
	const outputs = await Promise.all(
		[
			['show-options', '-g'],
			['show-options', '-s'],
			['show-options', '-gw'],
		].map(args =>
			run('tmux', args, {timeout: 2000}).then(
				({stdout}) => stdout,
				() => '',
			),
		),
	);
	const pairs = [...outputs.join('\n').matchAll(/^([\w-]+) (.*)$/gm)].map(
		([, name = '', value = '']) => [name, value] as const,
	);
	return new Map(pairs);
}

const TMUX_EXPECTED: readonly {name: string; isRight: (value: string) => boolean; set: string; why: string}[] = [
	{name: 'escape-time', isRight: value => Number(value) <= 50, set: 'set -s escape-time 10', why: 'Esc is felt late'},
	{
		name: 'set-clipboard',
		isRight: value => value !== 'off',
		set: 'set -s set-clipboard on',
		why: 'copies do not leave tmux',
	},
	{
		name: 'allow-passthrough',
		isRight: value => value !== 'off',
		set: 'set -g allow-passthrough on',
		why: 'notifications do not leave tmux',
	},
	{
		name: 'focus-events',
		isRight: value => value === 'on',
		set: 'set -g focus-events on',
		why: 'the program cannot pause in the background',
	},
];

/** Settings of tmux that should change. */
export function tmuxFindings(options: TmuxOptions): readonly Finding[] {
	if (options.size === 0)
		return [{subject: 'terminal', state: 'note', text: 'tmux does not respond, so its settings are not known'}];
	const wrong = TMUX_EXPECTED.filter(({name, isRight}) => options.has(name) && !isRight(options.get(name) as string));
	if (wrong.length === 0) return [{subject: 'terminal', state: 'good', text: 'the settings of tmux are right'}];
	return wrong.map(({name, why, set}) => ({
		subject: 'terminal',
		state: 'note',
		text: `tmux: ${name} is ${options.get(name)}, so ${why}`,
		advice: `Put "${set}" into ~/.tmux.conf.`,
	}));
}
