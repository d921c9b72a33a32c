import * as z from 'zod';
import {nearest} from '../../nearest.ts';
import type {Call} from '../line/command.ts';
import {UsageError} from '../line/usage-error.ts';
import {jsonText, print} from '../output/output.ts';
import {OUTPUT_SCHEMAS, type OutputName} from './output-schemas.ts';

/**
 * `pulsetop schema [NAME]`: prints the JSON Schema of the output of a command with --json; without a name, all names.
 * @returns the exit code
 * @throws UsageError for an unknown name
 */
export async function schema({flags, operands}: Call): Promise<number> {
	const names = Object.keys(OUTPUT_SCHEMAS) as OutputName[];
	const [given, ...others] = operands;
	if (given === undefined) {
		await print(flags.has('json') ? jsonText(names) : names.map(name => `${name}\n`).join(''));
		return 0;
	}
	const name = names.find(known => known === given);
	if (name === undefined || others.length > 0) {
		const near = nearest(given, names);
		const hint = near === undefined ? `There are: ${names.join(', ')}.` : `The nearest is "${near}".`;
		throw new UsageError('There is no such schema', others.length > 0 ? 'Name one.' : hint);
	}
	await print(jsonText(z.toJSONSchema(OUTPUT_SCHEMAS[name])));
	return 0;
}
