import {createHash} from 'node:crypto';
import type {Market, MarketStatus} from '../../contract/prediction.ts';
import {SIMULATED_MARKETS} from '../../contract/simulated-markets.ts';

/** The one platform that this service offers. */
export const PLATFORM = 'platformA';

const DAY_MS = 86_400_000;

interface Question {
	readonly question: string;
	readonly description: string;
	readonly category: string;
	/** Label and price, US dollars for one share. */
	readonly outcomes: readonly (readonly [label: string, priceUSD: number])[];
	/** The market ends every so many days, and the next one with the same name begins. */
	readonly days: number;
	/** Default active. */
	readonly status?: MarketStatus;
}

/** In the order of SIMULATED_MARKETS. Prices do not move: nobody trades here. */
const QUESTIONS: readonly Question[] = [
	{
		question: 'Will more than 30,000 tokens be launched on one day?',
		description:
			'Yes when any launchpad tracker reports more than 30,000 launches between 0:00 and 24:00 UTC of a day before the end.',
		category: 'crypto',
		outcomes: [
			['Yes', 0.64],
			['No', 0.36],
		],
		days: 30,
	},
	{
		question: 'Which chain has the most launches that bond?',
		description: 'Counted from the creation of the market to its end.',
		category: 'crypto',
		outcomes: [
			['Solana', 0.71],
			['BNB Chain', 0.17],
			['Base', 0.09],
			['Another', 0.03],
		],
		days: 7,
	},
	{
		question: 'Will a memecoin enter the ten largest coins by market capitalisation?',
		description: 'Stablecoins do not count.',
		category: 'crypto',
		outcomes: [
			['Yes', 0.42],
			['No', 0.58],
		],
		days: 91,
	},
	{
		question: 'Who wins the election in Ruritania?',
		description: 'The person whom the electoral commission of Ruritania names.',
		category: 'politics',
		outcomes: [
			['Rassendyll', 0.48],
			['Hentzau', 0.33],
			['Zapt', 0.19],
		],
		days: 60,
	},
	{
		question: 'Will the Northport Gulls win their next match?',
		description: 'A draw counts as No.',
		category: 'sports',
		outcomes: [
			['Yes', 0.55],
			['No', 0.45],
		],
		days: 5,
	},
	{
		question: 'Will it rain in Lisbon?',
		description: 'Yes when the airport’s station reports at least 0.2 mm before the end.',
		category: 'weather',
		outcomes: [
			['Yes', 0.08],
			['No', 0.92],
		],
		days: 2,
	},
	{
		question: 'Did the Harbor City Herons win their last match?',
		description: 'A draw counts as No.',
		category: 'sports',
		outcomes: [
			['Yes', 0.5],
			['No', 0.5],
		],
		days: 3,
		status: 'closed',
	},
	{
		question: 'Did it snow in Oslo?',
		description: 'Yes when the university’s station reported snow before the end.',
		category: 'weather',
		outcomes: [
			['Yes', 1],
			['No', 0],
		],
		days: 2,
		status: 'resolved',
	},
];

/** A market as of a time; undefined for an unknown one (spec 2.4b, contract gaps 6.1). @param nowMs Unix ms */
export function findMarket(platform: string, marketId: string, nowMs: number): Market | undefined {
	const id = `${platform}:${marketId}`;
	const question = QUESTIONS[SIMULATED_MARKETS.indexOf(id)];
	if (question === undefined) return undefined;
	const {days, status = 'active', outcomes, ...texts} = question;
	const periodMs = days * DAY_MS;
	const startMs = Math.floor(nowMs / periodMs) * periodMs;
	const endMs = status === 'active' ? startMs + periodMs : startMs;
	const isResolved = status === 'resolved';
	return {
		...texts,
		id,
		platform,
		marketId,
		slug: `${texts.question
			.toLowerCase()
			.match(/[a-z0-9]+/g)!
			.join('-')}-${marketId}`,
		chainId: 'evm:137',
		contractAddress: null,
		negRisk: outcomes.length > 2,
		tags: [texts.category],
		type: outcomes.length > 2 ? 'categorical' : 'binary',
		status,
		eventId: null,
		eventSlug: null,
		eventTitle: null,
		outcomes: outcomes.map(([label, priceUSD], i) => ({outcomeId: outcomeIdOf(id, i), label, priceUSD, ...NO_FIGURES})),
		stats: {...NO_FIGURES, tradesCount: null, trades24h: null},
		metadata: {
			createdAt: iso(endMs - periodMs),
			endDate: iso(endMs),
			resolved: isResolved,
			resolvedAt: isResolved ? iso(endMs) : null,
			resolvedOutcome: isResolved ? outcomes.find(([, priceUSD]) => priceUSD === 1)![0] : null,
		},
	};
}

/** Nobody trades here, and a figure of nothing is not a figure of zero. */
const NO_FIGURES = {
	totalVolumeUSD: null,
	volume24hUSD: null,
	volume7dUSD: null,
	liquidityUSD: null,
	openInterestUSD: null,
	holdersCount: null,
};

/** The id of an outcome's shares in the form of ERC-1155 ids: a whole number of 256 bits in decimal. */
function outcomeIdOf(id: string, outcome: number): string {
	return BigInt(`0x${createHash('sha256').update(`${id} ${outcome}`).digest('hex')}`).toString();
}

function iso(timeMs: number): string {
	return new Date(timeMs).toISOString();
}
