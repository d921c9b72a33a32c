import type {Random} from './random.ts';

export interface Naming {
	readonly symbol: string | null;
	readonly name: string | null;
}

const HEADS =
	'Moon Baby Based Giga Tiny Turbo Sad Happy Cosmic Golden Fat Angry Sleepy Quantum Neon Pixel Holy Mecha Ghost Little Rocket Lazy Mighty Frozen Electric Lucky Dark Royal Wild Salty Spicy Grumpy Chill Hyper Meta Retro Vapor Zen Ultra Degen'.split(
		' ',
	);
const TAILS =
	'Frog Cat Dog Ape Pepper Goat Whale Otter Duck Penguin Bear Bull Toad Hamster Capybara Axolotl Llama Panda Raccoon Squid Shrimp Wizard Goblin Pirate Ninja Robot Agent Coin Token Inu Wojak Chad Bonk Banana Pickle Waffle Taco Burger Noodle Rocket Laser Oracle Protocol Labs Swap Vault'.split(
		' ',
	);
const FAMOUS: readonly Naming[] = [
	{symbol: 'PEPE', name: 'Pepe'},
	{symbol: 'BONK', name: 'Bonk'},
	{symbol: 'WIF', name: 'dogwifhat'},
	{symbol: 'TRUMP', name: 'OFFICIAL TRUMP'},
	{symbol: 'FARTCOIN', name: 'Fartcoin'},
	{symbol: 'POPCAT', name: 'Popcat'},
	{symbol: 'GROK', name: 'Grok'},
	{symbol: 'DOGE', name: 'Dogecoin'},
	{symbol: 'ELON', name: 'Elon Coin'},
	{symbol: 'USDC', name: 'USD Coin'},
	{symbol: 'SOL', name: 'Solana'},
	{symbol: 'BRETT', name: 'Brett'},
];
const FOREIGN: readonly Naming[] = [
	{symbol: '币安人生', name: '币安人生'},
	{symbol: '修仙', name: '修仙 我命由我不由天'},
	{symbol: '柴犬', name: '柴犬コイン'},
	{symbol: '김치', name: '김치 프리미엄'},
	{symbol: 'ЩИТ', name: 'ЩИТКОИН'},
	{symbol: 'ΜΟΝ', name: 'ΜΟΝΑΔΑ'},
	{symbol: 'سعود', name: 'عملة الصقر'},
	{symbol: 'מטבע', name: 'מטבע הירח'},
	{symbol: 'ไก่', name: 'ไก่ทองคำ'},
	{symbol: 'नमस्ते', name: 'नमस्ते कॉइन'},
	{symbol: '🐸', name: 'just 🐸'},
	{symbol: '👨‍👩‍👧‍👦', name: 'Family 👨‍👩‍👧‍👦'},
	{symbol: '🏴‍☠️GOLD', name: 'Pirate Gold 🏴‍☠️'},
	{symbol: '🇯🇵🇺🇸', name: 'Flags 🇯🇵🇺🇸🏳️‍🌈'},
	{symbol: '1️⃣', name: 'Keycap 1️⃣👍🏽'},
	{symbol: 'ﷺ', name: 'Wide ﷽ Ligature'},
];
/** Names that attack a terminal, a table, JSON, or the reader's eye. */
const HOSTILE: readonly Naming[] = [
	{symbol: '\u001b[31mRED\u001b[0m', name: '\u001b[2J\u001b[HOwned by Escape'},
	{symbol: 'TITLE', name: '\u001b]0;pwned\u0007Title Setter'},
	{symbol: 'OSC52', name: '\u001b]52;c;cm0gLXJmIC8=\u0007Clipboard'},
	{symbol: 'SAFE\rFAKE', name: 'Line one\r\nLine two\u0008\u0008\u0008three'},
	{symbol: 'BS\u0008\u0008\u0008OK', name: 'Back\u0008\u0008\u0008\u0008Space'},
	{symbol: '\u009b31mC1', name: '\u009b2JEight bit CSI\u0085'},
	{symbol: 'U\u202eCDS', name: '\u202egnp.elif \u2066bidi\u2069 \u202d'},
	{symbol: 'US\u200bDC', name: 'USD\u200b \u200dCoin\ufeff'},
	{
		symbol: 'Z\u0335\u0321\u031b\u0300\u0301A\u0338\u0327\u030aL\u0336GO\u0489',
		name: 'Z\u0335\u0321\u031b\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308a\u0338\u0327\u030al\u0336g\u0489o',
	},
	{symbol: '\u3164', name: '\u3164\u3164\u3164'},
	{symbol: '   ', name: '\t\ttabs\tand   spaces\u00a0\u2003'},
	{symbol: '', name: ''},
	{symbol: null, name: null},
	{symbol: null, name: 'No Symbol At All'},
	{symbol: 'LOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOONG', name: `${'Very '.repeat(60)}Long`},
	{symbol: '"},{"', name: '"; DROP TABLE tokens; -- \\u0000 </script><img src=x onerror=alert(1)>'},
	{symbol: '__proto__', name: 'constructor.prototype'},
	{symbol: '\u0000NUL', name: 'NUL \u0000 byte'},
	{symbol: '\u{e0041}\u{e0042}TAG', name: 'Invisible \u{e0068}\u{e0069} tags'},
	{symbol: '%s%n', name: '{{7*7}} $' + '{jndi:x} %d'},
];
/** Letters of other alphabets that look like Latin ones. */
const LOOK_ALIKE: Readonly<Record<string, string>> = {
	A: 'А',
	B: 'В',
	C: 'С',
	E: 'Е',
	H: 'Н',
	K: 'К',
	M: 'М',
	O: 'О',
	P: 'Р',
	T: 'Т',
	X: 'Х',
	a: 'а',
	c: 'с',
	e: 'е',
	o: 'о',
	p: 'р',
	i: 'і',
	n: 'ո',
};

const LINES = [
	'The first community coin of its kind. No team, no tax, only vibes.',
	'Liquidity burnt, contract renounced. Read the chart.',
	'An autonomous agent that trades so that you need not.',
	'CTO in progress. Join the group.',
	'To the moon and back, twice.',
	'Made in one minute. Held for ever.',
	'官方社区，公平发射。',
	'Not affiliated with anybody. Obviously.',
	'Line one\nLine two\n\u001b[5mblinking line three\u001b[0m',
	'1% of the supply is for the animal shelter. Proof in the thread.',
];

/** Symbol and name of a token. Most are silly, some copy a famous one, a few are attacks. */
export function naming(random: Random): Naming {
	const luck = random.unit();
	if (luck < 0.025) return random.pick(HOSTILE);
	if (luck < 0.055) return random.pick(FOREIGN);
	if (luck < 0.11) return random.pick(FAMOUS);
	if (luck < 0.125) return lookAlike(random.pick(FAMOUS), random);
	const head = random.pick(HEADS);
	const tail = random.pick(TAILS);
	const name = random.chance(0.3) ? tail : `${head} ${tail}`;
	const symbol = random.chance(0.5)
		? tail.toUpperCase()
		: (head.slice(0, 1 + random.index(4)) + tail.slice(0, 3 + random.index(3))).toUpperCase();
	return {symbol: random.chance(0.1) ? `$${symbol}` : symbol, name};
}

/** A description; null for about half of the tokens. */
export function describing(random: Random): string | null {
	return random.chance(0.5) ? random.pick(LINES) : null;
}

/** A handle made from a name, or one that many tokens share. */
export function handleFor(name: string | null, random: Random): string {
	if (random.chance(0.18)) return random.pick(SHARED_HANDLES);
	const letters = (name ?? '').replace(/[^A-Za-z0-9]/g, '').toLowerCase() || 'token';
	return `${letters.slice(0, 12)}${random.index(10_000)}`;
}

const SHARED_HANDLES = [
	'elonmusk',
	'pumpdotfun',
	'realDonaldTrump',
	'base',
	'cz_binance',
	'a1lon9',
	'VitalikButerin',
	'blknoiz06',
	'aeyakovenko',
	'toly',
	'jessepollak',
	'grok',
];

function lookAlike({symbol, name}: Naming, random: Random): Naming {
	const swap = (text: string | null): string | null =>
		text && Array.from(text, letter => (random.chance(0.5) ? (LOOK_ALIKE[letter] ?? letter) : letter)).join('');
	return {symbol: swap(symbol), name: swap(name)};
}
