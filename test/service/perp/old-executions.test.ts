import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {createChainSet} from '../../../source/service/chain/chain-set.ts';
import {createPerp} from '../../../source/service/perp/perp.ts';
import type {Database} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

let server: PostgresServer | undefined;

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres();
});
afterAll(() => server?.close());

describe.each(['PostgreSQL', 'SQLite'])('executions in %s', engine => {
	test.skipIf(engine === 'PostgreSQL' && postgresBinaries === undefined)(
		'that ended are unknown after seven days; one that runs is kept however long it takes',
		async () => {
			const isShared = engine === 'PostgreSQL';
			const database: Database = isShared ? await openPostgres(server!.address) : openSqlite(undefined);
			const chains = createChainSet({chainIds: []});
			onTestFinished(async () => {
				await chains.close();
				await database.close();
			});
			const weekAgo = `${database.dialect.nowMs} - 7 * 24 * 3600000`;
			const add = (processId: string, status: string, createdAt: string) =>
				database.run(
					`INSERT INTO perp_processes (processId, action, wallet, chainId, instance, status, raw, createdAtMs)
					VALUES (?, 'deposit', '0x01', 42161, '0x02', ?, '0x03', ${createdAt})`,
					[processId, status],
				);
			await add('settled long ago', 'settled', `${weekAgo} - 1000`);
			await add('failed long ago', 'failed', `${weekAgo} - 1000`);
			await add('running', 'pending', `${weekAgo} - 1000`);
			await add('settled', 'settled', `${weekAgo} + 3600000`);
			const perp = await createPerp({chains, database, isShared});
			const left = async () =>
				(await database.all('SELECT processId AS id FROM perp_processes ORDER BY id')).map(({id}) => id);
			await expect.poll(left).toEqual(['running', 'settled']);
			expect(await perp.process('settled long ago')).toBeUndefined();
			expect(await perp.process('running')).toMatchObject({status: 'pending'});
			await perp.close();
		},
	);
});
