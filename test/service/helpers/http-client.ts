import {expect} from 'vitest';
import type {RunningService} from '../../../source/service/service-options.ts';

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The body as JSON; undefined when it is something else. */
	// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are what is being tested
	readonly json: any;
}

/** Sends requests to a running service with its first key. */
export async function ask(
	service: RunningService,
	method: string,
	path: string,
	{body, headers = {}, key = service.apiKeys[0]}: {body?: unknown; headers?: Record<string, string>; key?: string} = {},
): Promise<Answer> {
	const response = await fetch(service.url + path, {
		method,
		headers: {
			...(key === undefined ? {} : {authorization: key}),
			...(body === undefined ? {} : {'content-type': 'application/json'}),
			...headers,
		},
		...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
	});
	const text = await response.text();
	return {status: response.status, headers: response.headers, text, json: jsonOf(text)};
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Asserts the settled form of an error (contract gaps 9). @param reason beside a message that the spec fixes */
export function expectError(
	answer: Answer,
	statusCode: number,
	message: string | RegExp,
	reason?: string | RegExp,
): void {
	const like = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text));
	const {field, ...body} = answer.json;
	expect(body).toEqual({
		statusCode,
		message: like(message),
		error: expect.any(String),
		...(reason !== undefined && {reason: like(reason)}),
	});
	expect(['undefined', 'string']).toContain(typeof field);
	expect(answer.status).toBe(statusCode);
}
