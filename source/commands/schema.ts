import * as z from 'zod';
import {nearest} from '../nearest.ts';
import type {Call} from './line/command.ts';
import {UsageError} from './line/usage-error.ts';
import {jsonText, print} from './output.ts';
import {OUTPUT_SCHEMAS, type OutputName} from './output-schemas.ts';

/**
 * `pulsetop schema [NAME]`: the JSON Schema of what a command prints with --json, or the names that there are.
 * @returns the exit code
 * @throws UsageError for an unknown name
 */
export async function schema({flags, operands}: Call): Promise<number> {
	const names = Object.keys(OUTPUT_SCHEMAS) as OutputName[];
	const [wanted, ...others] = operands;
	if (wanted === undefined) {
		await print(flags.has('json') ? jsonText(names) : names.map(name => `${name}\n`).join(''));
		return 0;
	}
	const name = names.find(known => known === wanted);
	if (name === undefined || others.length > 0) {
		const near = nearest(wanted, names);
		const hint = near === undefined ? `There are: ${names.join(', ')}.` : `The nearest is "${near}".`;
		throw new UsageError('There is no such schema', others.length > 0 ? 'Name one.' : hint);
	}
	await print(jsonText(z.toJSONSchema(OUTPUT_SCHEMAS[name])));
	return 0;
}
