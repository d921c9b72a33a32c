import type {ModeOf} from '../../../monitor/mode.ts';
import {topMode} from '../../../monitor/state.ts';
import {editOf} from '../../../monitor/transitions/text-edit.ts';
import type {Context, ScrollStep} from '../../feature.ts';
import {keysOfViewer} from '../../keymap/why-kept.ts';
import {scrolled} from '../../modals/scrolled.ts';
import {type HelpLine, helpHits, helpLines, helpPage, sectionStart} from './help-lines.ts';

/** The actions of the help: open, scroll, search. */
export function createHelpActions({store, monitor, keys: allKeys, glyphs, specOf}: Context) {
	const isVisit = (): boolean => store.get().visit !== undefined;
	const keys = () => (isVisit() ? keysOfViewer(allKeys()) : allKeys());
	const isReal = (): boolean => store.get().service.follow !== undefined;
	/** The lines at the width of the screen, and how many of them are in sight. */
	const shown = (): {readonly lines: readonly HelpLine[]; readonly page: number} => {
		const {columns, rows} = store.get().size;
		return {page: helpPage(rows), lines: helpLines({columns, glyphs, keys: keys(), isReal: isReal()})};
	};
	const {get} = store;

	const clamped = (scroll: number): number => {
		const {lines, page} = shown();
		return Math.min(Math.max(scroll, 0), Math.max(lines.length - page, 0));
	};
	const scrollTo = (scroll: (now: number) => number): void =>
		monitor.changeMode(mode => (mode.kind === 'help' ? {...mode, scroll: clamped(scroll(mode.scroll))} : mode));

	/** The first hit at or after a line, around the end, two lines below the top. */
	function atHit<M extends ModeOf<'help' | 'helpSearch'>>(mode: M, query: string, from: number, by: 1 | -1 = 1): M {
		const hits = helpHits(shown().lines, query);
		const next = by > 0 ? hits.find(at => at >= from) : hits.findLast(at => at <= from);
		const hit = next ?? (by > 0 ? hits[0] : hits.at(-1));
		return hit === undefined ? mode : {...mode, hit, scroll: clamped(hit - 2)};
	}

	return {
		close: monitor.leaveMode,
		/** Opens the help at the keys of the mode on top; in the columns at its beginning. */
		open: () => {
			const section = specOf(topMode(get()).kind).spec.help;
			const start = section === 'columns' ? 0 : sectionStart(shown().lines, section);
			monitor.enterMode({kind: 'help', scroll: clamped(start), search: '', isReal: isReal(), isVisit: isVisit()});
		},
		scroll: (step: ScrollStep) => scrollTo(now => scrolled(now, step, shown().page)),
		openSearch: () => {
			const mode = topMode(get());
			if (mode.kind !== 'help') return;
			monitor.enterMode({
				kind: 'helpSearch',
				edit: editOf(''),
				scroll: mode.scroll,
				from: mode.scroll,
				isReal: isReal(),
				isVisit: isVisit(),
			});
		},
		/** The typed text has changed: shows the first hit after the line where the search began. */
		typed: () =>
			monitor.changeMode(mode =>
				mode.kind === 'helpSearch' ? atHit({...mode, scroll: mode.from}, mode.edit.text, mode.from) : mode,
			),
		acceptSearch: () => {
			const mode = topMode(get());
			if (mode.kind !== 'helpSearch') return;
			monitor.leaveMode();
			const {scroll, hit, edit} = mode;
			monitor.changeMode(below =>
				below.kind === 'help' ? {...below, scroll, search: edit.text.trim(), ...(hit !== undefined && {hit})} : below,
			);
		},
		nextHit: (by: 1 | -1) =>
			monitor.changeMode(mode =>
				mode.kind === 'help' ? atHit(mode, mode.search, (mode.hit ?? mode.scroll - by) + by, by) : mode,
			),
	};
}
