import { randomUUID } from 'node:crypto';
import {
	Body,
	Controller,
	Get as GetAny,
	Header,
	HttpCode,
	Param,
	Post as PostAny,
	Query,
	Req,
	Res,
	UseGuards,
	UseInterceptors,
	ValidationPipe,
} from '@nestjs/common';
import { isAskedHere } from '../shared/asked-routes.mjs';
import { cachedUser, createdUser, nestedDocument } from '../shared/fixtures.mjs';
import {
	compute,
	describeUser,
	GREETING,
	hasLogged,
	ROUTE_COUNTS,
	responseTime,
	routeAnswer,
	routesOf,
	WORK_SIZES,
	waitFor,
} from '../shared/workload.mjs';
import { decorateClass, decorateMethod } from './decorate.mjs';
import { BookingDto, NameDto, ProfileDto, UserDto } from './dtos.mjs';
import {
	allowed,
	authenticated,
	fiveLayers,
	longChain,
	marks,
	timed,
	withCredentials,
	withRenewedSession,
	withRequestId,
	withSession,
} from './layers.mjs';
import { sendCached } from './platform.mjs';

/** The decorator of a route; does nothing for a route outside of this run's paths, which is then no route. */
const ifRequested = (method) => (path) => (isAskedHere(`/${path ?? ''}`) ? method(path) : () => {});
const Get = ifRequested(GetAny);
const Post = ifRequested(PostAny);

export class AppController {
	ping() {
		return { ok: true };
	}
	json() {
		return { message: 'Hello, World!' };
	}
	nested() {
		return nestedDocument();
	}
	item(id) {
		return { id };
	}
	user(id, query) {
		return { id, query };
	}
	authUser(id) {
		return { id };
	}
	createUser(user) {
		return createdUser(user);
	}
	createCheckedUser(user) {
		return createdUser(user);
	}
	createStackUser(user) {
		return createdUser(user);
	}
	createLimitedUser(user) {
		return createdUser(user);
	}
	echo({ name }) {
		return { echo: name };
	}
	validate() {
		return { valid: true };
	}
	validateFormats() {
		return { valid: true };
	}
	withSession() {
		return { ok: true };
	}
	withLayers() {
		return { message: 'Hello, World!' };
	}
	cachedUser(id, request, response) {
		return sendCached(request, response, cachedUser(id));
	}
	greeting() {
		return GREETING;
	}
	icon() {}
	describeUser(id) {
		return describeUser(id);
	}
	chained() {
		return { message: 'Middleware chain complete', authenticated: true };
	}
	chain(request, response) {
		const startedAt = performance.now();
		const requestId = randomUUID();
		response.header('X-Bench-Request-Id', requestId);
		request.credentials = request.headers.authorization;
		response.header('X-Response-Time', responseTime(startedAt));
		return { message: 'Chain complete', requestId, authenticated: true };
	}
	echoInSession({ name }) {
		return { echo: name };
	}
	serialise() {
		return nestedDocument();
	}
	unguarded() {
		return { passed: 0 };
	}
	guarded({ passed }) {
		return { passed };
	}
	logging() {
		return { ok: true };
	}
	logged() {
		return { logged: hasLogged('/logging') };
	}
}

const id = [Param('id'), String];
const request = [Req()];
const response = [Res({ passthrough: true })];
/** The body, validated against its class. */
const body = (type, options) => [Body(new ValidationPipe({ errorHttpStatusCode: 422, ...options })), type];
const closed = { whitelist: true, forbidNonWhitelisted: true };

decorateClass(AppController, Controller());
const route = (name, decorators, parameters) => decorateMethod(AppController, name, decorators, parameters);
route('ping', [Get('ping')]);
route('json', [Get('json')]);
route('nested', [Get('json/nested')]);
route('item', [Get('items/:id')], [id]);
route('user', [Get('users/:id')], [id, [Query()]]);
route('authUser', [Get('auth/users/:id'), UseGuards(authenticated)], [id]);
route('createUser', [Post('users')], [[Body()]]);
route('createCheckedUser', [Post('auth/users')], [body(UserDto)]);
route('createStackUser', [Post('stack/auth/users')], [body(UserDto)]);
route('createLimitedUser', [Post('rate-limited/users')], [body(UserDto)]);
route('echo', [Post('schema'), HttpCode(200)], [body(NameDto)]);
route('validate', [Post('validate'), HttpCode(200)], [body(ProfileDto, closed)]);
route('validateFormats', [Post('validate-formats'), HttpCode(200)], [body(BookingDto, closed)]);
route('withSession', [Get('middleware'), UseGuards(withSession)]);
route('withLayers', [Get('middleware-5'), UseGuards(...fiveLayers)]);
route('cachedUser', [Get('cached/users/:id')], [id, request, [Res()]]);
route('greeting', [Get(), Header('Content-Type', 'text/plain')]);
route('icon', [Get('favicon.ico'), HttpCode(204)]);
route('describeUser', [Get('user/:id'), Header('Content-Type', 'text/plain'), UseGuards(...marks)], [id]);
route('chained', [Get('middleware-chain'), UseGuards(withRequestId, withCredentials), UseInterceptors(timed)]);
route('chain', [Get('chain')], [request, response]);
const session = UseGuards(withSession, withRenewedSession, allowed);
route('echoInSession', [Post('full'), HttpCode(200), session], [body(NameDto)]);
route('serialise', [Get('serialise')]);
route('unguarded', [Get('middleware-0')]);
route('guarded', [Get('middleware-20'), UseGuards(...longChain)], [request]);
route('logging', [Get('logging')]);
route('logged', [Get('logged')]);

/** A controller with a method for each of `methods`: path, parameters and function. */
function makeController(methods) {
	class Made {}
	for (const [at, { path, parameters, act }] of methods.entries()) {
		Made.prototype[`route${at}`] = (...values) => act(...values);
		decorateMethod(Made, `route${at}`, [GetAny(path)], parameters);
	}
	return decorateClass(Made, Controller());
}

export const WorkController = makeController(
	WORK_SIZES.flatMap((size) => [
		{ path: `cpu/${size}`, act: () => compute(size) },
		{ path: `wait/${size}`, act: () => waitFor(size) },
	]).filter(({ path }) => isAskedHere(`/${path}`)),
);

/** All routes of a size, if one of them is in this run's paths: the router must find that one among the others. */
export const ManyRoutesController = makeController(
	ROUTE_COUNTS.filter((count) => isAskedHere(`/routes-${count}`, true))
		.flatMap(routesOf)
		.map(({ number, prefix }) => ({
			path: `${prefix}:id`,
			parameters: [id],
			act: (value) => routeAnswer(number, value),
		})),
);
