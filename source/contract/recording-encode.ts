import type {Entry} from './entry.ts';
import type {RecordedEvent} from './recording.ts';

/** Turns the events of a feed into the lines of a recording (see recording.ts). */
export interface RecordingEncoder {
	/** The line of an event, without its line feed; undefined when the event has nothing new. */
	line(event: RecordedEvent): string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Keeps each view's tokens as they were last written. A full view that comes again (services repeat them) is written as
 * what it changed: a tenth of the bytes.
 */
export function createRecordingEncoder(): RecordingEncoder {
	const views = new Map<string, Map<string, Entry>>();
	let lastMs = 0;

	function change(
		view: string,
		atMs: number,
		upserts: readonly Entry[],
		removed: readonly string[],
	): string | undefined {
		const known = views.get(view) ?? new Map<string, Entry>();
		views.set(view, known);
		const written: Fields[] = [];
		for (const entry of upserts) {
			const before = known.get(entry.key);
			const difference = before === undefined ? fieldsOf(entry) : differenceOf(before, entry);
			if (difference !== undefined) written.push(difference);
			known.set(entry.key, entry);
		}
		const gone = removed.filter(key => known.delete(key));
		if (written.length + gone.length === 0) return undefined;
		return JSON.stringify({type: 'change', view, atMs, upserts: written, removed: gone});
	}

	return {
		line(event) {
			const {type} = event;
			// This machine's clock may have been set back.
			lastMs = Math.max(lastMs, event.atMs);
			const atMs = lastMs;
			if (type === 'end') return JSON.stringify({type, atMs});
			const {view} = event;
			if (type === 'change') return change(view, atMs, event.upserts, event.removed);
			const {tokens} = event;
			const known = views.get(view);
			if (known === undefined) {
				views.set(view, new Map(tokens.map(entry => [entry.key, entry])));
				return JSON.stringify({type, view, atMs, tokens});
			}
			const stay = new Set(tokens.map(({key}) => key));
			return change(
				view,
				atMs,
				tokens,
				[...known.keys()].filter(key => !stay.has(key)),
			);
		},
	};
}

/** An entry as the fields that it has, whatever they are. */
function fieldsOf(entry: Entry): Fields {
	return entry as unknown as Fields;
}

/** The key and the changed members of the newer one; undefined without a change. */
function differenceOf(older: Entry, newer: Entry): Fields | undefined {
	const [before, now] = [fieldsOf(older), fieldsOf(newer)];
	const difference: Record<string, unknown> = {};
	for (const name of Object.keys(now)) if (!isSame(before[name], now[name])) difference[name] = now[name] ?? null;
	for (const name of Object.keys(before)) {
		if (now[name] === undefined && before[name] !== undefined) difference[name] = null;
	}
	return Object.keys(difference).length === 0 ? undefined : {key: newer.key, ...difference};
}

function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return true;
	return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}
