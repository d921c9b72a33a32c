import {expect} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import type {Call} from '../../source/client/http/call.ts';
import type {EndpointId} from '../../source/contract/endpoints.ts';
import {openTestMonitor, type TestMonitor} from '../helpers/monitor-app.tsx';

/** The responses of a service, by endpoint; a handler that throws is a failure. */
export type Answers = Partial<Record<EndpointId, (input: never) => unknown>>;

/** A monitor whose service is a table of responses, with the requests it got. */
export function openScreens(
	answers: Answers,
	{labels, ...options}: Parameters<typeof openTestMonitor>[0] & Partial<Pick<Client, 'labels'>> = {},
): {readonly monitor: TestMonitor; readonly asked: {readonly id: EndpointId; readonly input: unknown}[]} {
	const asked: {id: EndpointId; input: unknown}[] = [];
	const call: Call = async (id, input) => {
		asked.push({id, input});
		const response = answers[id];
		if (!response) throw new Error(`${id} was not expected`);
		return response(input as never) as never;
	};
	const client = {call, labels} as unknown as Client;
	return {monitor: openTestMonitor({client, ...options}), asked};
}

/** Waits until the screen shows it. */
export async function shows(monitor: TestMonitor, what: RegExp | string): Promise<string> {
	await expect.poll(() => monitor.frame(), {interval: 10}).toMatch(what);
	return monitor.frame();
}
