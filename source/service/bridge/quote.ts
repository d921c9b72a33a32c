import type {Address} from 'viem';
import type {Quote, QuoteRequest, QuoteStep} from '../../contract/bridge.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {MalformedSignature, recoverTypedDataSigner} from '../chain/recover.ts';
import {PlaceTaken, placeMarketToken, poolOverride} from '../chain/venue.ts';
import {temporaryCause} from '../money-errors.ts';
import {BRIDGED_DECIMALS, feesOf, leastOf, MAX_TRADE_USD, netRaw, totalFeeRaw} from './amounts.ts';
import {deliveredRaw, type OriginAsset, poolOut} from './assets.ts';
import {QuoteRefused} from './bridge-errors.ts';
import {deadlineOf, intentTypedData} from './intent-typed-data.ts';
import {type Intent, type IntentBook, newIntentId} from './intents.ts';
import type {Launch, LaunchMarket} from './launch.ts';
import {quoteLaunchBuy, quoteLaunchSale} from './launch-quote.ts';
import {addressOf, chainsOf, destinationAsset, originAsset, rawAmount} from './quote-input.ts';
import {quoteResponse} from './quote-response.ts';
import {sponsoredUnits} from './sponsored-units.ts';
import {depositSteps, intentHashOf} from './steps.ts';

/** How long a quote may be executed: as long as a claim holds. */
const QUOTE_LIFE_MS = 15 * 60_000;

/** Until when the reserves of an estimate hold, in the chain's clock. */
const FOR_EVER_S = 2 ** 40;

export interface QuoteDependencies {
	readonly chains: ChainSet;
	readonly book: IntentBook;
	readonly now: () => number;
	readonly market?: LaunchMarket | undefined;
}

/**
 * Output and costs of a transfer, with everything that is needed to make it (spec 4.5, contract gaps 4.1 and 4.2). The
 * intent is stored, so that an execute can be checked against it.
 * @throws QuoteRefused, ChainUnavailable
 */
export async function quote(dependencies: QuoteDependencies, request: QuoteRequest): Promise<Quote> {
	if (request.signature !== undefined) return signedQuote(dependencies, request);
	const {book, market, now} = dependencies;
	const {origin, destination} = await chainsOf(dependencies.chains, request);
	const recipient = addressOf(request.walletAddress, 'walletAddress');
	const authority = request.senderAddress === undefined ? recipient : addressOf(request.senderAddress, 'senderAddress');
	const source = {market, nowMs: now()};
	const asset = originAsset(origin, request, source);
	const target = destinationAsset(destination, request, source);
	if (asset.kind === 'market' && target.kind === 'market') {
		throw new QuoteRefused('no-route', 'No route: one of the two tokens must be none of the market');
	}

	const intentId = newIntentId();
	const amountRaw = rawAmount(request, asset);
	const sale = asset.kind === 'market' ? quoteLaunchSale(asset.launch, amountRaw) : undefined;
	const bridged =
		sale?.usdRaw ?? (asset.kind === 'swapped' ? await poolOut(origin, asset.address, amountRaw) : amountRaw);
	if (bridged > BigInt(MAX_TRADE_USD) * 10n ** BigInt(BRIDGED_DECIMALS)) {
		throw new QuoteRefused('too-large', `The amount is more than one transfer may be: ${MAX_TRADE_USD} USD`);
	}
	const stepsFor = (minBridgedRaw: bigint) =>
		depositSteps(origin, {
			intentId,
			asset,
			amountRaw,
			minBridgedRaw,
			destinationChainId: destination.info.id,
			recipient,
		});
	const draft = {intentId, authority, asset, amountRaw, calls: stepsFor(leastOf(bridged, request.slippage))};
	const gasUnits = request.gasless ? await unitsOf(origin, draft) : null;
	const fees = feesOf(origin.info, destination.info, gasUnits ?? undefined, {isBought: target.kind === 'market'});
	const net = netRaw(bridged, fees);
	if (net <= 0n) throw tooSmall(request.gasless);
	const purchase = target.kind === 'market' ? quoteLaunchBuy(target.launch, net, fees) : undefined;
	const estimatedOutRaw = purchase?.arrivesRaw ?? (await deliveredRaw(destination, target, net));
	const minOutRaw = leastOf(estimatedOutRaw, request.slippage);
	if (minOutRaw <= 0n) throw tooSmall(request.gasless);
	// The signed minimum: a swap that is made leaves at least the promised minimum after all fees.
	const least = target.kind === 'bridged' ? minOutRaw + totalFeeRaw(bridged, fees) : leastOf(bridged, request.slippage);
	const steps = stepsFor(least);
	if (target.kind === 'market') await placeLaunch(destination, target.launch);

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
		originSymbol: asset.symbol,
		destinationSymbol: target.symbol,
		launch: asset.kind === 'market' ? 'origin' : target.kind === 'market' ? 'destination' : null,
		amountRaw,
		estimatedOutRaw,
		minOutRaw,
		...fees,
		gasUnits,
		quote: '',
		quotedBlock: await origin.client.getBlockNumber(),
	};
	const answer = quoteResponse({
		intent,
		origin,
		destination,
		target,
		steps,
		fees,
		bridged,
		slippage: request.slippage,
		valueRaw: purchase?.valueRaw ?? net,
		figures: sale?.figures ?? purchase?.figures,
	});
	// Steps are given out at once only where the service sends them; otherwise the user signs the intent first.
	await book.add({...intent, quote: JSON.stringify(answer)});
	return request.gasless ? answer : {...answer, steps: [], deposit: null};
}

/**
 * The second call of the signed-quote flow: exchanges the user's signature on the first answer for the steps to send.
 */
async function signedQuote({book, chains, now}: QuoteDependencies, request: QuoteRequest): Promise<Quote> {
	const intent = request.intentId === undefined ? undefined : await book.get(request.intentId);
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

interface DepositDraft {
	readonly intentId: string;
	readonly authority: Address;
	readonly asset: OriginAsset;
	readonly amountRaw: bigint;
	readonly calls: readonly QuoteStep[];
}

/** The gas units of a sponsored deposit. The pool of a launch gets its reserves for the estimate only. */
async function unitsOf(origin: Chain, {intentId, authority, asset, amountRaw, calls}: DepositDraft): Promise<bigint> {
	if (asset.kind === 'market' && (await origin.client.getCode({address: asset.address})) === undefined) {
		throw new QuoteRefused(
			'would-revert',
			`The sender has none of the token: it was never bought on ${origin.info.key}`,
		);
	}
	try {
		return await sponsoredUnits(origin, {
			intentId,
			authority,
			calls: calls.map(step => step.tx),
			gasToken: asset.address,
			minBalance: amountRaw,
			...(asset.kind === 'market' && {overrides: poolOverride(origin, asset.address, asset.launch.pool, FOR_EVER_S)}),
		});
	} catch (error) {
		if (temporaryCause(error)?.code !== 'rpc-refused') throw error;
		throw new QuoteRefused('would-revert', 'The steps of this route would revert on the origin chain');
	}
}

/** Creates a launch on its chain, where a purchase of it was quoted: its buyer can read the contract before signing. */
async function placeLaunch(chain: Chain, {address, facts}: Launch): Promise<void> {
	try {
		await placeMarketToken(chain, address, facts);
	} catch (error) {
		if (error instanceof PlaceTaken) throw new QuoteRefused('no-route', `No route: ${error.why}`);
		throw error;
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
	worker: null,
	workerUntilMs: null,
	changes: null,
} as const;
