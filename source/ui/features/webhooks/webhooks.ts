import type {KeyHints} from '../../../monitor/state.ts';
import {BROWSE} from '../../keymap/binding.ts';
import {BACK, LABEL, scrollHints} from '../../screens/hints.ts';
import {screenFeature} from '../../screens/screen-feature.ts';
import {shellWord} from '../../shell-commands.ts';
import {markedWebhook, NO_WEBHOOKS, type WebhooksState} from './webhooks-state.ts';

/** The webhooks of the API key. */
export const webhooks = screenFeature({
	name: 'webhooks',
	initial: NO_WEBHOOKS,
	async load() {
		const [{createWebhooksScreen: create}, {WebhooksPage: Page}] = await Promise.all([
			import('./webhooks-screen.ts'),
			import('./webhooks-page.tsx'),
		]);
		return {create, Page};
	},
	hints: hintsOf,
	inputHints: ({step}) => ({
		'prompt.accept': step === 'edit' ? 'change filter' : 'create',
		...(step === 'create' && {'form.next': LABEL}),
	}),
	command: ({step, cursor}) =>
		step === 'detail' && cursor !== undefined
			? `pulsetop webhook deliveries ${shellWord(cursor)}`
			: 'pulsetop webhook list',
	help: 'webhooks',
	sections: {webhooks: {title: 'WEBHOOKS ({webhooks.open})', rank: 170}},
	bindings: [
		{
			id: 'webhooks.open',
			keys: [],
			modes: BROWSE,
			group: 'Screens',
			label: 'webhooks',
			title: 'Webhooks',
			help: 'Webhooks of your API key: status, failed deliveries, new ones.',
			hint: 76,
			needs: 'operator',
			run: a => a.open('webhooks'),
		},
		{
			id: 'webhooks.turn',
			keys: ['tab', 'shift+tab', 'left', 'right'],
			modes: ['webhooks'],
			group: 'Screens',
			label: 'other answer',
			help: 'In a question: the other answer.',
			hint: 7,
			run: a => a.turn(1),
		},
		{
			id: 'webhooks.create',
			keys: ['n'],
			modes: ['webhooks'],
			group: 'Screens',
			label: 'new',
			help: 'A new webhook: name, address, events, chains, filter. Its secret is shown once.',
			hint: 10,
			needs: 'operator',
			danger: true,
			run: a => a.run('create'),
		},
		{
			id: 'webhooks.edit',
			keys: ['e'],
			modes: ['webhooks'],
			group: 'Screens',
			label: 'filter',
			help: 'Change the filter of the webhook, the only part of it that can change.',
			hint: 12,
			needs: 'operator',
			danger: true,
			run: a => a.run('edit'),
		},
		{
			id: 'webhooks.remove',
			keys: ['x', 'delete'],
			modes: ['webhooks'],
			group: 'Screens',
			label: 'delete',
			help: 'Delete the webhook (asks first).',
			hint: 20,
			needs: 'operator',
			danger: true,
			run: a => a.run('remove'),
		},
		{
			id: 'webhooks.redeliver',
			keys: ['d'],
			modes: ['webhooks'],
			group: 'Screens',
			label: 'deliver again',
			help: 'Retry failed deliveries.',
			hint: 15,
			needs: 'operator',
			danger: true,
			run: a => a.run('redeliver'),
		},
	],
});

function hintsOf(state: WebhooksState, _: unknown, reach: number): KeyHints {
	const marked = markedWebhook(state);
	const health = marked && state.health.get(marked.id);
	const hasLetters = health?.kind === 'ready' && health.value.deadLettersCount > 0;
	const own = {
		'webhooks.edit': LABEL,
		...(hasLetters && {'webhooks.redeliver': LABEL}),
		'webhooks.remove': LABEL,
		'menu.copy': LABEL,
	};
	if (marked === undefined && (state.step === 'detail' || state.step === 'remove')) return BACK;
	switch (state.step) {
		case 'list':
			return {...BACK, 'webhooks.create': LABEL, ...(marked && {'menu.accept': LABEL, ...own})};
		case 'detail':
			return {...BACK, ...scrollHints(state.scroll, reach), ...own};
		case 'remove':
			return {
				'menu.accept': state.answer === 'remove' ? 'delete it' : 'cancel',
				'webhooks.turn': LABEL,
				'menu.close': LABEL,
			};
		case 'secret':
			return {'menu.accept': 'go on', 'menu.copy': 'copy the secret', 'menu.close': LABEL};
		default:
			return BACK;
	}
}
