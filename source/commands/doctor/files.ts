import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import type {Config} from '../../config/config.ts';
import type {Environment} from '../../config/settings.ts';
import type {Finding} from './finding.ts';

/** Whether the files of the program are private, and the data directory is writable. */
export function fileFindings({file, dataDir, origins}: Config, env: Environment): readonly Finding[] {
	const holdsKey = origins.get('service.api-key')?.from === 'file';
	return [
		...(file.exists && holdsKey ? [secrecy(file.path, 'the configuration file, which holds a key,')] : []),
		dataDirectory(dataDir),
		...(origins.get('service.api-key')?.from === 'flag' && env['PULSETOP_API_KEY'] === undefined
			? [
					{
						subject: 'files',
						state: 'note',
						text: 'the key was given as a flag, which other users of this machine can see',
						advice: 'Put it into PULSETOP_API_KEY, or into the configuration file.',
					} as const,
				]
			: []),
	];
}

function secrecy(path: string, what: string): Finding {
	const isOpen = (statSync(path).mode & 0o077) !== 0;
	return isOpen
		? {subject: 'files', state: 'bad', text: `${what} can be read by others`, advice: `chmod 600 the file.`}
		: {subject: 'files', state: 'good', text: `${what} is private`};
}

function dataDirectory(path: string): Finding {
	let nearest = path;
	while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
	try {
		accessSync(nearest, constants.W_OK);
	} catch {
		return {
			subject: 'files',
			state: 'bad',
			text: `nothing can be written to ${path}`,
			advice: 'Make it writable, or name another directory with --data-dir.',
		};
	}
	if (nearest !== path) return {subject: 'files', state: 'good', text: `${path} will be made when it is needed`};
	if ((statSync(path).mode & 0o077) === 0) return {subject: 'files', state: 'good', text: `${path} is private (0700)`};
	return {
		subject: 'files',
		state: 'note',
		text: `${path} can be opened by others; its keys and journals are private, file by file`,
		advice: 'chmod 700 closes the directory, too.',
	};
}
