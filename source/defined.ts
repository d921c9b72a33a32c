/** The object without its members that are undefined. */
export function defined<T extends object>(members: T): {[Name in keyof T]?: Exclude<T[Name], undefined>} {
	return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
		[Name in keyof T]?: Exclude<T[Name], undefined>;
	};
}
