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

/** Groups whose members reach each other, each in the order of the alphabet (Tarjan's way). */
function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): readonly (readonly string[])[] {
	const circles: string[][] = [];
	const order = new Map<string, number>();
	const lowest = new Map<string, number>();
	const open: string[] = [];
	const visit = (name: string): number => {
		const own = order.size;
		order.set(name, own);
		lowest.set(name, own);
		open.push(name);
		for (const other of graph.get(name) ?? []) {
			if (!graph.has(other)) continue;
			const reached = order.has(other) ? (open.includes(other) ? order.get(other)! : own) : visit(other);
			lowest.set(name, Math.min(lowest.get(name)!, reached));
		}
		if (lowest.get(name) !== own) return lowest.get(name)!;
		const circle = open.splice(open.indexOf(name));
		if (circle.length > 1) circles.push(circle.toSorted());
		return own;
	};
	for (const name of graph.keys()) if (!order.has(name)) visit(name);
	return circles.toSorted();
}

/** Circles among the folders in a folder, by their names. */
function folderCircles(folder: string): readonly (readonly string[])[] {
	const nameIn = (file: string): string | undefined => {
		const [first, ...rest] = relative(folder, file).split('/');
		return first === '..' || rest.length === 0 ? undefined : first;
	};
	const graph = new Map<string, Set<string>>();
	for (const file of sourceFiles()) {
		const own = nameIn(file);
		if (own === undefined) continue;
		const others = importsOf(file).map(nameIn);
		graph.set(
			own,
			new Set([...(graph.get(own) ?? []), ...others.filter(name => name !== undefined && name !== own)]) as Set<string>,
		);
	}
	return circlesIn(graph);
}

function sourceFiles(): readonly string[] {
	const folder = join(ROOT, 'source');
	const all = readdirSync(folder, {recursive: true, encoding: 'utf8'});
	return all.filter(name => /\.tsx?$/.test(name)).map(name => join(folder, name));
}

test('circles are found, a longer path to the same file is not one', () => {
	const graph = {a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a', 'g'], g: ['a']};
	expect(circlesIn(new Map(Object.entries(graph)))).toEqual([
		['a', 'b', 'c'],
		['d', 'e'],
	]);
});

test('no files import each other in a circle, types included', () => {
	const files = sourceFiles();
	const graph = new Map(files.map(file => [file, importsOf(file)]));
	expect([...graph.values()].flat().length).toBeGreaterThan(2 * files.length);
	expect(circlesIn(graph).map(files => files.map(file => relative(ROOT, file)))).toEqual([]);
});

/** Every folder of the source with folders in it. */
const PARENTS = new Set(
	sourceFiles().flatMap(file => {
		const folders = relative(join(ROOT, 'source'), file).split('/').slice(0, -2);
		return ['.', ...folders.map((_, at) => folders.slice(0, at + 1).join('/'))];
	}),
);

test.each([...PARENTS].toSorted())('the folders in source/%s do not import each other in a circle', folder => {
	expect(folderCircles(join(ROOT, 'source', folder))).toEqual([]);
});
