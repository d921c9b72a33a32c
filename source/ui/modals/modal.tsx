import {Box, Text} from 'ink';
import type {ReactNode} from 'react';
import {Opaque} from '../../terminal/opaque.tsx';
import type {Signs} from '../signs.ts';
import type {Theme} from '../theme.ts';

export interface ModalProps {
	readonly title: string;
	/** Cells and lines of the whole, border included. */
	readonly width: number;
	readonly height: number;
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly signs: Signs;
	readonly children: ReactNode;
}

/** A window over everything else, in the middle of the screen; nothing shows through it. */
export function Modal({title, width, height, screen, theme, signs, children}: ModalProps): ReactNode {
	const fits = {width: Math.min(width, screen.columns), height: Math.min(height, screen.rows)};
	return (
		<Opaque
			position="absolute"
			left={Math.floor((screen.columns - fits.width) / 2)}
			top={Math.floor((screen.rows - fits.height) / 2)}
			{...fits}
			backgroundColor={theme.modal.background}
			borderStyle={signs.subscripts === '' ? 'classic' : 'round'}
			borderColor={theme.modal.border}
			flexDirection="column"
			paddingX={1}
			overflow="hidden"
		>
			<Text {...theme.tones.brand} backgroundColor={theme.modal.background} wrap="truncate">
				{title}
			</Text>
			<Box flexDirection="column" flexGrow={1} overflow="hidden">
				{children}
			</Box>
		</Opaque>
	);
}
