import {parseArgs} from 'node:util';
import {startFaultProxy} from './fault-proxy.ts';
import {PRESETS, type Preset} from './presets.ts';

/* node test/chaos/proxy.ts PRESET URL [--port PORT] [--seed SEED]: a proxy with faults in front of a service. */

const {positionals, values} = parseArgs({
	allowPositionals: true,
	options: {port: {type: 'string', default: '0'}, seed: {type: 'string', default: '1'}},
});
const [preset = '', target = ''] = positionals;
const chosen = (PRESETS as Readonly<Record<string, Preset | undefined>>)[preset];
if (chosen === undefined || !URL.canParse(target)) {
	const lines = Object.entries(PRESETS).map(([name, {help}]) => `  ${name.padEnd(10)}${help}`);
	process.stderr.write(`node test/chaos/proxy.ts PRESET URL [--port PORT] [--seed SEED]\n\n${lines.join('\n')}\n`);
	process.exit(2);
}
const {help, schedule} = chosen;
const {url} = await startFaultProxy({target, port: Number(values.port), seed: Number(values.seed), schedule});
process.stdout.write(`${url} is ${target} behind ${help}\n`);
