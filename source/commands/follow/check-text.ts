import type {CheckedCall, NodeCheck, VenueCount} from '../../service/follow/node-check.ts';
import {tableText} from '../output/table.ts';

const VERDICTS = {
	good: 'Good: everything that following needs is there.',
	poor: 'Usable, with less than everything:',
	unusable: 'Not usable:',
} as const;

/** The result of a check, for a person. */
export function checkText(check: NodeCheck): string {
	const {host, calls, sample, verdict, problems} = check;
	const lines = [
		host,
		...facts(check).map(([name, value]) => `  ${name.padEnd(12)}${value}`),
		'',
		indented(tableText(CALL_COLUMNS, calls)),
	];
	if (sample) {
		const blocks = `blocks ${sample.fromBlock} to ${sample.toBlock}`;
		lines.push(
			`  Events of launchpads and exchanges in ${blocks}:`,
			'',
			indented(tableText(VENUE_COLUMNS, sample.venues)),
		);
	}
	lines.push(VERDICTS[verdict], ...problems.map(problem => `  - ${problem}`), '');
	return `${lines.join('\n')}\n`;
}

function facts({chain, chainNumber, head, blockMs, finalized, safe, range, logsHaveTimes, load}: NodeCheck) {
	const known: [string, string][] = [];
	if (chainNumber !== null)
		known.push(['chain', chain === null ? `${chainNumber}, not one to follow` : `${chain} (${chainNumber})`]);
	else if (chain !== null) known.push(['chain', chain]);
	if (head) known.push(['head', `block ${head.number}, ${age(head.ageMs)}`]);
	if (blockMs !== null) known.push(['block time', `${(blockMs / 1000).toFixed(2)} s`]);
	if (head) known.push(['final', finality(finalized, safe, head.number)]);
	if (range) {
		const refused = range.refused === null ? '' : `, ${range.refused} were refused`;
		known.push(['range', `${range.blocks} blocks in one eth_getLogs${refused}`]);
	}
	if (logsHaveTimes !== null)
		known.push(['times', logsHaveTimes ? 'logs have the time of their block' : 'logs have no time: headers are read']);
	if (load) {
		const bytes =
			load.bytesPerSecond < 1000 ? `${load.bytesPerSecond} B/s` : `${(load.bytesPerSecond / 1000).toFixed(1)} KB/s`;
		known.push(['load', `about ${load.callsPerMinute} calls a minute and ${bytes}, before tokens are followed`]);
	}
	return known;
}

function finality(finalized: number | null, safe: number | null, head: number): string {
	const tags = [
		finalized === null ? 'no finalized block' : `finalized ${head - finalized} blocks behind`,
		safe === null ? 'no safe block' : `safe ${head - safe} blocks behind`,
	];
	return tags.join(', ');
}

function age(ms: number): string {
	return ms < 0 ? `${(-ms / 1000).toFixed(1)} s in the future` : `${(ms / 1000).toFixed(1)} s old`;
}

const CALL_COLUMNS = [
	{title: 'call', cell: ({name}: CheckedCall) => name},
	{title: 'works', cell: ({works}: CheckedCall) => (works === null ? '-' : works ? 'yes' : 'no')},
	{title: 'ms', align: 'right', cell: ({ms}: CheckedCall) => (ms === null ? '' : String(ms))},
	{title: 'answer', cell: ({words}: CheckedCall) => words},
] as const;

const VENUE_COLUMNS = [
	{title: 'venue', cell: ({name}: VenueCount) => name},
	{title: 'known', align: 'right', cell: ({known}: VenueCount) => String(known)},
	{title: 'skipped', align: 'right', cell: ({skipped}: VenueCount) => String(skipped)},
	{title: 'unknown', align: 'right', cell: ({unknown}: VenueCount) => String(unknown)},
] as const;

function indented(text: string): string {
	return text.replace(/^(?=.)/gm, '  ');
}
