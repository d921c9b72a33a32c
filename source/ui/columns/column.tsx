import {Box} from 'ink';
import type {ReactNode} from 'react';
import type {ViewName} from '../../monitor/views.ts';
import type {Layout} from '../layout.ts';
import {Live} from '../live/live.tsx';
import {ColumnTitle} from './column-title.tsx';
import {TokenRows} from './token-rows.tsx';

export interface ColumnProps {
	readonly view: ViewName;
	readonly width: number;
	readonly layout: Pick<Layout, 'titleRows' | 'rowsHeight'>;
}

/** One column of tokens: new, bonding, bonded or trending. */
export function Column({view, width, layout: {titleRows, rowsHeight}}: ColumnProps): ReactNode {
	return (
		<Box flexDirection="column" width={width} flexShrink={0}>
			<Live id={`title.${view}`} width={width} height={titleRows} isBelow>
				{model => <ColumnTitle model={model} view={view} />}
			</Live>
			<Live id={`rows.${view}`} width={width} height={rowsHeight} isBelow>
				{model => <TokenRows model={model} view={view} height={rowsHeight} />}
			</Live>
		</Box>
	);
}
