import {pollDelayMs} from '../../client/http/backoff.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {WebhookDeliveries} from '../../contract/webhook.ts';
import {explain, PulsetopError} from '../../errors.ts';
import type {Store} from '../../store.ts';
import type {Loadable} from '../state.ts';
import {
	type Board,
	type BoardContext,
	firstShown,
	keyAfter,
	lineClicked,
	listPage,
	ServiceNotThere,
	scrolledBy,
} from './board.ts';
import type {BoardsState} from './boards-state.ts';
import {filterLineOf} from './webhook-filter-line.ts';
import {FormProblem, readFilter, readForm} from './webhook-form.ts';
import {EMPTY_FORM, listedWebhooks, WEBHOOK_FIELDS, type WebhookField, type WebhooksState} from './webhooks-state.ts';

type Health = Loadable<WebhookDeliveries>;

/** How often the state of the webhooks in sight is asked for: one request each. */
const HEALTH_EVERY_MS = 5000;
const MAX_WAIT_MS = 60_000;

/** Webhooks belong to an API key, and none is configured. */
export class KeyMissing extends PulsetopError {
	readonly code = 'key-missing';

	constructor() {
		super('There is no API key', {
			why: 'webhooks belong to a key: give one with PULSETOP_API_KEY, --api-key or in the configuration',
			next: 'fix-input',
			advice: 'Restart pulsetop with one.',
		});
	}
}

/**
 * The webhooks of the API key: how each is doing, new ones, another filter, the end of one, another try for what was not
 * delivered.
 */
export function createWebhooksBoard(store: Store<BoardsState>, context: BoardContext): Board {
	const {monitor, input, nowMs, tell} = context;
	let life: AbortController | undefined;
	let timer: NodeJS.Timeout | undefined;
	let failures = 0;

	const state = (): WebhooksState => store.get().webhooks;
	const ids = () => listedWebhooks(state()).map(({id}) => id);
	const marked = () => {
		const all = listedWebhooks(state());
		return all.find(({id}) => id === state().cursor) ?? all[0];
	};

	function change(transition: (webhooks: WebhooksState) => WebhooksState): void {
		store.apply(all => {
			const webhooks = transition(all.webhooks);
			return webhooks === all.webhooks ? all : {...all, webhooks};
		});
	}

	function access() {
		const client = context.client();
		if (!client) throw new ServiceNotThere();
		const apiKey = context.apiKey();
		if (apiKey === undefined) throw new KeyMissing();
		return {call: client.call, apiKey};
	}

	async function load(): Promise<void> {
		const signal = life?.signal;
		const last = listedWebhooks(state());
		change(({problem: _, ...s}) => ({...s, list: {kind: 'loading', last}}));
		try {
			const {call, apiKey} = access();
			const {data} = await call('webhookList', {query: {apiKey}}, signal ? {signal} : {});
			if (signal?.aborted) return;
			change(s => ({...s, list: {kind: 'ready', value: data, atMs: nowMs()}}));
			again(0);
		} catch (error) {
			if (!signal?.aborted) change(s => ({...s, list: {kind: 'failed', problem: explain(error), last}}));
		}
	}

	function setHealth(id: string, next: (before: Health | undefined) => Health): void {
		change(s => ({...s, health: new Map(s.health).set(id, next(s.health.get(id)))}));
	}

	/** One after another, and only those in sight. Gives whether all were told. */
	async function readHealth(signal: AbortSignal): Promise<boolean> {
		const all = ids();
		const page = listPage(monitor.get().size);
		const top = firstShown(all, state(), page);
		const wanted = state().step === 'list' ? all.slice(top, top + page) : all.filter(id => id === marked()?.id);
		let isFine = true;
		for (const id of wanted) {
			try {
				const {call, apiKey} = access();
				const query = {apiKey, limit: 100};
				const {data} = await call('webhookDeliveries', {params: {id}, query}, {signal});
				setHealth(id, () => ({kind: 'ready', value: data, atMs: nowMs()}));
			} catch (error) {
				if (signal.aborted) return true;
				// A route of our own: another service may not have it.
				isFine &&= error instanceof ServiceRefused && error.status === 404;
				setHealth(id, before => {
					const last = before?.kind === 'ready' ? before.value : before?.kind === 'failed' ? before.last : undefined;
					return {kind: 'failed', problem: explain(error), ...(last && {last})};
				});
			}
		}
		return isFine;
	}

	function again(afterMs: number): void {
		clearTimeout(timer);
		if (life === undefined) return;
		const current = life;
		timer = setTimeout(async () => {
			failures = (await readHealth(current.signal)) ? 0 : failures + 1;
			if (current === life) again(pollDelayMs(HEALTH_EVERY_MS, failures, MAX_WAIT_MS));
		}, afterMs);
	}

	async function busy(words: string, work: () => Promise<void>): Promise<void> {
		if (state().busy !== undefined) return;
		change(({problem: _, ...s}) => ({...s, busy: words}));
		try {
			await work();
		} catch (error) {
			change(s => ({...s, problem: explain(error)}));
		} finally {
			change(({busy: _, ...s}) => s);
		}
	}

	const toList = () =>
		change(({secret: _, problem: __, formProblem: ___, ...s}) => ({...s, step: 'list', scroll: 0, answer: 'cancel'}));

	async function create(): Promise<void> {
		const body = understood(() => readForm(state().form));
		if (body === undefined) return;
		await busy('Asking the service for a new webhook', async () => {
			const {call, apiKey} = access();
			const made = await call('webhookCreate', {body: {...body, apiKey}});
			input.close();
			change(({formProblem: _, ...s}) => ({
				...s,
				step: 'secret',
				secret: {name: body.name, secret: made.webhookSecret},
				form: EMPTY_FORM,
				cursor: made.id,
			}));
			await load();
		});
	}

	/** What a form says; undefined where it is wrong: then the place is told, and the cursor is there. */
	function understood<T>(read: () => T): T | undefined {
		try {
			return read();
		} catch (error) {
			if (!(error instanceof FormProblem)) throw error;
			const {field, why, place} = error;
			change(s => ({...s, formProblem: {field, text: why, ...(place && {place})}}));
			input.open(field, state().step === 'edit' ? state().filterLine : state().form[field], place?.start);
			return undefined;
		}
	}

	/** Only the filters of a webhook can change (contract gaps 8). */
	async function update(): Promise<void> {
		const webhook = marked();
		const read = understood(() => ({filters: readFilter(state().filterLine) ?? null}));
		if (!webhook || !read) return;
		await busy('Asking the service to change the filter', async () => {
			const {call, apiKey} = access();
			await call('webhookUpdate', {body: {streamId: webhook.id, apiKey, mode: 'replace', ...read}});
			input.close();
			change(({formProblem: _, ...s}) => ({...s, step: 'detail', cursor: webhook.id, scroll: 0}));
			tell('The filter is changed: it holds for what happens from now on.', 'good');
			await load();
		});
	}

	async function remove(): Promise<void> {
		const webhook = marked();
		if (!webhook) return;
		await busy('Deleting the webhook', async () => {
			const {call, apiKey} = access();
			await call('webhookDelete', {params: {id: webhook.id}, query: {apiKey}});
			change(({cursor: _, ...s}) => s);
			toList();
			tell('The webhook is deleted.', 'good');
			await load();
		});
	}

	async function redeliver(): Promise<void> {
		const webhook = marked();
		if (!webhook) return tell('There is no webhook here.', 'warn');
		await busy('Putting dead letters back into the queue', async () => {
			const {call, apiKey} = access();
			const {count} = await call('webhookRedeliver', {params: {id: webhook.id}, body: {apiKey}});
			tell(count === 0 ? 'There was no dead letter to deliver again.' : `${count} will be delivered again.`, 'good');
			again(0);
		});
	}

	function step(by: number): void {
		const {step: at} = state();
		if (at === 'remove') turn();
		else if (at === 'list') {
			const cursor = keyAfter(ids(), state().cursor, by);
			if (cursor !== undefined) change(s => ({...s, cursor}));
		} else change(s => ({...s, scroll: scrolledBy(s.scroll, by, store.get().reach)}));
	}

	function turn(): void {
		if (state().step === 'remove') change(s => ({...s, answer: s.answer === 'cancel' ? 'remove' : 'cancel'}));
	}

	return {
		open() {
			life = new AbortController();
			failures = 0;
			void load();
		},
		close() {
			clearTimeout(timer);
			life?.abort();
			life = undefined;
			toList();
		},
		move: step,
		scroll(by) {
			if (state().step !== 'remove') step(by);
		},
		click(line) {
			const hit = state().step === 'list' && lineClicked(ids(), state(), listPage(monitor.get().size), line);
			if (!hit) return;
			if (hit.isAgain) return this.accept();
			change(s => ({...s, cursor: hit.cursor, clicked: hit.clicked}));
		},
		page: by => step(by * Math.max(listPage(monitor.get().size) - 1, 1)),
		jump(to) {
			const cursor = to === 'first' ? ids()[0] : ids().at(-1);
			if (state().step === 'list' && cursor !== undefined) change(s => ({...s, cursor}));
		},
		accept() {
			const {step: at, answer} = state();
			if (at === 'list') {
				const webhook = marked();
				if (!webhook) return tell('There is no webhook here to open.', 'warn');
				change(s => ({...s, step: 'detail', cursor: webhook.id, scroll: 0}));
				again(0);
			} else if (at === 'remove' && answer === 'remove') void remove();
			else toList();
		},
		back() {
			if (state().step === 'list') return false;
			toList();
			return true;
		},
		turn,
		refresh() {
			failures = 0;
			void load();
		},
		run(verb) {
			const webhook = marked();
			const {step: at, secret} = state();
			switch (verb) {
				case 'create':
					change(({formProblem: _, problem: __, ...s}) => ({...s, step: 'create'}));
					return input.open('name', state().form.name);
				case 'edit': {
					if (!webhook) return tell('There is no webhook here to edit.', 'warn');
					const filterLine = filterLineOf(webhook.filters);
					change(({formProblem: _, problem: __, ...s}) => ({
						...s,
						step: 'edit',
						cursor: webhook.id,
						scroll: 0,
						filterLine,
					}));
					return input.open('filter', filterLine);
				}
				case 'remove':
					if (!webhook) return tell('There is no webhook here to delete.', 'warn');
					return change(s => ({...s, step: 'remove', cursor: webhook.id, answer: 'cancel', scroll: 0}));
				case 'redeliver':
					return void redeliver();
				case 'copy':
					if (at === 'secret' && secret) return context.copy(secret.secret, 'The secret');
					return webhook ? context.copy(webhook.id, 'Webhook') : tell('There is no webhook here to copy.', 'warn');
				default:
			}
		},
		acceptInput(field, text) {
			typed(field as WebhookField, text);
			void (state().step === 'edit' ? update() : create());
		},
		turnInput(field, text, by) {
			if (state().step === 'edit') return;
			typed(field as WebhookField, text);
			const at = WEBHOOK_FIELDS.indexOf(field as WebhookField);
			const next = WEBHOOK_FIELDS[(at + by + WEBHOOK_FIELDS.length) % WEBHOOK_FIELDS.length]!;
			input.open(next, state().form[next]);
		},
		cancelInput: toList,
		paste: () =>
			tell(
				'Pasted text does nothing here.',
				'warn',
				'{webhooks.create} begins a new webhook: paste its address there.',
			),
	};

	function typed(field: WebhookField, text: string): void {
		change(({formProblem: _, ...s}) =>
			s.step === 'edit' ? {...s, filterLine: text} : {...s, form: {...s.form, [field]: text}},
		);
	}
}
