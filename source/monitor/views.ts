/** The columns of the phases of a launch; a token is shown in one of them. On the wire: views of the default model (spec 4.1). */
export const PHASES = ['new', 'bonding', 'bonded'] as const;
/** All columns: those of the phases, and TRENDING, which repeats tokens of any phase (model `trending`, contract gaps 3.1). */
export const VIEWS = [...PHASES, 'trending'] as const;
export type ViewName = (typeof VIEWS)[number];

/** A record with one value for each column. */
export function byView<T>(make: (view: ViewName) => T): Readonly<Record<ViewName, T>> {
	return {new: make('new'), bonding: make('bonding'), bonded: make('bonded'), trending: make('trending')};
}
