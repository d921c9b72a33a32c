import {Text} from 'ink';
import type {ReactNode} from 'react';
import type {Mode} from '../../monitor/state.ts';
import {fitTo, padEnd, truncate} from '../../text.ts';
import type {BoundKeys} from '../bound-keys.ts';
import {withKeys} from '../key-texts.ts';
import type {Signs} from '../signs.ts';
import {on, type Theme, type Tone} from '../theme.ts';
import {wrapText} from '../wrap-text.ts';
import {Modal} from './modal.tsx';

export interface PresetDiffProps {
	readonly mode: Extract<Mode, {readonly kind: 'presetDiff'}>;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly signs: Signs;
	/** The keys in force. */
	readonly keys: BoundKeys;
}

const NAMES_WIDTH = 16;

/** What a saved view that came from elsewhere would change, before it changes anything. */
export function PresetDiff({mode: {preset, changes}, screen, theme, signs, keys}: PresetDiffProps): ReactNode {
	const width = Math.min(screen.columns - 2, 100);
	const inner = width - 4;
	const background = theme.modal.background;
	const half = Math.floor((inner - NAMES_WIDTH - 4) / 2);
	const tone = (name: Tone) => on(theme, theme.tones[name], background);
	const shown = (text: string): string => (text === '' ? 'no filter' : text);
	const lines = changes.flatMap(({view, part, before, after}) => {
		const wrapped = wrapText(shown(after), half);
		return wrapped.map((text, at) => ({
			view,
			head: at === 0 ? `${padEnd(view.toUpperCase(), 8)} ${part}` : '',
			before: at === 0 ? truncate(shown(before), half) : '',
			arrow: at === 0 ? signs.arrow : ' ',
			after: text,
		}));
	});
	const height = Math.min(Math.max(lines.length, 1) + 6, screen.rows - 2);
	return (
		<Modal
			title={`The view “${preset.name}” would change`}
			width={width}
			height={height}
			screen={screen}
			theme={theme}
			signs={signs}
		>
			<Text> </Text>
			{lines.length === 0 && <Text {...tone('dim')}>Nothing: the columns are so already.</Text>}
			{lines.slice(0, height - 6).map((line, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
				<Text key={at} wrap="truncate" backgroundColor={background}>
					<Text {...tone(line.view)}>{fitTo(line.head, NAMES_WIDTH)}</Text>
					<Text {...tone('dim')}>{fitTo(line.before, half)}</Text>
					<Text {...tone('faint')}>{` ${line.arrow} `}</Text>
					<Text {...tone('strong')}>{truncate(line.after, half)}</Text>
				</Text>
			))}
			<Text> </Text>
			<Text {...tone('dim')} wrap="truncate">
				{withKeys(
					'{preset.apply} shows it, {preset.keep} shows and keeps it under that number, {preset.refuse} leaves everything as it is',
					keys,
					signs.subscripts === '',
				)}
			</Text>
		</Modal>
	);
}
