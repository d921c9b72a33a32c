import {readdirSync, readFileSync} from 'node:fs';
import {join, relative, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {ROOT} from '../../../source/tools/bundle.ts';

/* Biome finds circles of imports with values; a circle of types ties files together all the same. */

/** The files that a file imports, types included, but not what it loads later. */
function importsOf(file: string): readonly string[] {
	const text = readFileSync(file, 'utf8');
	return Array.from(text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'(\.[^']+)';/gm), match =>
		resolve(file, '..', match[1]!),
	);
}

/** The first circle that is found among files, each with what it imports. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
	const done = new Set<string>();
	const path: string[] = [];
	const visit = (file: string): readonly string[] | undefined => {
		const at = path.indexOf(file);
		if (at >= 0) return path.slice(at);
		if (done.has(file)) return undefined;
		path.push(file);
		for (const imported of graph.get(file) ?? []) {
			const circle = visit(imported);
			if (circle) return circle;
		}
		path.pop();
		done.add(file);
		return undefined;
	};
	for (const file of graph.keys()) {
		const circle = visit(file);
		if (circle) return circle;
	}
	return undefined;
}

function filesIn(room: string): readonly string[] {
	const all = readdirSync(join(ROOT, 'source', room), {recursive: true, encoding: 'utf8'});
	return all.filter(name => /\.tsx?$/.test(name)).map(name => join(ROOT, 'source', room, name));
}

test('a circle of three files is found, a longer path to the same file is not a circle', () => {
	expect(
		circleIn(
			new Map([
				['a', ['b']],
				['b', ['c']],
				['c', ['a']],
			]),
		),
	).toEqual(['a', 'b', 'c']);
	expect(
		circleIn(
			new Map([
				['a', ['b', 'c']],
				['b', ['c']],
			]),
		),
	).toBeUndefined();
});

test('no files of the monitor and the screen import each other in a circle, types included', () => {
	const files = [...filesIn('monitor'), ...filesIn('ui')];
	const graph = new Map(files.map(file => [file, importsOf(file)]));
	expect([...graph.values()].flat().length).toBeGreaterThan(files.length);
	expect(circleIn(graph)?.map(file => relative(ROOT, file))).toBeUndefined();
});
