import {homedir} from 'node:os';
import manifest from '../../package.json' with {type: 'json'};
import type {Config} from '../config.ts';
import {explain} from '../errors.ts';
import {chainFindings} from './doctor/chains.ts';
import {fileFindings} from './doctor/files.ts';
import type {Finding} from './doctor/finding.ts';
import {moneyFindings} from './doctor/money.ts';
import {serviceFindings} from './doctor/service.ts';
import {terminalFindings} from './doctor/terminal.ts';
import type {Call} from './line/command.ts';
import {jsonText, print} from './output.ts';

/**
 * `pulsetop doctor`: looks at everything that the program depends on, and says what to do about what is not right. The
 * report can be pasted anywhere: it names neither the service's address, nor a key, nor the home directory.
 * @returns 0, or 1 when something is bad
 */
export async function doctor({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig().catch((error: unknown) => error);
	const usable = isConfig(config) ? config : undefined;
	const findings = [
		programFinding(),
		configurationFinding(config),
		...(usable ? fileFindings(usable, process.env) : []),
		...(await terminalFindings(usable)),
		...(usable ? await serviceFindings(usable) : []),
		...(await chainFindings(usable)),
		...(usable ? await moneyFindings(usable) : []),
	].map(finding => ({...finding, words: redacted(finding.words)}));
	if (flags.has('json')) await print(jsonText({schema: 'pulsetop.doctor/1', findings}));
	else await print(findings.map(findingText).join(''));
	return findings.some(({state}) => state === 'bad') ? 1 : 0;
}

function isConfig(config: unknown): config is Config {
	return typeof config === 'object' && config !== null && 'origins' in config;
}

function programFinding(): Finding {
	const {version, platform, arch} = process;
	return {
		subject: 'program',
		state: 'good',
		words: `pulsetop ${manifest.version} on Node ${version}, ${platform} ${arch}`,
	};
}

function configurationFinding(config: unknown): Finding {
	if (!isConfig(config)) {
		const {what, why} = explain(config);
		return {
			subject: 'configuration',
			state: 'bad',
			words: `${what}. ${why}`,
			advice: 'pulsetop config validate lists every problem.',
		};
	}
	const {path, exists} = config.file;
	return {
		subject: 'configuration',
		state: 'good',
		words: exists ? `${path} is right` : `there is no ${path}: all defaults`,
	};
}

/** The home directory holds the person's name. */
function redacted(words: string): string {
	return words.replaceAll(homedir(), '~');
}

const SIGNS: Readonly<Record<Finding['state'], string>> = {good: 'ok  ', note: 'note', bad: 'BAD '};

function findingText({subject, state, words, advice}: Finding): string {
	return `${SIGNS[state]}  ${subject.padEnd(13)}  ${words}\n${advice === undefined ? '' : `${' '.repeat(21)}${advice}\n`}`;
}
