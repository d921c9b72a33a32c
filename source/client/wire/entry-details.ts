import {type Entry, type EntryDetails, HOLDER_FIGURES, type Holder, type SecurityFlags} from '../../contract/entry.ts';
import {SECURITY_FLAGS} from '../../contract/security-flags.ts';
import {defined} from '../../defined.ts';
import type {Draft} from './entry-shape.ts';
import {
	isObject,
	toBoolean,
	toIdentifier,
	toNumber,
	toProfileUrl,
	toText,
	toUrl,
	type WireObject,
} from './wire-value.ts';

/* The parts of an entry that are objects or lists. Each reader returns undefined for a part that the wire does not have. */

const MAX_HOLDERS = 100;
const MAX_TAGS = 20;
const MAX_RENAMES = 50;
const MAX_OTHER_SOCIALS = 20;

/** Writes every detail of the wire object into the entry; details that the entry has stay. */
export function readDetails(wire: WireObject, entry: Draft<Entry>): void {
	if (entry.exchange === undefined && isObject(wire['exchange']))
		assign(entry, 'exchange', readExchange(wire['exchange']));
	if (entry.security === undefined && isObject(wire['security']))
		assign(entry, 'security', readSecurity(wire['security']));
	if (isObject(wire['socials'])) readSocials(wire['socials'], entry);
	if (wire['priceIsAverage'] === true) entry.priceIsAverage = true;
	const renames = wire['twitterRenameHistory'];
	if (entry.twitterRenames === undefined && Array.isArray(renames)) entry.twitterRenames = readRenames(renames);
	const holders = wire['holders_list'];
	if (entry.holders === undefined && Array.isArray(holders)) entry.holders = readHolders(holders);
}

function assign<Key extends keyof EntryDetails>(entry: Draft<Entry>, key: Key, value: Entry[Key] | undefined): void {
	if (value !== undefined) (entry as Draft<EntryDetails>)[key] = value as EntryDetails[Key];
}

function readExchange(wire: WireObject): EntryDetails['exchange'] {
	const name = toText(wire['name'], 64);
	const logo = toUrl(wire['logo']);
	if (name === undefined && logo === undefined) return undefined;
	return {...(name === undefined ? {} : {name}), ...(logo === undefined ? {} : {logo})};
}

function readSocials(wire: WireObject, entry: Draft<Entry>): void {
	const twitter = toProfileUrl(wire['twitter'], 'x.com');
	const telegram = toProfileUrl(wire['telegram'], 't.me');
	const website = toUrl(wire['website']);
	if (entry.twitter === undefined && twitter !== undefined) entry.twitter = twitter;
	if (entry.telegram === undefined && telegram !== undefined) entry.telegram = telegram;
	if (entry.website === undefined && website !== undefined) entry.website = website;
	if (entry.otherSocials !== undefined || !isObject(wire['others'])) return;
	const others: [string, string][] = [];
	for (const [name, value] of Object.entries(wire['others'])) {
		if (typeof value !== 'string' || others.length >= MAX_OTHER_SOCIALS) continue;
		const [cleanName, text] = [toText(name, 40), toText(value, 200)];
		if (cleanName !== undefined && text !== undefined) others.push([cleanName, text]);
	}
	if (others.length > 0) entry.otherSocials = Object.fromEntries(others);
}

function readSecurity(wire: WireObject): SecurityFlags {
	const flags: Record<string, string | number | boolean> = {};
	for (const {name, kind} of SECURITY_FLAGS) {
		const value = wire[name];
		if (value === undefined || value === null) continue;
		const read = kind === 'boolean' ? toBoolean(value) : kind === 'number' ? toNumber(value) : toText(value, 40);
		if (read !== undefined) flags[name] = read;
	}
	return flags;
}

function readRenames(wire: readonly unknown[]): {username: string; lastChecked: string}[] {
	const renames: {username: string; lastChecked: string}[] = [];
	for (const item of wire.slice(0, MAX_RENAMES)) {
		const username = isObject(item) ? toText(item['username'], 64) : undefined;
		if (!isObject(item) || username === undefined) continue;
		renames.push({username, lastChecked: toText(item['last_checked'], 40) ?? ''});
	}
	return renames;
}

function readHolders(wire: readonly unknown[]): Holder[] {
	const holders: Holder[] = [];
	for (const item of wire.slice(0, MAX_HOLDERS)) {
		const address = isObject(item) ? toIdentifier(item['address']) : undefined;
		if (!isObject(item) || address === undefined) continue;
		const figures = Object.fromEntries(HOLDER_FIGURES.map(name => [name, toNumber(item[name])]));
		const tags = Array.isArray(item['tags']) ? item['tags'].slice(0, MAX_TAGS) : [];
		holders.push({
			address,
			...defined(figures),
			tags: tags.map(tag => toText(tag, 40)).filter(tag => tag !== undefined),
		});
	}
	return holders;
}
