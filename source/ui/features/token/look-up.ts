import type {Entry} from '../../../contract/entry.ts';
import {explain} from '../../../errors.ts';
import type {Context} from '../../feature.ts';

/**
 * Makes a function that finds a token and passes it on; a failure is a notice. Where another
 * window was opened or closed meanwhile, the token is dropped.
 */
export function createLookUp({store, monitor}: Pick<Context, 'store' | 'monitor'>) {
	return (typed: string, then: (entry: Entry) => void): void => {
		const before = store.get().modes;
		monitor.lookUpToken(typed).then(
			entry => {
				if (store.get().modes === before) then(entry);
			},
			(error: unknown) => {
				const {what, why} = explain(error);
				monitor.notify(`${what}: ${why}`, 'warn');
			},
		);
	};
}
