/** Routes for browsers, with the packages that frameworks use. Loaded at the first such request. */
import busboy from 'busboy';
import * as cookie from 'cookie';
import qs from 'qs';
import send from 'send';
import { CROSS_ORIGIN, newPlace, PUBLIC, UPLOAD_LIMIT, uploaded, VISITOR_COOKIE, visitOf } from '../shared/browser.mjs';
import { createdUser } from '../shared/fixtures.mjs';
import { HttpError } from '../shared/without-framework.mjs';

// Version 2 has only the longer names, and version 0 only the shorter ones.
const parseCookies = cookie.parseCookie ?? cookie.parse;
const { stringifySetCookie = ({ name, value, ...options }) => cookie.serialize(name, value, options) } = cookie;

/** Returns handlers by method and path; a final slash matches one more part. */
export function makeBrowser({ answer, readBody }) {
	function sendFile(req, res, { id }) {
		return new Promise((resolve, reject) => {
			send(req, id, { root: PUBLIC })
				.on('error', ({ status }) => reject(new HttpError(status)))
				.on('end', resolve)
				.pipe(res);
		});
	}

	function answerVisit(req, res) {
		const visit = visitOf(parseCookies(req.headers.cookie ?? ''));
		res.setHeader('Set-Cookie', stringifySetCookie({ name: 'visitor', value: visit.visitor, ...VISITOR_COOKIE }));
		answer(res, 200, visit);
	}

	function redirect(_req, res, { id }) {
		res.writeHead(302, { Location: newPlace(id) }).end();
	}

	async function createFromForm(req, res) {
		answer(res, 201, createdUser(Object.fromEntries(new URLSearchParams(await readBody(req)))));
	}

	function readUpload(req) {
		return new Promise((resolve, reject) => {
			const form = { title: undefined, name: undefined, bytes: 0 };
			const parser = busboy({ headers: req.headers, limits: { fileSize: UPLOAD_LIMIT } });
			parser.on('field', (name, value) => {
				if (name === 'title') form.title = value;
			});
			parser.on('file', (_name, stream, { filename }) => {
				form.name = filename;
				stream.on('data', (part) => {
					form.bytes += part.length;
				});
			});
			parser.on('close', () => resolve(form));
			parser.on('error', () => reject(new HttpError(400)));
			req.pipe(parser);
		});
	}

	async function keepUpload(req, res) {
		const { title, name, bytes } = await readUpload(req);
		if (name === undefined) throw new HttpError(400);
		answer(res, 201, uploaded(title, name, bytes));
	}

	function letCrossOrigin(_req, res) {
		res.setHeader('Access-Control-Allow-Origin', CROSS_ORIGIN.origin);
		res.setHeader('Vary', 'Origin');
	}

	function answerPreflight(req, res) {
		letCrossOrigin(req, res);
		res.writeHead(204, {
			'Access-Control-Allow-Methods': CROSS_ORIGIN.methods.join(','),
			'Access-Control-Allow-Headers': CROSS_ORIGIN.headers.join(','),
			'Access-Control-Max-Age': CROSS_ORIGIN.maxAgeSeconds,
		});
		res.end();
	}

	function answerCrossOrigin(req, res, { id }) {
		letCrossOrigin(req, res);
		answer(res, 200, { id });
	}

	return {
		'GET /browser/static/': sendFile,
		'GET /browser/cookies': answerVisit,
		'GET /browser/search': (_req, res, { search }) => answer(res, 200, qs.parse(search)),
		'GET /browser/old/': redirect,
		'POST /browser/form': createFromForm,
		'POST /browser/upload': keepUpload,
		'OPTIONS /browser/cors/items/': answerPreflight,
		'GET /browser/cors/items/': answerCrossOrigin,
	};
}
