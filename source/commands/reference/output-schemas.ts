import * as z from 'zod';
import {BRIDGE_SCHEMAS} from '../bridge/schemas.ts';
import {CONFIG_SCHEMAS} from '../config/schemas.ts';
import {DOCTOR_SCHEMAS} from '../doctor/schemas.ts';
import {FEED_SCHEMAS} from '../feed/schemas.ts';
import {FOLLOW_SCHEMAS} from '../follow/schemas.ts';
import {LOOKUP_SCHEMAS} from '../lookups/schemas.ts';
import {error} from '../output/document-parts.ts';
import {PERP_SCHEMAS} from '../perp/schemas.ts';
import {MARKET_SCHEMAS} from '../prediction/schemas.ts';
import {EXIT_CODES} from '../process/exit-code.ts';
import {RECORDING_SCHEMAS} from '../recording/schemas.ts';
import {TRADE_SCHEMAS} from '../trade/schemas.ts';
import {WALLET_SCHEMAS} from '../wallet/schemas.ts';
import {WATCH_SCHEMAS} from '../watch/schemas.ts';
import {WEBHOOK_SCHEMAS} from '../webhook/schemas.ts';

/*
 * The JSON output of the commands. The schemas are strict: a member that they do not name is not printed, so programs can
 * rely on them. A breaking change gets a new number behind the name.
 */

/** The JSON output of each command, by the name that `pulsetop schema` takes. */
export const OUTPUT_SCHEMAS = {
	...FEED_SCHEMAS,
	...WATCH_SCHEMAS,
	...RECORDING_SCHEMAS,
	...LOOKUP_SCHEMAS,
	...DOCTOR_SCHEMAS,
	...CONFIG_SCHEMAS,
	...WALLET_SCHEMAS,
	...BRIDGE_SCHEMAS,
	...TRADE_SCHEMAS,
	...PERP_SCHEMAS,
	...MARKET_SCHEMAS,
	...WEBHOOK_SCHEMAS,
	...FOLLOW_SCHEMAS,
	error: z.strictObject({error}).describe(
		`on stderr when a command fails; exit codes: ${Object.entries(EXIT_CODES)
			.map(([code, meaning]) => `${code} ${meaning}`)
			.join(', ')}`,
	),
} as const;

export type OutputName = keyof typeof OUTPUT_SCHEMAS;
