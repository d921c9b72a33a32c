import type {ReactNode} from 'react';
import type {Glyphs} from '../glyphs.ts';
import {Text, useDisplay} from '../live/lines.tsx';
import type {Tone} from '../theme.ts';
import type {CellProps, ShownToken} from './shown-token.ts';

/** The cursor, and at most one mark: the most important one. */
export function Mark({token}: CellProps): ReactNode {
	const {glyphs} = useDisplay();
	const [glyph, tone] = token.isLower ? NONE : markOf(token, glyphs);
	return (
		<>
			<Text tone="accent">{token.isSelected ? glyphs.cursor : ' '}</Text>
			<Text tone={tone}>{glyph}</Text>
		</>
	);
}

const NONE = [' ', undefined] as const;

function markOf(
	{departed, alike, holding, isPinned, promoted}: ShownToken,
	glyphs: Glyphs,
): readonly [glyph: string, tone: Tone | undefined] {
	if (departed !== undefined) return [glyphs.departed, 'faint'];
	if (alike === 'bad') return ['!', 'bad'];
	if (holding) return [holding === 'held' ? glyphs.held : glyphs.underWay, 'accent'];
	if (isPinned) return [glyphs.pin, 'warn'];
	if (promoted !== undefined) return [glyphs.arrow, 'good'];
	if (alike === 'warn') return [glyphs.alike, 'warn'];
	if (alike) return [glyphs.namesake, 'faint'];
	return NONE;
}
