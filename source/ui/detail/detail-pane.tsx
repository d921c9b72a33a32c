import {type ReactNode, use} from 'react';
import {FromRows} from '../live/lines.tsx';
import {Live, LiveContext} from '../live/live.tsx';

/** The open token: the lines that fit, from the scrolled line on. */
export function DetailPane({width, height}: {readonly width: number; readonly height: number}): ReactNode {
	const screen = use(LiveContext)!.model;
	return (
		<Live id="detail" width={width} height={height} isBelow>
			{model => {
				const lines = screen.detailLines(model);
				const top = Math.min(model.state.detail?.scroll ?? 0, Math.max(lines.length - height, 0));
				return <FromRows rows={lines.slice(top, top + height).map(row => [{text: ' '}, ...row])} />;
			}}
		</Live>
	);
}
