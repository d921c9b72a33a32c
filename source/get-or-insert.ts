/** The value of a key; one that is not there is made and kept. The map has no undefined values. */
export function getOrInsert<Key, Value>(
	map: {get(key: Key): Value | undefined; set(key: Key, value: Value): unknown},
	key: Key,
	make: () => NoInfer<Value>,
): Value {
	const known = map.get(key);
	if (known !== undefined) return known;
	const value = make();
	map.set(key, value);
	return value;
}
