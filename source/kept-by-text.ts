/** Names come and go by the thousand: a full memory is emptied rather than kept for ever. */
const MAX_TEXTS = 4096;

/** Returns `make` with a memory: the second call with a text returns the result of the first. @param max texts that are kept */
export function keptByText<Value>(make: (text: string) => Value, max = MAX_TEXTS): (text: string) => Value {
	const kept = new Map<string, Value>();
	return text => {
		const known = kept.get(text);
		if (known !== undefined || kept.has(text)) return known!;
		if (kept.size >= max) kept.clear();
		const value = make(text);
		kept.set(text, value);
		return value;
	};
}
