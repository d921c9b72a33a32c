import {expect, test} from 'vitest';
import {openRun} from '../../../../source/commands/monitor/run.ts';
import type {OpenService} from '../../../../source/commands/service/open-service.ts';
import {loadConfig} from '../../../../source/config/config.ts';
import {loadChoices} from '../../../../source/monitor/choices.ts';
import {savedViewKept, savedViewOf} from '../../../../source/monitor/saved-views/saved-view-transitions.ts';
import {detectCapabilities} from '../../../../source/terminal/capabilities.ts';
import {temporaryDirectory} from '../../../helpers/temporary-directory.ts';

const capabilities = detectCapabilities({env: {}, isTTY: true, platform: 'linux', color: 'never', ascii: false});

test('what was chosen right before the end is there at the next start', async () => {
	const dataDir = temporaryDirectory();
	const readConfig = () => loadConfig({flags: {'data-dir': dataDir}, env: {HOME: dataDir}});
	const service = Promise.reject<OpenService>(new Error('it did not start'));
	service.catch(() => {});
	const size = {columns: 80, rows: 24};
	const config = await readConfig();
	const run = await openRun({config, readConfig, service, capabilities, recording: undefined, size, send: () => {}});
	run.store.apply(state => savedViewKept(state, 1, savedViewOf(state, 'Crowded')));
	run.effects.saveChoices(run.store.get());
	await run.close();
	expect(loadChoices(dataDir).choices.savedViews.get(1)?.name).toBe('Crowded');
});
