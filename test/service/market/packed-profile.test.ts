import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Profile} from '../../../source/service/market/events.ts';
import {packProfile, unpackProfile} from '../../../source/service/market/packed-profile.ts';

/** Any code point, halves of pairs among them, and what has a meaning in JSON, in a packed listing or on a terminal. */
const TEXT = fc.oneof(
	fc.string({unit: 'binary', maxLength: 40}),
	fc.string({unit: 'grapheme', maxLength: 40}),
	fc.constantFrom(
		'',
		'\0',
		'\n',
		'\ud83d',
		'\udc00\ud83d',
		'🚀👨‍👩‍👧‍👦',
		'"\\',
		'\u2028\u202e',
		'\u001b[2J',
		'__proto__',
	),
);
const MAYBE = fc.option(TEXT);
const FLAG = fc.option(fc.boolean());
const TIME_MS = fc.nat(4e12);
const PROFILE: fc.Arbitrary<Profile> = fc.record(
	{
		description: MAYBE,
		logo: MAYBE,
		uri: MAYBE,
		twitter: MAYBE,
		website: MAYBE,
		telegram: MAYBE,
		otherSocials: fc.option(fc.record({showName: fc.boolean(), createdOn: TEXT})),
		twitterRenames: fc.array(fc.record({username: TEXT, lastCheckedMs: TIME_MS})),
		tokenType: fc.option(fc.constantFrom('2020' as const, '2022' as const)),
		screener: fc.option(
			fc.record({
				listed: fc.boolean(),
				header: MAYBE,
				adPaid: fc.boolean(),
				boosted: fc.nat(),
				description: MAYBE,
				isCto: fc.boolean(),
				timeMs: TIME_MS,
			}),
		),
		live: fc.option(
			fc.record({
				status: fc.constantFrom('live' as const, 'live_end' as const),
				thumbnail: MAYBE,
				title: MAYBE,
				replies: fc.nat(),
			}),
		),
		security: fc.option(fc.dictionary(TEXT, fc.oneof(MAYBE, fc.boolean(), fc.nat()), {noNullPrototype: true})),
		securityScore: fc.option(fc.nat(100)),
		isSpam: FLAG,
		launchFlags: fc.option(fc.record({mayhem: FLAG, cashback: FLAG, agent: FLAG, og: FLAG})),
	},
	{requiredKeys: []},
);

test('a profile is unpacked as it was packed, whatever its texts and whatever is known', () => {
	fc.assert(
		fc.property(PROFILE, fc.uint8Array({maxLength: 300}), (profile, known) => {
			expect(unpackProfile(packProfile(profile, Buffer.from(known)), Buffer.from(known))).toEqual(profile);
		}),
	);
});

test('texts far longer than what zlib looks back over are unpacked as they were packed', () => {
	const known = Buffer.from('known '.repeat(20_000));
	for (const unit of ['a', '🚀', '\ud83d', '\0']) {
		const profile = {description: unit.repeat(100_000), website: `https://${unit.repeat(5000)}.example`};
		expect(unpackProfile(packProfile(profile, known), known)).toEqual(profile);
	}
	const [noise] = fc.sample(fc.string({unit: 'binary', minLength: 100_000, maxLength: 100_000, size: 'max'}), {
		numRuns: 1,
		seed: 1,
	});
	expect(unpackProfile(packProfile({description: noise!}, known), known)).toEqual({description: noise});
});

test('a profile takes little more than what it alone says', () => {
	const address = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
	const known = Buffer.from(JSON.stringify([address, 'FROG', 'Based Frog']));
	const said = 'Nobody knew what to do with the pond.';
	const profile: Profile = {
		description: said,
		logo: `https://images.example/${address}.webp`,
		uri: null,
		twitter: 'https://x.com/FROG',
		website: null,
		telegram: 'https://t.me/FROG',
		tokenType: '2022',
		security: {isMintable: false, isHoneypot: false, noMintAuthority: true, isBlacklisted: false},
		securityScore: 87,
		isSpam: false,
		launchFlags: {mayhem: false, cashback: true, agent: false, og: false},
	};
	expect(packProfile(profile, known).length).toBeLessThan(said.length + 'images.example'.length + 60);
	expect(packProfile({}, known).length).toBeLessThan(8);
});
