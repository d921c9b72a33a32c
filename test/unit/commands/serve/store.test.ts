import {join} from 'node:path';
import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {UsageError} from '../../../../source/commands/line/usage-error.ts';
import {storeAddress} from '../../../../source/commands/serve/store.ts';
import {placeOf} from '../../../../source/service/store/store-address.ts';
import {temporaryDirectory, temporaryFile} from '../../../helpers/temporary-directory.ts';

const read = (store: string | undefined, env: Record<string, string> = {}, passwordFile?: string) =>
	storeAddress({store, passwordFile}, env);

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

test('no store is one of its own', () => {
	expect(read(undefined)).toBeUndefined();
	expect(read(undefined, {PULSETOP_STORE: ''})).toBeUndefined();
});

test('a host elsewhere is verified, this machine needs no TLS, and both can be said', () => {
	const tls = (url: string) => read(url)!.tls;
	expect(tls('postgres://u@db.example.com/d')).toBe('verify');
	expect(tls('postgresql://u@10.0.0.5:6432/d')).toBe('verify');
	expect(tls('postgres://u@localhost/d')).toBe('off');
	expect(tls('postgres://u@127.0.0.1/d')).toBe('off');
	expect(tls('postgres://u@[::1]/d')).toBe('off');
	expect(tls('postgres://u@/d?host=/run/postgresql')).toBe('off');
	expect(tls('postgres://u@%2Frun%2Fpostgresql/d')).toBe('off');
	expect(tls('postgres://u@db.example.com/d?sslmode=disable')).toBe('off');
	expect(tls('postgres://u@db.example.com/d?sslmode=require')).toBe('encrypt');
	expect(tls('postgres://u@localhost/d?sslmode=verify-full')).toBe('verify');
});

test('the authorities are those of the file', () => {
	const url = 'postgres://u@db.example.com/d?sslrootcert=';
	const file = temporaryFile(PEM);
	expect(read(`${url}${file}`)!.ca).toBe(PEM);
	expect(read(`${url}system`)!.ca).toBeUndefined();
	expect(() => read(`${url}${join(temporaryDirectory(), 'missing')}`)).toThrow(/cannot be read/);
	expect(() => read(`${url}${temporaryFile('x')}`)).toThrow(/no certificate/);
	expect(() => read(`${url}${file}&sslmode=require`)).toThrow(/without sslmode=verify-full/);
});

test('the password comes from a file, the environment, or the url of the environment, and is in no url afterwards', () => {
	const url = 'postgres://u@localhost/d';
	const inUrl = {PULSETOP_STORE: 'postgres://u:p%40ss%25@localhost:6000/d?sslmode=disable'};
	expect(read(undefined, inUrl)).toMatchObject({url: 'postgres://u@localhost:6000/d', password: 'p@ss%', tls: 'off'});
	expect(read(undefined, {...inUrl, PULSETOP_STORE_PASSWORD: 'b'})!.password).toBe('b');
	expect(read(url, {PULSETOP_STORE_PASSWORD: 'b'})!.password).toBe('b');
	expect(read(url, {PULSETOP_STORE_PASSWORD: 'b'}, temporaryFile('a b\n'))!.password).toBe('a b');
	expect(read(url)!.password).toBeUndefined();
});

test('places are read as PostgreSQL reads them', () => {
	const place = (url: string) => placeOf(read(url)!.url);
	expect(place('postgres://me@db.example.com')).toEqual({
		user: 'me',
		database: 'me',
		host: 'db.example.com',
		port: 5432,
	});
	expect(place('postgres://a%40b@[::1]:6000/c%20d')).toEqual({user: 'a@b', database: 'c d', host: '::1', port: 6000});
	const path = '/run/postgresql/.s.PGSQL.5432';
	expect(place('postgres://u@/d?host=/run/postgresql')).toMatchObject({path, database: 'd'});
	expect(place('postgres://u@%2Frun%2Fpostgresql/d')).toMatchObject({path, database: 'd'});
});

const SECRET = 'hunter2';
test.each([
	[`postgres://u:${SECRET}@localhost/d`, /has a password in it, which every user/],
	[`postgres://u:${SECRET}@/d?host=/run`, /has a password in it, which every user/],
	[`postgres://u@localhost/d?password=${SECRET}`, /has a password in it, which every user/],
	[`mysql://u:${SECRET}@localhost/d`, /has a password/],
	[`mysql://${SECRET}@localhost/d`, /not as it should be/],
	[`postgres://u:${SECRET}@localhost:99999/d`, /not as it should be/],
	[`postgres://localhost/${SECRET}`, /not as it should be/],
	[`postgres://u@one,two/${SECRET}`, /not as it should be/],
	[`postgres://u@localhost/%zz${SECRET}`, /not as it should be/],
	[SECRET, /not as it should be/],
	[`postgres://u@localhost/d?sslmode=${SECRET}`, /sslmode that can't be used/],
	['postgres://u@localhost/d?sslmode=constructor', /sslmode that can't be used/],
	[`postgres://u@localhost/d?options=${SECRET}`, /setting that is not known/],
])('a store that is not right is refused without being repeated (%#)', (store, why) => {
	try {
		read(store);
		expect.unreachable();
	} catch (error) {
		expect(error).toBeInstanceOf(UsageError);
		expect((error as Error).message).toMatch(why);
		expect(inspect(error, {depth: 9, showHidden: true})).not.toContain(SECRET);
	}
});

test('a file of the password that others can read, that is missing or empty is refused', () => {
	const withFile = (path: string) => () => read('postgres://u@localhost/d', {}, path);
	expect(withFile(temporaryFile(SECRET, 0o640))).toThrow(/--store-password-file can be read by others/);
	expect(withFile(join(temporaryDirectory(), 'none'))).toThrow(/--store-password-file cannot be read/);
	expect(withFile(temporaryFile('\n'))).toThrow(/has no password/);
	expect(() => read(undefined, {}, temporaryFile('x'))).toThrow(/--store-password-file needs --store/);
});

test.each([
	['5', false],
	['6', true],
	['100', true],
	['101', false],
	['9.5', false],
	['', false],
	['1e1', false],
])('connections=%s may be written: %s', (text, isAllowed) => {
	const address = () => read(`postgres://u@localhost/d?connections=${text}`);
	if (isAllowed) expect(address()?.connections).toBe(Number(text));
	else expect(address).toThrow("has a number of connections that can't be used");
});
