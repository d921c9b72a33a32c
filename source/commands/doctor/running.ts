import type {Client} from '../../client/client.ts';
import type {ServiceFacts} from '../../client/http/health.ts';
import type {Config} from '../../config/config.ts';
import {addressFindings} from './addresses.ts';
import {chainFindings} from './chains.ts';
import {fileFindings} from './files.ts';
import type {Finding} from './finding.ts';
import {configurationFinding, programFinding, redacted} from './findings-text.ts';
import {followFindings} from './follow.ts';
import {moneyFindings} from './money.ts';
import {clockFinding, marketFindings} from './service.ts';

/**
 * The findings of the doctor while a monitor runs: starts no service, and sends no query to the terminal, whose keys the
 * monitor reads.
 * @param client the client of the running service; undefined before it is ready
 */
export async function runningFindings(config: Config, client: Client | undefined): Promise<readonly Finding[]> {
	const [addresses, chains, money] = await Promise.all([
		addressFindings(config),
		chainFindings(config),
		moneyFindings(config),
	]);
	return [
		programFinding(),
		configurationFinding(config),
		...fileFindings(config, process.env),
		...addresses,
		...(client ? await clientFindings(client) : [NO_SERVICE]),
		...chains,
		...money,
	].map(redacted);
}

const NO_SERVICE: Finding = {subject: 'service', state: 'bad', text: 'the service was not ready yet'};

async function clientFindings(client: Client): Promise<readonly Finding[]> {
	const {market, follow = []} = await client.facts().catch((): ServiceFacts => ({}));
	return [...marketFindings(market), clockFinding(client.clock), ...followFindings(follow)];
}
