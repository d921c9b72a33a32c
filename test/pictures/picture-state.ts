import type {WalletLabels} from '../../source/client/lookups/labels.ts';
import type {Sparkline} from '../../source/client/lookups/sparkline.ts';
import type {Entry} from '../../source/contract/entry.ts';
import type {ViewName} from '../../source/monitor/views.ts';

/** The moment that the pictures show, Unix ms; it is that of the test monitor. */
export const PICTURE_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
/** The rows of the columns at that moment and a second later, as a recording. */
export const COLUMNS_FILE = new URL('columns.pulse', import.meta.url).pathname;
/** The opened token. */
export const DETAIL_FILE = new URL('detail.json', import.meta.url).pathname;
/** Where the opened token stands: which column, which row from 0. */
export const DETAIL_VIEW = 'bonding';
export const DETAIL_INDEX = 2;

/** What the pane of a token shows beside its row. */
export interface PicturedDetail {
	/** How many tokens match in each column. */
	readonly totals: Readonly<Partial<Record<ViewName, number>>>;
	readonly entry: Entry;
	readonly labels: readonly (readonly [wallet: string, labels: WalletLabels])[];
	readonly sparkline: Sparkline;
}
