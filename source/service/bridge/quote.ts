import {type Address, formatUnits} from 'viem';
import type {Quote, QuoteRequest, QuoteStep} from '../../contract/bridge.ts';
import {typedDataJson} from '../../contract/typed-data.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {placeToken} from '../chain/practice-token.ts';
import {MalformedSignature, recoverTypedDataSigner} from '../chain/recover.ts';
import {temporaryCause} from '../money-errors.ts';
import {BRIDGED_DECIMALS, bridgeFeeRaw, type Fees, feesOf, leastOf, MAX_TRADE_USD, netRaw, usdText} from './amounts.ts';
import {type Asset, deliveredRaw, destinationAssetOf, type MarketTokens, poolOut} from './assets.ts';
import {QuoteRefused} from './bridge-errors.ts';
import {deadlineOf, intentTypedData} from './intent-typed-data.ts';
import {type Intent, type IntentBook, newIntentId} from './intents.ts';
import {addressOf, chainsOf, originAsset, rawAmount} from './quote-input.ts';
import {type SponsoredDraft, sponsoredUnits} from './sponsored-units.ts';
import {depositSteps, intentHashOf} from './steps.ts';

/** How long a quote may be executed: as long as a claim holds. */
const QUOTE_LIFE_MS = 15 * 60_000;

/** Per cent: how far a young token's price may well move until its buyer has signed. */
const MARKET_SLIPPAGE = 10;

export interface QuoteDependencies {
	readonly chains: ChainSet;
	readonly book: IntentBook;
	readonly now: () => number;
	readonly tokens?: MarketTokens | undefined;
}

/**
 * Output and costs of a transfer, with everything that is needed to make it (spec 4.5, contract gaps 4.1 and 4.2). The
 * intent is stored, so that an execute can be checked against it.
 * @throws QuoteRefused, ChainUnavailable
 */
export async function quote(dependencies: QuoteDependencies, request: QuoteRequest): Promise<Quote> {
	if (request.signature !== undefined) return signedQuote(dependencies, request);
	const {book, now} = dependencies;
	const {origin, destination} = await chainsOf(dependencies.chains, request);
	const recipient = addressOf(request.walletAddress, 'walletAddress');
	const authority = request.senderAddress === undefined ? recipient : addressOf(request.senderAddress, 'senderAddress');
	const asset = originAsset(origin, request);
	const target = destinationAssetOf(destination, request.destinationToken, dependencies.tokens);
	if (target === undefined)
		throw new QuoteRefused('no-route', `No route: the destination token is not bridged to ${destination.info.key}`);

	const intentId = newIntentId();
	const amountRaw = rawAmount(request, asset);
	const bridged = asset.kind === 'swapped' ? await poolOut(origin, asset.address, amountRaw) : amountRaw;
	if (bridged > BigInt(MAX_TRADE_USD) * 10n ** BigInt(BRIDGED_DECIMALS)) {
		throw new QuoteRefused('too-large', `The amount is more than one transfer may be: ${MAX_TRADE_USD} USD`);
	}
	const minBridgedRaw = leastOf(bridged, request.slippage);
	const plan = {intentId, asset, amountRaw, minBridgedRaw, destinationChainId: destination.info.id, recipient};
	const steps = depositSteps(origin, plan);
	const gate = {intentId, authority, calls: steps.map(step => step.tx), gasToken: asset.address, minBalance: amountRaw};
	const gasUnits = request.gasless ? await unitsOf(origin, gate) : null;
	const fees = feesOf(origin.info, destination.info, gasUnits ?? undefined);
	const net = netRaw(bridged, fees);
	if (net <= 0n) throw tooSmall(request.gasless);
	const estimatedOutRaw = await deliveredRaw(destination, target, net);
	const minOutRaw = leastOf(estimatedOutRaw, request.slippage);
	if (minOutRaw <= 0n) throw tooSmall(request.gasless);
	if (target.kind === 'market') {
		const token = dependencies.tokens?.find(destination.info.key, target.address);
		if (token !== undefined) await placeToken(destination, target.address, token);
	}

	const createdAtMs = now();
	const intent: Intent = {
		...UNTOUCHED,
		intentId,
		intentHash: intentHashOf(intentId),
		createdAtMs,
		updatedAtMs: createdAtMs,
		expiresAtMs: createdAtMs + QUOTE_LIFE_MS,
		isGasless: request.gasless,
		authority,
		recipient,
		originChainId: origin.info.id,
		destinationChainId: destination.info.id,
		originInstance: origin.instance,
		destinationInstance: destination.instance,
		originToken: asset.address,
		destinationToken: target.address,
		originDecimals: asset.decimals,
		destinationDecimals: target.decimals,
		amountRaw,
		estimatedOutRaw,
		minOutRaw,
		...fees,
		gasUnits,
		quote: '',
		quotedBlock: await origin.client.getBlockNumber(),
	};
	const answer = quoteResponse({intent, origin, destination, target, steps, fees, bridged, slippage: request.slippage});
	// Steps are given out at once only where the service sends them; otherwise the user signs the intent first.
	book.add({...intent, quote: JSON.stringify(answer)});
	return request.gasless ? answer : {...answer, steps: [], deposit: null};
}

/**
 * The second call of the signed-quote flow: exchanges the user's signature on the first answer for the steps to send.
 */
async function signedQuote({book, chains, now}: QuoteDependencies, request: QuoteRequest): Promise<Quote> {
	const intent = request.intentId === undefined ? undefined : book.get(request.intentId);
	if (intent === undefined) throw new QuoteRefused('unknown-intent', 'The intent of the signed quote is not known');
	const answer = JSON.parse(intent.quote) as Quote;
	if (request.deadline !== deadlineOf(intent) || request.minAmountOut !== answer.minAmountOut) {
		throw new QuoteRefused('changed-quote', 'deadline and minAmountOut must be those of the quote that was signed');
	}
	if (intent.expiresAtMs <= now()) throw new QuoteRefused('expired-quote', 'The quote has expired: request a new one');
	const {addresses} = await chains.ready(intent.originChainId);
	if (!isSignedBy(intent, addresses.bridge, request.signature!)) {
		throw new QuoteRefused('bad-intent-signature', 'The intent signature is not by the sender of the quote');
	}
	return answer;
}

/** Whether the sender of an intent has signed it. */
export function isSignedBy(intent: Intent, bridge: Address, signature: string): boolean {
	try {
		return recoverTypedDataSigner(intentTypedData(intent, bridge), signature) === intent.authority;
	} catch (error) {
		if (error instanceof MalformedSignature) return false;
		throw error;
	}
}

async function unitsOf(origin: Chain, draft: SponsoredDraft): Promise<bigint> {
	try {
		return await sponsoredUnits(origin, draft);
	} catch (error) {
		if (temporaryCause(error)?.code !== 'rpc-refused') throw error;
		throw new QuoteRefused('would-revert', 'The steps of this route would revert on the origin chain');
	}
}

function tooSmall(gasless: boolean): QuoteRefused {
	const what = gasless ? 'the sponsored origin gas' : 'the fees';
	return new QuoteRefused('too-small', `The amount does not cover ${what}`);
}

const UNTOUCHED = {
	status: null,
	claim: null,
	claimedUntilMs: null,
	batchDeadlineS: null,
	sentToRun: null,
	depositTxHash: null,
	failureCode: null,
	failureReason: null,
	depositId: null,
	depositedRaw: null,
	failedFills: 0,
	outRaw: null,
	fillTxHash: null,
	cancelTxHash: null,
	refundTxHash: null,
	settleTxHash: null,
	depositDetectedAtMs: null,
	fillSentAtMs: null,
	fillConfirmedAtMs: null,
	settledAtMs: null,
} as const;

interface QuoteParts {
	readonly intent: Intent;
	readonly origin: Chain;
	readonly destination: Chain;
	readonly target: Asset;
	readonly steps: QuoteStep[];
	readonly fees: Fees;
	readonly bridged: bigint;
	readonly slippage: number;
}

function quoteResponse({intent, origin, destination, target, steps, fees, bridged, slippage}: QuoteParts): Quote {
	const totalFeeUsd = usdText(bridgeFeeRaw(bridged, fees) + fees.originGasRaw + fees.destinationGasRaw);
	return {
		intentId: intent.intentId,
		estimatedAmountOut: formatUnits(intent.estimatedOutRaw, target.decimals),
		estimatedAmountOutUsd: usdText(netRaw(bridged, fees)),
		minAmountOut: formatUnits(intent.minOutRaw, target.decimals),
		recommendedSlippage: target.kind === 'market' ? MARKET_SLIPPAGE : 1,
		appliedSlippage: slippage,
		totalFeeUsd,
		fees: {
			bridgeFeeBps: fees.bridgeFeeBps,
			gasFeeUsd: usdText(fees.destinationGasRaw),
			totalFeeUsd,
			...(intent.isGasless ? {originSponsorGasUsd: usdText(fees.originGasRaw)} : {}),
		},
		estimatedTimeMs: destination.info.fillTimeMs,
		maxTradeUsd: MAX_TRADE_USD,
		steps,
		deposit: {evm: steps.at(-1)!.tx},
		typedData: typedDataJson(intentTypedData(intent, origin.addresses.bridge)),
		deadline: deadlineOf(intent),
		...(intent.isGasless
			? {
					sponsorGate: {
						batchExecutor: origin.addresses.batchExecutor,
						gasToken: intent.originToken,
						minBalance: intent.amountRaw.toString(),
					},
				}
			: {}),
	};
}
