/** Listens with an app of uWebSockets.js, and ends on SIGTERM. `uWS` is the server's own package. */
export function listen(uWS, app) {
	const port = Number(process.env.PORT ?? 3000);
	app.listen(process.env.HOST ?? '127.0.0.1', port, (listening) => {
		if (!listening) throw new Error(`listen EADDRINUSE: address already in use: port ${port}`);
		process.once('SIGTERM', () => {
			uWS.us_listen_socket_close(listening);
			process.exit(0);
		});
	});
}
