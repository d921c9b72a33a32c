import {expect, test} from 'vitest';
import {tokenInPaste} from '../../../../source/monitor/tokens/pasted-token.ts';

const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const EVM = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

test.each([
	[SOLANA, SOLANA],
	[` ${SOLANA}\n`, SOLANA],
	[EVM, EVM],
	[`solana:${SOLANA}`, SOLANA],
	[`solana:solana|${SOLANA}`, SOLANA],
	[`evm:8453:${EVM}`, `${EVM} evm:8453`],
	[`evm:8453|${EVM}`, `${EVM} evm:8453`],
	[`base:${EVM}`, `${EVM} evm:8453`],
	[`${EVM} arbitrum`, `${EVM} evm:42161`],
	[`https://pages.example.com/base/${EVM}?a=1`, `${EVM} evm:8453`],
	[`https://explorer.example.com/token/${EVM}`, EVM],
	[`https://explorer.example.com/token/${SOLANA}#holders`, SOLANA],
	[`CA: ${SOLANA} go`, SOLANA],
])('%j names a token', (pasted, token) => {
	expect(tokenInPaste(pasted)).toBe(token);
});

test.each([
	['q'],
	['some words of a chat'],
	// Secrets of other forms must not become a request: 32 hex digits, a key of 64, a signature of 88 letters.
	['0123456789abcdef0123456789abcdef'],
	['abcdef2345abcdef2345abcdef234512'],
	[`0x${'ab'.repeat(32)}`],
	['5'.repeat(88)],
	[`${'x '.repeat(2000)}${SOLANA}`],
])('%j names none', pasted => {
	expect(tokenInPaste(pasted)).toBeUndefined();
});
