import {DEFAULT_RISK_THRESHOLDS, type RiskThresholds} from './tokens/risk.ts';

/** The settings of the configuration for drawing. */
export interface Display {
	readonly thresholds: RiskThresholds;
	/** No marks of change that come and go. */
	readonly isStill: boolean;
	/** Colors in place of the theme's, by name, as the configuration file writes them. */
	readonly colors: Readonly<Record<string, string>>;
}

export const DEFAULT_DISPLAY: Display = {thresholds: DEFAULT_RISK_THRESHOLDS, isStill: false, colors: {}};
