import type {ReactNode} from 'react';
import {clean} from '../../text.ts';
import {Fact} from '../live/fact.tsx';

/** The known ones of these values, by their labels. The values come from outside and are cleaned. */
export function KnownFacts({facts}: {readonly facts: Readonly<Record<string, string | undefined>>}): ReactNode {
	return Object.entries(facts).map(
		([label, value]) =>
			value !== undefined && (
				<Fact key={label} label={label}>
					{clean(value)}
				</Fact>
			),
	);
}
