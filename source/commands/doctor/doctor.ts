import type {Call} from '../line/command.ts';
import {jsonText, print} from '../output/output.ts';
import {addressFindings} from './addresses.ts';
import {chainFindings} from './chains.ts';
import {fileFindings} from './files.ts';
import {configurationFinding, findingsText, isConfig, programFinding, redacted} from './findings-text.ts';
import {moneyFindings} from './money.ts';
import {networkFindings} from './network.ts';
import {serviceFindings} from './service.ts';
import {terminalFindings} from './terminal.ts';

/**
 * `pulsetop doctor`: checks everything that the program depends on, and suggests fixes. The report can be pasted anywhere:
 * it names neither the address of the service, nor a key, nor the home directory.
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
		...(usable ? networkFindings(usable, process.env) : []),
		...(usable ? [...(await addressFindings(usable)), ...(await serviceFindings(usable))] : []),
		...(await chainFindings(usable)),
		...(usable ? await moneyFindings(usable) : []),
	].map(redacted);
	if (flags.has('json')) {
		const documents = findings.map(({subject, state, text, advice}) => ({subject, state, words: text, advice}));
		await print(jsonText({schema: 'pulsetop.doctor/1', findings: documents}));
	} else await print(findingsText(findings));
	return findings.some(({state}) => state === 'bad') ? 1 : 0;
}
