/** Routes for browsers, with the usual middleware of Express. Loaded at the first such request. */
import cookieParser from 'cookie-parser';
import cors from 'cors';
import express from 'express';
import session from 'express-session';
import multer from 'multer';
import {
	CROSS_ORIGIN,
	newPlace,
	PUBLIC,
	SESSION_SECRET,
	UPLOAD_LIMIT,
	uploaded,
	VISITOR_COOKIE,
	visitOf,
} from '../shared/browser.mjs';
import { benchSession, createdUser } from '../shared/fixtures.mjs';

/** Like MemoryStore, which warns that it is not for production. */
class SessionStore extends session.Store {
	#sessions = new Map();

	get(id, done) {
		const text = this.#sessions.get(id);
		done(null, text === undefined ? null : JSON.parse(text));
	}

	set(id, value, done) {
		this.#sessions.set(id, JSON.stringify(value));
		done(null);
	}

	destroy(id, done) {
		this.#sessions.delete(id);
		done(null);
	}
}

const sessions = session({
	secret: SESSION_SECRET,
	resave: false,
	saveUninitialized: false,
	store: new SessionStore(),
});
const { origin, methods, headers: allowedHeaders, maxAgeSeconds: maxAge } = CROSS_ORIGIN;
const crossOrigin = cors({ origin, methods, allowedHeaders, maxAge });
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: UPLOAD_LIMIT } });

const app = express();
app.set('query parser', 'extended');

app.use('/static', express.static(PUBLIC));
app.get('/cookies', cookieParser(), (req, res) => {
	const visit = visitOf(req.cookies);
	res.cookie('visitor', visit.visitor, VISITOR_COOKIE).json(visit);
});
app.get('/search', (req, res) => res.json(req.query));
app.get('/old/:id', (req, res) => res.redirect(newPlace(req.params.id)));
app.post('/form', express.urlencoded({ extended: true }), (req, res) => res.status(201).json(createdUser(req.body)));
app.post('/upload', upload.single('file'), (req, res, next) => {
	if (req.file === undefined) return next({ status: 400 });
	res.status(201).json(uploaded(req.body.title, req.file.originalname, req.file.size));
});

app.options('/cors/items/:id', crossOrigin);
app.get('/cors/items/:id', crossOrigin, (req, res) => res.json({ id: req.params.id }));

app.post('/session', sessions, (req, res) => {
	req.session.user = benchSession();
	res.json(req.session.user);
});
app.get('/session', sessions, (req, res, next) => {
	if (req.session.user === undefined) return next({ status: 401 });
	res.json(req.session.user);
});

export default app;
