import {homedir} from 'node:os';
import manifest from '../../../package.json' with {type: 'json'};
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import type {Finding} from './finding.ts';

/** Whether the configuration could be read. */
export function isConfig(config: unknown): config is Config {
	return typeof config === 'object' && config !== null && 'origins' in config;
}

/** What runs, on what. */
export function programFinding(): Finding {
	const {version, platform, arch} = process;
	return {
		subject: 'program',
		state: 'good',
		words: `pulsetop ${manifest.version} on Node ${version}, ${platform} ${arch}`,
	};
}

/** @param config or what was thrown when it was read */
export function configurationFinding(config: unknown): Finding {
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

/** Without the home directory, which holds the person's name. */
export function redacted(finding: Finding): Finding {
	return {...finding, words: finding.words.replaceAll(homedir(), '~')};
}

const SIGNS: Readonly<Record<Finding['state'], string>> = {good: 'ok  ', note: 'note', bad: 'BAD '};

/** The findings as people read them. */
export function findingsText(findings: readonly Finding[]): string {
	return findings.map(findingText).join('');
}

function findingText({subject, state, words, advice}: Finding): string {
	return `${SIGNS[state]}  ${subject.padEnd(13)}  ${words}\n${advice === undefined ? '' : `${' '.repeat(21)}${advice}\n`}`;
}
