import type {ClientOptions} from '../../client/client.ts';
import type {PracticeService} from '../../trading/practice-funds.ts';

/**
 * Where the practice chains are; undefined for real money. Of several addresses it is the first: each `pulsetop serve` has
 * practice chains of its own, so what begins at one must go on there.
 */
export function practiceAt({baseUrl, apiKey}: ClientOptions, mode: 'practice' | 'real'): PracticeService | undefined {
	if (mode === 'real') return undefined;
	return {baseUrl: [baseUrl].flat()[0]!, ...(apiKey !== undefined && {apiKey})};
}
