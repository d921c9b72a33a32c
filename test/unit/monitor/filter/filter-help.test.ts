import {describe, expect, test} from 'vitest';
import {completeFilterLine} from '../../../../source/monitor/filter/complete.ts';
import {parseFilterLine} from '../../../../source/monitor/filter/filter-line.ts';
import {readAge, readDate, readNumber} from '../../../../source/monitor/filter/values.ts';

describe('completions', () => {
	const poolTypes = ['pumpfun', 'boop', 'basememe'];
	const offered = (text: string, cursor = text.length) =>
		completeFilterLine(text, cursor, {poolTypes}).map(c => text.slice(0, c.start) + c.text + text.slice(c.end));

	test('offer everyday fields first on an empty line, and in a new clause', () => {
		expect(offered('').slice(0, 3)).toEqual(['age', 'mcap', 'liq']);
		expect(offered('mcap>5 ho')[0]).toBe('mcap>5 holders');
		expect(offered('(bonded | -liv')[0]).toBe('(bonded | -live');
	});

	test('offer operators and windows for a finished field', () => {
		expect(offered('mcap')).toEqual(expect.arrayContaining(['mcap>', 'mcap<=']));
		expect(offered('vol')).toEqual(expect.arrayContaining(['vol>', 'vol5m']));
		expect(offered('-kw')).toEqual(['-kw:']);
	});

	test('offer the values that the service knows, also behind a comma', () => {
		expect(offered('chain:so').slice(0, 1)).toEqual(['chain:solana']);
		expect(offered('type:pumpfun,b')).toEqual(['type:pumpfun,boop', 'type:pumpfun,basememe']);
		expect(offered('has:tw')[0]).toBe('has:twitter');
		expect(offered('bonded:')).toEqual(['bonded:true', 'bonded:false']);
	});

	test('offer units for a number', () => {
		expect(offered('age<10')).toEqual(['age<10s', 'age<10m', 'age<10h', 'age<10d']);
		expect(offered('mcap>5')).toContain('mcap>5k');
		expect(offered('dev<5')).toEqual(['dev<5%']);
	});

	test('replace the whole word when the cursor stands inside it, and offer nothing inside quotes', () => {
		expect(offered('holdrs>5', 2)[0]).toBe('holders>5');
		expect(offered('sym:"do')).toEqual([]);
	});

	test('every field that is offered first can be typed on into a clause that is accepted', () => {
		for (const completion of completeFilterLine('', 0, {limit: 1000})) {
			expect(parseFilterLine(`has:${completion.text} | ${completion.text}`).clauses.length).toBeLessThanOrEqual(2);
			const example = completeFilterLine(completion.text, completion.text.length)[0];
			const text = example?.kind === 'operator' ? /such as (\S+)/.exec(example.help)?.[1] : completion.text;
			expect(parseFilterLine(text ?? ''), text).toMatchObject({ok: true});
		}
	});
});

test('every operator that is offered for a field makes a clause that is accepted', () => {
	for (const field of completeFilterLine('', 0, {limit: 1000})) {
		const offered = completeFilterLine(field.text, field.text.length, {limit: 1000});
		const operators = offered.filter(({kind}) => kind === 'operator');
		const [, value] = /such as \S*?[<>=!~:]+(\S+)$/.exec(operators[0]?.help ?? '') ?? [];
		for (const {text} of operators)
			expect(parseFilterLine(`${field.text}${text}${value}`), `${field.text}${text}${value}`).toMatchObject({ok: true});
	}
	const operatorsOf = (word: string) =>
		completeFilterLine(word, word.length, {limit: 1000}).flatMap(({kind, text}) => (kind === 'operator' ? [text] : []));
	expect(operatorsOf('chain')).toEqual([':', '~', '!=']);
	expect(operatorsOf('type')).toEqual([':', '~', '!=']);
	expect(operatorsOf('sym')).toEqual([':', '~', '!=']);
	expect(operatorsOf('mcap')).toEqual(['>', '<', '>=', '<=', ':']);
	expect(operatorsOf('kw')).toEqual([':']);
	expect(operatorsOf('has')).toEqual([':']);
	expect(operatorsOf('bonded')).toEqual([]);
});

test('units are offered for what has them', () => {
	const units = (text: string) => completeFilterLine(text, text.length).map(one => one.text.slice(-1));
	for (const amount of ['mcap>5', 'txns1h>5', 'holders>5']) expect(units(amount)).toEqual(['k', 'm', 'b']);
	expect(units('chg>5')).toEqual(['%']);
	expect(units('mcap>')).toEqual([]);
	expect(units('sym:5')).toEqual([]);
});

describe('typed values', () => {
	test('are read exactly, whatever their suffix', () => {
		expect(readNumber('1.005k', 'usd')).toEqual({ok: true, value: 1005});
		expect(readNumber('-20%', 'percent')).toEqual({ok: true, value: -20});
		expect(readNumber('1_000_000', 'integer')).toEqual({ok: true, value: 1e6});
		expect(readNumber('1e999', 'usd')).toMatchObject({ok: false});
		expect(readAge('1h30m')).toEqual({ok: true, value: 5400});
		expect(readAge('1.5d')).toEqual({ok: true, value: 129_600});
	});

	test('a day is all of its 24 hours in UTC', () => {
		expect(readDate('2026-01-31')).toEqual({
			ok: true,
			value: {fromMs: Date.UTC(2026, 0, 31), untilMs: Date.UTC(2026, 1, 1)},
		});
		expect(readDate('2026-01-31T02:00+02:00')).toEqual({ok: true, value: {fromMs: Date.UTC(2026, 0, 31)}});
	});
});
