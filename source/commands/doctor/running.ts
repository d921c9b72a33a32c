import type {Client} from '../../client/client.ts';
import type {Config} from '../../config/config.ts';
import {chainFindings} from './chains.ts';
import {fileFindings} from './files.ts';
import type {Finding} from './finding.ts';
import {configurationFinding, programFinding, redacted} from './findings-text.ts';
import {moneyFindings} from './money.ts';
import {clockFinding, marketFindings} from './service.ts';

/**
 * What the doctor finds beside a monitor that runs: no service is started for it, and the terminal, whose keys are being
 * read, is not asked anything.
 * @param client of the service that runs; undefined where there is none yet
 */
export async function runningFindings(config: Config, client: Client | undefined): Promise<readonly Finding[]> {
	const [chains, money] = await Promise.all([chainFindings(config), moneyFindings(config)]);
	return [
		programFinding(),
		configurationFinding(config),
		...fileFindings(config, process.env),
		...(client ? await clientFindings(client) : [NO_SERVICE]),
		...chains,
		...money,
	].map(redacted);
}

const NO_SERVICE: Finding = {subject: 'service', state: 'bad', words: 'the service was not there yet'};

async function clientFindings(client: Client): Promise<readonly Finding[]> {
	const {market} = await client.facts().catch(() => ({market: undefined}));
	return [...marketFindings(market), clockFinding(client.clock)];
}
