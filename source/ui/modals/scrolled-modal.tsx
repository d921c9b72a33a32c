import type {ReactNode} from 'react';
import type {Row} from '../../terminal/style.ts';
import {moreLines} from '../glyphs.ts';
import {FromRows, Text, useDisplay} from '../live/lines.tsx';
import {Modal} from './modal.tsx';

export interface ScrolledModalProps {
	readonly title: string;
	readonly lines: readonly Row[];
	/** The first line in sight. */
	readonly scroll: number;
	/** Number of lines that fit. */
	readonly page: number;
	readonly width: number;
	/** The action that scrolls down: the title names its key while lines are below. */
	readonly down: string;
}

/** A window of lines, of which as many are shown as have room. */
export function ScrolledModal({title, lines, scroll, page, width, down}: ScrolledModalProps): ReactNode {
	const {glyphs, keys} = useDisplay();
	const shown = Math.min(lines.length, page);
	const top = Math.min(scroll, lines.length - shown);
	const rest = lines.length - top - shown;
	const key = keys.keyOf(down, glyphs.subscripts === '') ?? 'wheel';
	return (
		<Modal
			title={
				<Text tone="brand">
					{title}
					{rest > 0 && ` (${moreLines(glyphs, rest)}: ${key})`}
				</Text>
			}
			width={width}
			height={shown + 3}
		>
			<FromRows rows={lines.slice(top, top + shown)} />
		</Modal>
	);
}
