import {BOARDS} from '../../monitor/boards/board.ts';
import type {ModeKind} from '../../monitor/state.ts';
import {type Binding, GROUPS, LETTER_MENUS, MENUS, TYPING} from '../keymap.ts';

/** Where keys are pressed, in the order of the help. A title can name the key that leads there. */
const TITLES = {
	columns: 'IN THE COLUMNS',
	detail: 'WITH A TOKEN OPEN (besides the keys of the columns)',
	why: 'EXPLANATION OF A TOKEN ({token.why})',
	alerts: 'ALERTS ({alerts.open})',
	views: 'SAVED VIEWS ({preset.list}, {preset.prefix})',
	fields: 'FIELDS OF A ROW ({fields.open})',
	shown: 'COLUMNS OF THE SCREEN ({columns.open})',
	hidden: 'HIDDEN TOKENS, DEVELOPERS AND KEYWORDS ({token.hidden})',
	scope: 'CHAINS AND LAUNCHPADS ({chains.open}, {launchpads.open})',
	rewind: 'REWIND ({rewind.open})',
	menus: 'IN EVERY MENU',
	typing: 'WHILE TYPING A LINE',
	boards: 'ON THE SCREENS OF TOKENS, MARKETS, WEBHOOKS AND WALLETS',
	forms: 'LINES AND FORMS OF THESE SCREENS',
	tokens: 'WATCH LIST AND DEVELOPER ({watchlist.open}, {developer.open})',
	markets: 'MARKETS ({markets.open})',
	webhooks: 'WEBHOOKS ({webhooks.open})',
	labels: 'WALLETS ({labels.open})',
	money: 'MONEY WINDOWS ({bridge.open}, {perp.open})',
	log: 'ACTION LOG ({log.open})',
	help: 'IN THIS HELP ({help.open})',
} as const;
export type SectionId = keyof typeof TITLES;

/** The section that a mode's keys are in: `?` in the mode opens the help there. */
export const SECTION_OF: Readonly<Record<ModeKind, SectionId>> = {
	list: 'columns',
	detail: 'detail',
	why: 'why',
	alerts: 'alerts',
	alertRule: 'alerts',
	presets: 'views',
	slot: 'views',
	presetName: 'views',
	presetImport: 'views',
	presetDiff: 'views',
	fields: 'fields',
	links: 'menus',
	columns: 'shown',
	rewind: 'rewind',
	sort: 'menus',
	palette: 'menus',
	menuNarrow: 'menus',
	themes: 'menus',
	hidden: 'hidden',
	hidePrompt: 'hidden',
	chains: 'scope',
	launchpads: 'scope',
	commandConfirm: 'menus',
	filter: 'typing',
	search: 'typing',
	boardInput: 'forms',
	watchlist: 'tokens',
	developer: 'tokens',
	markets: 'markets',
	webhooks: 'webhooks',
	labels: 'labels',
	bridge: 'money',
	perp: 'money',
	vault: 'money',
	actionLog: 'log',
	help: 'help',
	helpSearch: 'help',
};

/** Sections whose keys are the same in many modes: they stand there once. */
const SHARED: readonly (readonly [SectionId, readonly ModeKind[]])[] = [
	['boards', BOARDS],
	['menus', [...MENUS, ...LETTER_MENUS]],
	['typing', TYPING],
];

export interface HelpSection {
	readonly id: SectionId;
	readonly title: string;
	/** The keys by topic; only those of the columns have several. */
	readonly topics: readonly {readonly name?: string; readonly bindings: readonly Binding[]}[];
}

/** All keys by the place where they are pressed; each action stands once, but for those of two places of their own. */
export function helpSections(bindings: readonly Binding[]): readonly HelpSection[] {
	const placed = new Map<SectionId, Binding[]>();
	for (const binding of bindings) {
		for (const id of sectionsOf(binding)) placed.set(id, [...(placed.get(id) ?? []), binding]);
	}
	return (Object.keys(TITLES) as SectionId[]).flatMap((id): HelpSection[] => {
		const title = TITLES[id];
		const own = placed.get(id) ?? [];
		if (own.length === 0) return [];
		if (id !== 'columns') return [{id, title, topics: [{bindings: own}]}];
		const topics = GROUPS.map(name => ({name, bindings: own.filter(({group}) => group === name)}));
		return [{id, title, topics: topics.filter(topic => topic.bindings.length > 0)}];
	});
}

function sectionsOf({modes}: Binding): readonly SectionId[] {
	if (modes.includes('list')) return ['columns'];
	const counts = SHARED.map(([id, where]) => ({id, count: modes.filter(mode => where.includes(mode)).length}));
	const [shared] = counts.toSorted((a, b) => b.count - a.count);
	const own = new Set(modes.map(mode => SECTION_OF[mode]));
	return shared && shared.count > 1 && own.size > 1 ? [shared.id] : [...own];
}
