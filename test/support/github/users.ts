import { type Handler, refuse } from './answer.ts';
import { userOf } from './serialise.ts';

/** A workflow's token belongs to an app, not a user. */
export const getAuthenticatedUser: Handler = (request, state) => {
	if (state.user.type === 'Bot') return refuse(403, 'Resource not accessible by integration', request.operation.docs);
	return { status: 200, body: userOf(state.user) };
};

/** Only a JSON web token identifies an app, and no workflow has one. */
export const getAuthenticatedApp: Handler = (request) =>
	refuse(401, 'A JSON web token could not be decoded', request.operation.docs);

export const getRateLimit: Handler = (_request, state) => {
	const { limit, remaining, reset } = state.rateLimit;
	const core = { limit, remaining, reset, used: limit - remaining };
	return { status: 200, body: { resources: { core, search: core }, rate: core } };
};
