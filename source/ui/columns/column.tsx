import {Box} from 'ink';
import type {ReactNode} from 'react';
import type {ViewName} from '../../monitor/views.ts';
import type {Layout} from '../layout.ts';
import {ColumnTitle} from './column-title.tsx';
import {TokenRows} from './token-rows.tsx';

export interface ColumnProps {
	readonly view: ViewName;
	readonly width: number;
	readonly layout: Pick<Layout, 'titleRows' | 'rowsHeight'>;
}

/** One column of tokens: new, bonding, bonded or trending. */
export function Column({view, width, layout}: ColumnProps): ReactNode {
	return (
		<Box flexDirection="column" width={width} flexShrink={0}>
			<ColumnTitle view={view} width={width} height={layout.titleRows} />
			<TokenRows view={view} width={width} height={layout.rowsHeight} />
		</Box>
	);
}
