import type {ProviderNames} from '../../client/client.ts';
import {ConfigError} from '../../config/config-error.ts';
import {FIELDS, type FieldName, findField} from '../../contract/fields.ts';
import {ALIASED_ANSWERS} from '../../contract/provider.ts';
import {nearest} from '../../nearest.ts';

/**
 * Reads the section `provider.aliases` into options of a client.
 * @throws ConfigError for a name that is not a field
 */
export function providerNames(aliases: Readonly<Record<string, string>>): ProviderNames {
	const fieldAliases: Partial<Record<FieldName, readonly string[]>> = {};
	const answerAliases: Record<string, string> = {};
	for (const [name, alias] of Object.entries(aliases)) {
		const problem = aliasProblem(name);
		if (problem !== undefined) throw new ConfigError(`"${name}" in provider.aliases is not a field`, problem);
		const field = findField(name)?.name;
		if (field === undefined) answerAliases[name] = alias;
		else fieldAliases[field] = [...(fieldAliases[field] ?? []), alias];
	}
	return {fieldAliases, answerAliases};
}

/** Why a name in `provider.aliases` is wrong, with the nearest valid one; undefined for a valid name. */
export function aliasProblem(name: string): string | undefined {
	if (ALIASED_ANSWERS.some(known => known === name) || findField(name)) return undefined;
	const near = nearest(name, [...ALIASED_ANSWERS, ...FIELDS.map(field => field.name)]);
	return near === undefined ? 'Name a field of the service: holders_count, vaultAddress.' : `The nearest is "${near}".`;
}
