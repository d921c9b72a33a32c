import {InvalidResponse, ServiceRefused} from '../client/http/service-errors.ts';

/** Whether the service refused a request with this HTTP status. */
export function isRefused(error: unknown, status: number): boolean {
	return error instanceof ServiceRefused && error.status === status;
}

/** Whether the response does not have the form of the API. */
export function isInvalidResponse(error: unknown): boolean {
	return error instanceof InvalidResponse;
}
