import {afterEach, expect, test, vi} from 'vitest';
// The package makes one, too: the bundle patches that away (source/tools/bundle-patches.ts).
import 'string-width';

afterEach(() => vi.unstubAllGlobals());

// The first segmenter of a process takes 8.5 ms, and each of these is loaded before the first frame.
test.each(['text.ts', 'ui/keymap/keys.ts', 'monitor/transitions/text-edit.ts', 'ui/create-actions.ts'])(
	'%s makes no segmenter when it is loaded',
	async file => {
		let made = 0;
		class Counted extends Intl.Segmenter {
			constructor() {
				super();
				made++;
			}
		}
		vi.stubGlobal('Intl', {...Intl, Segmenter: Counted});
		vi.resetModules();
		await import(`../../source/${file}`);
		expect(made).toBe(0);
	},
);
