import {expect, test} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {LiveViews} from '../../../source/service/stream/live-views.ts';
import {ViewHistory} from '../../../source/service/stream/view-history.ts';
import {TinyLog} from '../helpers/tiny-log.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const token = (n: number) => ({row: n, identity: {key: `evm:1|0x${n}`, spelled: `evm:1|0x${n}`}});
const rowsSince = (history: ViewHistory, seq: number) => history.since(seq)?.map(({row}) => row);

test('a view knows what entered it in the last ten minutes, and no further back', () => {
	const history = new ViewHistory(10);
	history.add([token(1)], 11, 0);
	history.add([token(2), token(3)], 14, 300_000);
	history.add([], 20, 600_000);
	expect([9, 10, 11, 14, 99].map(seq => rowsSince(history, seq))).toEqual([undefined, [1, 2, 3], [2, 3], [], []]);
	history.add([], 21, 600_001);
	expect([10, 11].map(seq => rowsSince(history, seq))).toEqual([undefined, [2, 3]]);
});

test('a token that enters again counts from then on', () => {
	const history = new ViewHistory(0);
	history.add([token(1), token(2)], 1, 0);
	history.add([token(1)], 2, 300_000);
	history.add([], 3, 700_000);
	expect([0, 1, 2].map(seq => rowsSince(history, seq))).toEqual([undefined, [1], []]);
});

test('a view that more enters than can be remembered knows less far back', () => {
	const history = new ViewHistory(0);
	for (let n = 1; n <= 1500; n++) history.add([token(n)], n, n);
	expect(history.since(499)).toBeUndefined();
	expect(rowsSince(history, 500)).toHaveLength(1000);
});

test('a pool that has got another row meanwhile, by a reorganisation, is found there', () => {
	for (const assetMode of [true, false]) {
		const log = new TinyLog();
		const market = new TinyMarket({log});
		const [query] = parsePulseBody({assetMode, views: [{name: 'v', limit: 1, excludeDuplicates: false}]}).views;
		const views = new LiveViews(new PulseEngine(market), market.table, {log});
		const view = views.acquire(query!, assetMode ? 'asset' : 'pool');
		const add = (n: number, made: number) =>
			market.add({address: `0x${n}`, pool_address: `pool ${n}`, created_at: made});
		const step = (): void => {
			log.head++;
			views.step(market.takeChanged(), log.head);
		};
		const first = add(1, 1);
		step();
		add(2, 2);
		step();
		expect(view.missedSince(0)).toEqual([first]);
		market.put(first, {address: '0x3', pool_address: 'pool 3', created_at: 0});
		expect(view.missedSince(0)).toEqual([]);
		const again = add(1, 1);
		expect(view.missedSince(0)).toEqual([again]);
	}
});
