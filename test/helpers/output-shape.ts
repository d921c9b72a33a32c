import {expect} from 'vitest';
import {OUTPUT_SCHEMAS, type OutputName} from '../../source/commands/reference/output-schemas.ts';

/** Fails with every place where a document is not as its schema says. */
export function expectShape(name: OutputName, document: unknown): void {
	expect(OUTPUT_SCHEMAS[name].safeParse(document).error?.issues ?? []).toEqual([]);
}
