import {fileName, isSetting, SETTINGS, type Section, type Setting, shownDefault} from '../../config/settings.ts';
import {DEFAULT_KEYS} from '../../ui/keymap/bound-keys.ts';
import {withKeys} from '../../ui/keymap/key-texts.ts';
import {keymap} from '../../ui/keymap/keymap.ts';
import {whyFixed} from '../../ui/keymap/rebinding.ts';
import {isLive} from './reload/live-settings.ts';

/** A value in TOML; `unset` for undefined. */
export function tomlText(value: unknown): string {
	if (value === undefined) return 'unset';
	if (typeof value === 'string') return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(tomlText).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return String(value);
	const entries = Object.entries(value);
	if ('warn' in value && 'bad' in value) return tomlText([value.warn, value.bad]);
	return entries.length === 0
		? '{}'
		: `{${entries.map(([name, of]) => `${nameText(name)} = ${tomlText(of)}`).join(', ')}}`;
}

function nameText(name: string): string {
	return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Settings that people set first, by their paths in the file. */
export const EVERYDAY: ReadonlySet<string> = new Set([
	'rpc',
	'service.base-url',
	'service.api-key',
	'follow.base',
	'follow.solana',
	'ui.theme',
	'ui.columns',
	'alerts.rules',
	'alerts.quiet',
	'columns.new.filter',
	'columns.new.sort',
	'columns.bonding.filter',
	'columns.bonding.sort',
	'columns.bonded.filter',
	'columns.bonded.sort',
	'risk.dev',
	'wallet.tokens',
	'trade.amounts',
	'trade.slippage',
	'trade.from',
]);

/**
 * A configuration file with settings, their meanings, their forms and their defaults (or an example), all commented out.
 * @param isWhole every setting, and every key; otherwise those that people set first
 */
export function templateText({isWhole}: {readonly isWhole: boolean}): string {
	const {keys, ...others} = SETTINGS;
	const head =
		`# pulsetop: ${isWhole ? 'every setting' : 'settings'} with ${isWhole ? 'its default' : 'their defaults'}. Take away a "# " to set one.\n` +
		'# A running monitor reads this file again when it changes; what it can only read at its start says so.\n' +
		(isWhole ? '' : '# All other settings, and the names of the keys: pulsetop config template --all\n');
	const isShown = (path: string): boolean => isWhole || EVERYDAY.has(path);
	return [head, sectionText(others, [], isShown), ...(isWhole ? [keysText(keys)] : [])].join('\n');
}

/** Every action whose keys can be changed, with its default keys. */
function keysText({help}: Setting<unknown>): string {
	const lines = keymap
		.filter(binding => !binding.isLine && whyFixed(binding, binding.modes) === undefined)
		.map(binding => `# # ${withKeys(binding.help, DEFAULT_KEYS)}\n# ${binding.id} = ${tomlText(binding.keys)}\n`);
	return [`# [keys]\n# # ${help}\n`, ...lines].join('');
}

function sectionText(section: Section, above: readonly string[], isShown: (path: string) => boolean): string {
	const entries = Object.entries(section);
	const own = entries.flatMap(([name, entry]) =>
		isSetting(entry) && isShown([...above, fileName(name)].join('.'))
			? [settingText([...above, fileName(name)], entry)]
			: [],
	);
	const header = above.length > 0 && own.length > 0 ? [`[${above.join('.')}]\n`] : [];
	const below = entries.flatMap(([name, entry]) =>
		isSetting(entry) ? [] : [sectionText(entry, [...above, fileName(name)], isShown)],
	);
	return [...header, ...own, ...below.filter(text => text !== '')].join('\n');
}

function settingText(path: readonly string[], setting: Setting<unknown>): string {
	const {help, kind, example, env, flag} = setting;
	const others = [flag && `--${flag}`, env].filter(Boolean).join(', ');
	const restart = isLive(path.join('.'), {readOnly: true}) ? '' : ' A running monitor needs a restart for it.';
	const lines = [help, `It is ${kind.form}${others === '' ? '' : `; also ${others}`}.${restart}`];
	const value = shownDefault(setting);
	return [...lines, `${path.at(-1)} = ${tomlText(value ?? example)}`].map(line => `# ${line}\n`).join('');
}
