import {readFileSync} from 'node:fs';
import {ConfigError} from './config/config-error.ts';
import {fileProblem} from './file-problem.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Files that this thread trusts: the configuration may be read again. */
const trusted = new Set<string>();

/**
 * Trusts the certificates of a PEM file beside those of Node, for each TLS connection that names no authority itself: in this
 * thread, and in threads started later, which find the file in PULSETOP_CA_FILE (Node keeps the list for each thread).
 * @throws ConfigError for a file that cannot be read or holds no certificates
 */
export function trustCaFile(path: string): void {
	if (trusted.has(path)) return;
	const {getCACertificates, setDefaultCACertificates} = process.getBuiltinModule('node:tls');
	try {
		const certificates = readFileSync(path, 'utf8').match(CERTIFICATE) ?? [];
		if (certificates.length === 0) throw new Error('it holds no certificate in PEM form');
		setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
	} catch (error) {
		throw new ConfigError('The certificates of ca-file cannot be used', `${path}: ${fileProblem(error)}.`, error);
	}
	trusted.add(path);
	process.env['PULSETOP_CA_FILE'] = path;
}
