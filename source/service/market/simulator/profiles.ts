import {taxText} from '../../../contract/security-flags.ts';
import type {Profile} from '../events.ts';
import {describing, handleFor, type Naming} from './names.ts';
import type {Plan} from './plan.ts';
import type {Random} from './random.ts';

/** The facts that a token is launched with. Some are missing, as in real feeds. */
export function launchProfile(plan: Plan, {name}: Naming, address: string, random: Random): Profile {
	const hasTwitter = random.chance(0.6);
	const handle = handleFor(name, random);
	const isSolana = plan.pad.chainId.startsWith('solana:');
	const site = handle.toLowerCase();
	return {
		description: describing(random),
		logo: random.chance(0.93) ? `https://assets.pulsetop.invalid/token/${address}.webp` : null,
		uri: isSolana ? `https://ipfs.invalid/ipfs/${address.slice(0, 24)}` : null,
		twitter: hasTwitter
			? random.chance(0.7)
				? `https://x.com/${handle}`
				: `https://twitter.com/${handle}/status/${random.uint32()}`
			: null,
		website: random.chance(0.28) ? hostileLink(`https://${site}.invalid`, random) : null,
		telegram: random.chance(0.24) ? `https://t.me/${site}` : null,
		otherSocials: random.chance(0.04) ? {showName: random.chance(0.5), createdOn: 'https://pump.invalid'} : null,
		tokenType: isSolana ? (random.chance(0.7) ? '2022' : '2020') : null,
		twitterRenames: random.chance(0.06) ? renames(plan.launchMs, handle, random) : [],
		screener: null,
		security: random.chance(0.9) ? security(isSolana, random) : null,
		securityScore: random.chance(0.85) ? random.index(101) : null,
		isSpam: random.chance(0.9) ? random.chance(0.05) : null,
		launchFlags: isSolana
			? {
					mayhem: random.chance(0.06),
					cashback: random.chance(0.08),
					agent: random.chance(0.05),
					og: random.chance(0.03),
				}
			: null,
	};
}

/** The facts that a token gets later: a livestream, a screener's page. */
export function publicity(
	{launchMs, fate, pad}: Plan,
	address: string,
	random: Random,
): {readonly timeMs: number; readonly profile: Profile}[] {
	const news: {timeMs: number; profile: Profile}[] = [];
	if (pad.type === 'pumpfun' && random.chance(0.06)) {
		const timeMs = Math.ceil(launchMs + random.between(5000, 90_000));
		news.push({timeMs, profile: liveProfile(address, random, false)});
		news.push({timeMs: Math.ceil(timeMs + random.skewed(900_000, 1)), profile: liveProfile(address, random, true)});
	}
	if (random.chance(fate === 'graduate' ? 0.6 : 0.02)) {
		const timeMs = Math.ceil(launchMs + random.skewed(1_800_000, 0.8));
		news.push({timeMs, profile: screenerProfile(timeMs, address, random)});
	}
	return news;
}

/** The screener page of a successful token. */
function screenerProfile(timeMs: number, address: string, random: Random): Profile {
	return {
		screener: {
			listed: true,
			header: random.chance(0.6) ? `https://assets.pulsetop.invalid/header/${address}.png` : null,
			adPaid: random.chance(0.3),
			boosted: random.chance(0.2) ? 10 * (1 + random.index(50)) : 0,
			description: describing(random),
			isCto: random.chance(0.15),
			timeMs: Math.floor(timeMs),
		},
	};
}

function liveProfile(address: string, random: Random, isOver: boolean): Profile {
	return {
		live: {
			status: isOver ? 'live_end' : 'live',
			thumbnail: `https://assets.pulsetop.invalid/live/${address}.jpg`,
			title: random.pick(['dev reveal', 'till we bond', '24h no sleep', 'chart \u001b[7mtalk\u001b[0m', 'セール中 🔴']),
			replies: random.index(400),
		},
	};
}

function security(isSolana: boolean, random: Random): Record<string, string | number | boolean> {
	const isMintable = random.chance(0.06);
	const flags: Record<string, string | number | boolean> = {isMintable, isHoneypot: random.chance(0.02)};
	if (isSolana) {
		flags['noMintAuthority'] = !isMintable;
		flags['transferPausable'] = random.chance(0.04);
		flags['isBlacklisted'] = random.chance(0.02);
		if (random.chance(0.5)) flags['liquidityBurnPercentage'] = random.chance(0.8) ? 100 : random.index(100);
		return flags;
	}
	const tax = random.chance(0.8) ? 0 : random.index(random.chance(0.2) ? 40 : 6);
	flags['buyTax'] = taxText(tax);
	flags['sellTax'] = taxText(random.chance(0.9) ? tax : tax + random.index(20));
	flags['renounced'] = random.chance(0.6);
	flags['isNotOpenSource'] = random.chance(0.15);
	flags['transferPausable'] = random.chance(0.04);
	flags['isBlacklisted'] = random.chance(0.03);
	flags['balanceMutable'] = random.chance(0.02);
	flags['modifyableTax'] = random.chance(0.1);
	flags['selfDestruct'] = random.chance(0.01);
	flags['isWhitelisted'] = random.chance(0.02);
	return flags;
}

function renames(launchMs: number, handle: string, random: Random): {username: string; lastCheckedMs: number}[] {
	return Array.from({length: 1 + random.index(3)}, (_, i) => ({
		username: `${handle.slice(0, 6)}_${random.index(1000)}`,
		lastCheckedMs: launchMs - (i + 1) * 86_400_000 * (1 + random.index(30)),
	}));
}

function hostileLink(url: string, random: Random): string {
	if (!random.chance(0.03)) return url;
	return random.pick([
		'javascript:alert(1)',
		`${url}/\u001b]8;;https://evil.invalid\u0007click`,
		'file:///etc/passwd',
		`${url}\u202egpj.exe`,
	]);
}
