import {findAnvil} from '../../service/chain/anvil-binary.ts';
import type {Finding} from './finding.ts';

/** Whether the chains of the program's own service can run here. */
export function chainFindings(): readonly Finding[] {
	const {path} = findAnvil();
	if (path !== undefined)
		return [{subject: 'chains', state: 'good', words: 'practice chains can run: anvil is installed'}];
	return [
		{
			subject: 'chains',
			state: 'note',
			words: 'practice chains cannot run: anvil is not installed. The feed does not need it',
			advice: 'npm install --include=optional, or put anvil into the PATH.',
		},
	];
}
