/**
 * The memory of each mode of the keyboard, by its kind. Those stand here that the monitor itself looks at; a feature of
 * the screen adds its own (`declare module`), so that nothing in this room knows the features.
 */
export interface Modes {
	readonly list: object;
	readonly detail: object;
	/** Rules, then recent alerts. `index` is the marked line. */
	readonly alerts: {readonly index: number};
}

export type ModeKind = keyof Modes;
export type ModeOf<K extends ModeKind> = {[Kind in K]: {readonly kind: Kind} & Modes[Kind]}[K];
/** The modes of the keyboard. The top of the stack, and nothing else, receives keys. */
export type Mode = ModeOf<ModeKind>;

/** A menu whose lines can be narrowed by typed words: `narrow` has them, `index` counts the lines that are left. */
export type NarrowableMode = {[K in ModeKind]: 'narrow' extends keyof Modes[K] ? ModeOf<K> : never}[ModeKind];
