import type {RiskThresholds} from '../monitor/tokens/risk.ts';
import type {Glyphs} from './glyphs.ts';
import type {BoundKeys} from './keymap/binding.ts';
import type {Theme} from './theme.ts';

/** Theme, glyphs, keys and settings of the display: what a component reads beside its props. It contains no time. */
export interface Display {
	readonly theme: Theme;
	readonly glyphs: Glyphs;
	/** The keys in force. */
	readonly keys: BoundKeys;
	readonly thresholds: RiskThresholds;
	/** No marks of change that come and go. */
	readonly isStill: boolean;
}
