import type {ReactNode} from 'react';
import type {Detail, Labels} from '../../monitor/state.ts';
import {Text} from '../live/lines.tsx';
import {LABEL_TONES} from './label-tones.ts';

/** A wallet's label kinds and who it is. */
export function WalletLabels({labels}: {readonly labels: Labels | undefined}): ReactNode {
	if (labels === undefined) return null;
	return (
		<>
			{labels.labels?.map(kind => [
				' ',
				<Text key={kind} tone={LABEL_TONES[kind] ?? 'accent'}>
					{kind}
				</Text>,
			])}
			{labels.entity?.name !== undefined && (
				<>
					{' '}
					<Text tone="brand">{labels.entity.name}</Text>
				</>
			)}
		</>
	);
}

/** The labels of a wallet; during another lookup the earlier labels. */
export function labelsOf({labels}: Detail, address: string): Labels | undefined {
	const known = labels.kind === 'ready' ? labels.value : labels.kind === 'idle' ? undefined : labels.last;
	return known?.get(address);
}
