/** Data as indented JSON in ASCII alone; raw amounts (bigint) are decimal text. */
export function jsonText(value: unknown): string {
	const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part), 2);
	return text.replace(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
