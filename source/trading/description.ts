import type {Next} from '../errors.ts';

/** The meaning of a flow's state for the user, and the next step. */
export interface StateDescription {
	readonly title: string;
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
	readonly next?: Next;
}

type Describe = (title: string, text: string, next?: Next) => StateDescription;

const inTone =
	(tone: StateDescription['tone']): Describe =>
	(title, text, next) => ({title, text, tone, ...(next && {next})});

export const info = inTone('info');
export const good = inTone('good');
/** Not certain, or waiting for its user. */
export const warn = inTone('warn');
export const bad = inTone('bad');
