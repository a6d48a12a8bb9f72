import { STATUS_CODES } from 'node:http';
import { Catch, Module, RequestMethod } from '@nestjs/common';
import { isAskedHere } from '../shared/asked-routes.mjs';
import { AppController, ManyRoutesController, WorkController } from './controllers.mjs';
import { decorateClass } from './decorate.mjs';
import { authenticate, limitRate, logRequests, stack } from './layers.mjs';
import { createApp, parsers } from './platform.mjs';

const post = (path) => ({ path, method: RequestMethod.POST });

class AppModule {
	configure(consumer) {
		const use = (route, ...middleware) =>
			middleware.length > 0 && isAskedHere(`/${route.path}`) && consumer.apply(...middleware).forRoutes(route);
		for (const path of ['users', 'schema', 'validate', 'validate-formats', 'full']) use(post(path), ...parsers);
		use(post('auth/users'), authenticate, ...parsers);
		use(post('stack/auth/users'), ...stack, ...parsers);
		use(post('rate-limited/users'), limitRate, authenticate, ...parsers);
		use({ path: 'logging', method: RequestMethod.GET }, logRequests);
	}
}
decorateClass(AppModule, Module({ controllers: [AppController, WorkController, ManyRoutesController] }));

class AnswerErrors {
	constructor(adapter) {
		this.adapter = adapter;
	}
	catch(error, host) {
		const status = error.getStatus?.() ?? error.status ?? error.statusCode ?? 500;
		if (status >= 500) console.error(error);
		this.adapter.reply(host.switchToHttp().getResponse(), { error: STATUS_CODES[status] }, status);
	}
}
decorateClass(AnswerErrors, Catch());

const app = await createApp(AppModule);
app.useGlobalFilters(new AnswerErrors(app.getHttpAdapter()));
await app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

process.once('SIGTERM', () => {
	const server = app.getHttpServer();
	server.close(() => process.exit(0));
	server.closeAllConnections();
});
