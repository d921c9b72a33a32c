import {closeSync, openSync, rmSync, writeSync} from 'node:fs';
import {text as readAll} from 'node:stream/consumers';
import {PulsetopError} from '../../errors.ts';
import {fileProblem} from '../../file-problem.ts';
import {unreadText, unreadWebhooks} from '../../monitor/webhooks/unread-webhooks.ts';
import type {Call} from '../line/command.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {formatOf, jsonText, print} from '../output/output.ts';
import {assertMayAct} from '../trading/context.ts';
import {factsText} from '../trading/output.ts';
import {onlyOperand, withWebhooks} from './access.ts';
import {filterFlag, newWebhook} from './new-webhook.ts';
import {printRecords, recordDocument} from './record-output.ts';

/** The file for a secret can't be created; nothing was sent to the service. */
export class SecretFileRefused extends PulsetopError {
	readonly code = 'secret-file';
}

/** `pulsetop webhook list`: prints the webhooks of the API key. @returns the exit code */
export async function webhookList({flags, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	const list = await withWebhooks(config, ({call, apiKey}) => call('webhookList', {query: {apiKey}}));
	const webhooks = list.data.map(recordDocument);
	const unread = unreadWebhooks(list);
	await printRecords(flags, webhooks, {
		document: {schema: 'pulsetop.webhook-list/1', webhooks, ...(unread > 0 && {unread})},
		ascii: config.ui.ascii,
		empty: unread > 0 ? '' : 'This API key has no webhook.\n',
	});
	if (unread > 0) process.stderr.write(`pulsetop: ${unreadText(unread)}\n`);
	return 0;
}

/**
 * `pulsetop webhook create NAME`: creates a webhook. Its secret goes to a file, or with `--show-secret` to stdout.
 * @throws UsageError, FormProblem, SecretFileRefused, ReadOnly; the errors of the service
 */
export async function webhookCreate({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	assertMayAct(config, 'a new webhook');
	const name = onlyOperand(operands, 'name');
	const file = flags.text('secret-file');
	if (file === undefined && !flags.has('show-secret'))
		throw new UsageError(
			'The secret of a webhook is shown once',
			'Say where it goes: --secret-file FILE, or --show-secret to print it.',
		);
	const body = newWebhook(flags, {name, url: await urlFlag(flags)});
	const secretFile = file === undefined ? undefined : openSecretFile(file);
	const made = await withWebhooks(config, ({call, apiKey}) => call('webhookCreate', {body: {...body, apiKey}})).catch(
		error => {
			secretFile?.remove();
			throw error;
		},
	);
	secretFile?.write(made.webhookSecret);
	const webhook = recordDocument(made);
	const shown = flags.has('show-secret') ? {secret: made.webhookSecret} : {};
	const document = {schema: 'pulsetop.webhook/1', webhook, ...shown};
	await printRecords(flags, [webhook], {document, ascii: config.ui.ascii, empty: ''});
	if (formatOf(flags) === 'table' && flags.has('show-secret'))
		await print(`\n${factsText([{label: 'secret', text: made.webhookSecret}])}`);
	return 0;
}

/** The address of `--url`, or from stdin: it may contain a secret that the process list must not show. @throws UsageError */
async function urlFlag(flags: Flags): Promise<string> {
	const url = flags.text('url');
	if (url === undefined) throw new UsageError('--url is missing', 'A webhook needs an address to post to, or -.');
	return url === '-' ? (await readAll(process.stdin)).trim() : url;
}

/** Creates the file (mode 600) before the request, so that the secret cannot get lost. */
function openSecretFile(path: string): {write(secret: string): void; remove(): void} {
	let fd: number;
	try {
		fd = openSync(path, 'wx', 0o600);
	} catch (error) {
		throw new SecretFileRefused('The file for the secret cannot be created', {
			why: `${path}: ${fileProblem(error)}`,
			next: 'fix-input',
		});
	}
	return {
		write(secret) {
			writeSync(fd, `${secret}\n`);
			closeSync(fd);
		},
		remove() {
			closeSync(fd);
			rmSync(path);
		},
	};
}

/** `pulsetop webhook update ID`: changes the filter. @throws UsageError, ReadOnly; the errors of the service */
export async function webhookUpdate({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	assertMayAct(config, 'another filter');
	const streamId = onlyOperand(operands, 'webhook');
	const filters = filterFlag(flags) ?? null;
	const isNone = flags.has('no-filter');
	if (isNone === (filters !== null) || (isNone && flags.has('merge')))
		throw new UsageError('One filter is needed', 'Give --filter FILTER, or --no-filter for every event.');
	const mode = flags.has('merge') ? ('merge' as const) : ('replace' as const);
	const {data} = await withWebhooks(config, ({call, apiKey}) =>
		call('webhookUpdate', {body: {streamId, apiKey, mode, filters}}),
	);
	const webhook = recordDocument(data);
	const document = {schema: 'pulsetop.webhook/1', webhook};
	await printRecords(flags, [webhook], {document, ascii: config.ui.ascii, empty: ''});
	return 0;
}

/**
 * `pulsetop webhook delete ID...`: deletes webhooks one after another, up to the first error.
 * @throws UsageError, ReadOnly; the errors of the service
 */
export async function webhookDelete({flags, operands, readConfig}: Call): Promise<number> {
	const config = await readConfig();
	assertMayAct(config, 'the end of a webhook');
	if (operands.length === 0)
		throw new UsageError('No webhook is given', 'Write one or more ids; pulsetop webhook list prints them.');
	return withWebhooks(config, async ({call, apiKey}) => {
		const deleted: string[] = [];
		for (const id of new Set(operands)) {
			deleted.push((await call('webhookDelete', {params: {id}, query: {apiKey}})).id);
			if (!flags.has('json')) await print(`deleted ${deleted.at(-1)}\n`);
		}
		if (flags.has('json')) await print(jsonText({schema: 'pulsetop.webhook-delete/1', deleted}));
		return 0;
	});
}
