import {EMPTY_FORM, WEBHOOK_FIELDS, type WebhookField} from '../../../monitor/webhooks/webhook-fields.ts';
import {filterLineOf} from '../../../monitor/webhooks/webhook-filter-line.ts';
import {FormProblem, readFilter, readForm} from '../../../monitor/webhooks/webhook-form.ts';
import {firstShown, listPage} from '../../screens/list-lines.ts';
import {createMoves} from '../../screens/moves.ts';
import type {Screen, ScreenContext} from '../../screens/screen.ts';
import type {Slice} from '../../screens/slice.ts';
import {createWebhooksRequests} from './webhooks-requests.ts';
import {listedWebhooks, markedWebhook, type WebhooksState} from './webhooks-state.ts';

/** The webhooks of the API key: delivery status, new ones, another filter, deletion, dead letters delivered again. */
export function createWebhooksScreen(slice: Slice<WebhooksState>, context: ScreenContext): Screen {
	const {monitor, input, notify} = context;
	const requests = createWebhooksRequests(slice, context, inSight);
	const ids = () => listedWebhooks(slice.get()).map(({id}) => id);
	const marked = () => markedWebhook(slice.get());

	function inSight(): readonly string[] {
		const all = ids();
		if (slice.get().step !== 'list') return all.filter(id => id === marked()?.id);
		const page = listPage(monitor.get().size);
		const top = firstShown(all, slice.get(), page);
		return all.slice(top, top + page);
	}

	function toList(): void {
		slice.change(({secret: _, problem: __, formProblem: ___, ...state}) => ({
			...state,
			step: 'list',
			scroll: 0,
			answer: 'cancel',
		}));
	}

	const moves = createMoves({
		keys: ids,
		marked: slice.get,
		mark: (cursor, clicked) => slice.change(state => ({...state, cursor, ...(clicked && {clicked})})),
		accept,
		size: () => monitor.get().size,
		page: {
			isShown: () => slice.get().step !== 'list',
			reach: slice.reach,
			scroll: change => slice.change(state => ({...state, scroll: change(state.scroll)})),
		},
	});

	/** The other answer of a question. */
	function turn(): void {
		slice.change(state =>
			state.step === 'remove' ? {...state, answer: state.answer === 'cancel' ? 'remove' : 'cancel'} : state,
		);
	}

	function accept() {
		const {step, answer} = slice.get();
		const webhook = marked();
		if (step === 'list') {
			if (!webhook) return notify('There is no webhook here to open.', 'warn');
			slice.change(state => ({...state, step: 'detail', cursor: webhook.id, scroll: 0}));
			requests.readHealth();
		} else if (step === 'remove' && answer === 'remove') {
			if (!webhook) return notify(NO_WEBHOOK['remove']!, 'warn');
			remove(webhook.id);
		} else toList();
	}

	function remove(id: string): void {
		requests.remove(id, () => {
			slice.change(({cursor: _, ...state}) => state);
			toList();
			notify('The webhook is deleted.', 'good');
		});
	}

	/** The content of a form; undefined where it is wrong: then the problem is shown, with the cursor at its place. */
	function understood<T>(read: () => T): T | undefined {
		try {
			return read();
		} catch (error) {
			if (!(error instanceof FormProblem)) throw error;
			const {field, why, place} = error;
			slice.change(state => ({...state, formProblem: {field, text: why, ...(place && {place})}}));
			const {step, filterLine, form} = slice.get();
			input.open(field, step === 'edit' ? filterLine : form[field], place?.start);
			return undefined;
		}
	}

	function create(): void {
		const form = understood(() => readForm(slice.get().form));
		if (form === undefined) return;
		requests.create(form, ({id, secret}) => {
			input.close();
			slice.change(({formProblem: _, ...state}) => ({
				...state,
				step: 'secret',
				secret: {name: form.name, secret},
				form: EMPTY_FORM,
				cursor: id,
			}));
		});
	}

	function changeFilter(): void {
		const webhook = marked();
		const read = understood(() => ({filters: readFilter(slice.get().filterLine) ?? null}));
		if (!read) return;
		if (!webhook) return void notify(NO_WEBHOOK['edit']!, 'warn');
		requests.setFilters(webhook.id, read.filters, () => {
			input.close();
			slice.change(({formProblem: _, ...state}) => ({...state, step: 'detail', cursor: webhook.id, scroll: 0}));
			notify('The filter is changed: it holds for what happens from now on.', 'good');
		});
	}

	function redeliver(id: string): void {
		requests.redeliver(id, count =>
			notify(count === 0 ? 'There was no dead letter to deliver again.' : `${count} will be delivered again.`, 'good'),
		);
	}

	function beginCreate(): void {
		slice.change(({formProblem: _, problem: __, ...state}) => ({...state, step: 'create'}));
		input.open('name', slice.get().form.name);
	}

	function beginEdit({id, filters}: NonNullable<ReturnType<typeof marked>>): void {
		const filterLine = filterLineOf(filters);
		slice.change(({formProblem: _, problem: __, ...state}) => ({
			...state,
			step: 'edit',
			cursor: id,
			scroll: 0,
			filterLine,
		}));
		input.open('filter', filterLine);
	}

	function typed(field: WebhookField, text: string): void {
		slice.change(({formProblem: _, ...state}) =>
			state.step === 'edit' ? {...state, filterLine: text} : {...state, form: {...state.form, [field]: text}},
		);
	}

	return {
		...moves,
		move: by => (slice.get().step === 'remove' ? turn() : moves.move(by)),
		page: by => (slice.get().step === 'remove' ? turn() : moves.page(by)),
		scroll(by) {
			if (slice.get().step !== 'remove') moves.scroll(by);
		},
		jump(to) {
			if (slice.get().step !== 'remove') moves.jump(to);
		},
		open: requests.open,
		close() {
			requests.close();
			toList();
		},
		accept,
		back() {
			if (slice.get().step === 'list') return false;
			toList();
			return true;
		},
		turn,
		refresh: requests.refresh,
		run(action) {
			const webhook = marked();
			const {step, secret} = slice.get();
			if (action === 'create') beginCreate();
			else if (action === 'copy' && step === 'secret' && secret) context.copy(secret.secret, 'The secret');
			else if (webhook === undefined) notify(NO_WEBHOOK[action] ?? 'There is no webhook here.', 'warn');
			else if (action === 'copy') context.copy(webhook.id, 'Webhook');
			else if (action === 'edit') beginEdit(webhook);
			else if (action === 'remove')
				slice.change(state => ({...state, step: 'remove', cursor: webhook.id, answer: 'cancel', scroll: 0}));
			else if (action === 'redeliver') redeliver(webhook.id);
		},
		acceptInput(field, text) {
			typed(field as WebhookField, text);
			if (slice.get().step === 'edit') changeFilter();
			else create();
		},
		turnInput(field, text, by) {
			if (slice.get().step === 'edit') return;
			typed(field as WebhookField, text);
			const at = WEBHOOK_FIELDS.indexOf(field as WebhookField);
			const next = WEBHOOK_FIELDS[(at + by + WEBHOOK_FIELDS.length) % WEBHOOK_FIELDS.length]!;
			input.open(next, slice.get().form[next]);
		},
		cancelInput: toList,
		paste: () =>
			notify(
				'Pasted text does nothing here.',
				'warn',
				'{webhooks.create} begins a new webhook: paste its address there.',
			),
	};
}

const NO_WEBHOOK: Readonly<Record<string, string>> = {
	edit: 'There is no webhook here to edit.',
	remove: 'There is no webhook here to delete.',
	copy: 'There is no webhook here to copy.',
};
