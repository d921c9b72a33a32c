import manifest from '../../../package.json' with {type: 'json'};
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {homeOf} from '../../home.ts';
import type {Finding} from './finding.ts';

/** Whether the configuration could be read. */
export function isConfig(config: unknown): config is Config {
	return typeof config === 'object' && config !== null && 'origins' in config;
}

/** The versions of pulsetop, Node and the system. */
export function programFinding(): Finding {
	const {version, platform, arch} = process;
	return {
		subject: 'program',
		state: 'good',
		text: `pulsetop ${manifest.version} on Node ${version}, ${platform} ${arch}`,
	};
}

/** @param config the configuration, or the error of reading it */
export function configurationFinding(config: unknown): Finding {
	if (!isConfig(config)) {
		const {what, why} = explain(config);
		return {
			subject: 'configuration',
			state: 'bad',
			text: `${what}. ${why}`,
			advice: 'pulsetop config validate lists every problem.',
		};
	}
	const {path, exists} = config.file;
	return {
		subject: 'configuration',
		state: 'good',
		text: exists ? `${path} is right` : `there is no ${path}: all defaults`,
	};
}

/** Replaces the home directory by `~`: it contains the user's name. */
export function redacted(finding: Finding): Finding {
	const home = homeOf(process.env);
	if (home === undefined || home === '/') return finding;
	return {...finding, text: finding.text.replaceAll(home, '~')};
}

const MARKS: Readonly<Record<Finding['state'], string>> = {good: 'ok  ', note: 'note', bad: 'BAD '};

/** The findings as lines of text. */
export function findingsText(findings: readonly Finding[]): string {
	return findings.map(findingText).join('');
}

function findingText({subject, state, text, advice}: Finding): string {
	return `${MARKS[state]}  ${subject.padEnd(13)}  ${text}\n${advice === undefined ? '' : `${' '.repeat(21)}${advice}\n`}`;
}
