import type {Client} from '../../client/client.ts';
import type {Entry} from '../../contract/entry.ts';
import {PulsetopError} from '../../errors.ts';
import type {MonitorActions} from '../../monitor/actions.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import type {JournalFiles} from '../../trading/journal-files.ts';
import type {PositionBook} from '../../trading/positions/book.ts';
import type {LiveRow} from '../money/trade-key.ts';

/** Letters that mean something else on each screen. */
export type ScreenAction =
	| 'add'
	| 'watch'
	| 'create'
	| 'edit'
	| 'remove'
	| 'redeliver'
	| 'type'
	| 'clear'
	| 'relate'
	| 'copy'
	| 'sort'
	| 'reverse'
	| 'unpin'
	| 'sell'
	| 'turnWallet'
	| 'hide';

/** The effects of keys on a screen beside the columns. */
export interface Screen {
	/** The screen is shown from now on. */
	open(): void;
	/** The screen is hidden: running requests are aborted. */
	close(): void;
	move(by: number): void;
	/** The wheel: as `move`, but it never changes the answer of a question. */
	scroll(by: number): void;
	/** A click on a line of the list, counted from the first in sight: marks the line, or opens the marked one. */
	click(line: number): void;
	/** By pages. */
	page(by: 1 | -1): void;
	jump(to: 'first' | 'last'): void;
	/** Enter. */
	accept(): void;
	/** Esc: one step back. @returns false where there is no step, and the screen should close */
	back(): boolean;
	/** Tab: the next list, or the next answer. */
	turn(by: 1 | -1): void;
	refresh(): void;
	run(action: ScreenAction): void;
	/** Enter in a typed line. The screen closes the line when it took the text. */
	acceptInput(field: string, text: string): void;
	/** Tab in a typed line. */
	turnInput(field: string, text: string, by: 1 | -1): void;
	/** Esc in a typed line, which is closed already. */
	cancelInput(): void;
	paste(text: string): void;
}

/** The line that is typed for a screen, at the top of the mode stack. */
export interface ScreenInput {
	/** Opens the line, or goes on to another field. @param cursor where in the text; at its end if not given */
	open(field: string, text: string, cursor?: number): void;
	close(): void;
}

/** The context of a screen. */
export interface ScreenContext {
	readonly monitor: Store<MonitorState>;
	/** Undefined until the service is there. */
	readonly client: () => Client | undefined;
	/** The key that the webhooks belong to; undefined where none is configured. */
	readonly apiKey: () => string | undefined;
	readonly input: ScreenInput;
	readonly notify: MonitorActions['notify'];
	readonly copy: MonitorActions['copyText'];
	/** Opens the detail pane on a token; Esc leads back to the screen. */
	readonly openToken: (entry: Entry) => void;
	/** Keeps pins, hides and watched prediction markets for the next run. */
	readonly save: () => void;
	readonly nowMs: () => number;
	/** The positions: the trades, and the amounts on the chains; absent where no money can be moved. Rejects while there is no service. */
	readonly positions?: () => Promise<PositionBook>;
	/** The journal of what could move money; absent where no money can be moved. */
	readonly journalFiles?: JournalFiles;
	/** Opens the window that sells a token; Esc leads back to the screen. Absent where nothing can be sold. */
	readonly sell?: (row: LiveRow) => void;
}

/** A screen needs the service, which is still starting. */
export class ServiceNotThere extends PulsetopError {
	readonly code = 'service-not-there';

	constructor() {
		super('The service is not there yet', {
			why: 'it is still starting, or it could not be started',
			next: 'retry-later',
		});
	}
}

/** The client, for a request. @throws ServiceNotThere */
export function clientOf({client}: Pick<ScreenContext, 'client'>): Client {
	const opened = client();
	if (!opened) throw new ServiceNotThere();
	return opened;
}
