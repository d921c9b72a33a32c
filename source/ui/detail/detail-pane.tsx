import type {ReactNode} from 'react';
import type {Row} from '../../terminal/style.ts';
import {FromRows} from '../live/lines.tsx';
import {Live} from '../live/live.tsx';
import type {ViewModel} from '../view-model.ts';

export interface DetailPaneProps {
	readonly width: number;
	readonly height: number;
	/** All lines of the pane. */
	readonly linesOf: (model: ViewModel) => readonly Row[];
}

/** The token that is open: as many of its lines as fit, from where it is scrolled to. */
export function DetailPane({width, height, linesOf}: DetailPaneProps): ReactNode {
	return (
		<Live id="detail" width={width} height={height} isBelow>
			{model => {
				const lines = linesOf(model);
				const top = Math.min(model.state.detail?.scroll ?? 0, Math.max(lines.length - height, 0));
				return <FromRows rows={lines.slice(top, top + height).map(row => [{text: ' '}, ...row])} />;
			}}
		</Live>
	);
}
