import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findOther } from '../../../src/init/languages/find-other.ts';

/** Returns the service that is found in a folder with these files. */
async function serviceOf(t: TestContext, files: Readonly<Record<string, string>>) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-other-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	const started = await findOther(folder);
	return started && { ...started.service, folder: started.found.folder };
}

const LISTENS = 'http.ListenAndServe(":"+os.Getenv("PORT"), nil)';
const PIP = 'python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r requirements.txt';
const PLACE = '--host "$HOST" --port "$PORT"';

const started: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
	[
		'Go at the top',
		{ 'go.mod': 'module x\n', 'main.go': `package main\nfunc main() { ${LISTENS} }` },
		'exec ./benchgate-server',
		'go build -buildvcs=false -o benchgate-server .',
	],
	[
		'Go in cmd, which listens in another package',
		{
			'go.mod': 'module x\n',
			'cmd/api/main.go': 'package main\nfunc main() { web.Run() }',
			'internal/web/web.go': `package web\nfunc Run() { ${LISTENS} }`,
			'cmd/tool/main_test.go': 'package main',
		},
		'exec ./benchgate-server',
		'go build -buildvcs=false -o benchgate-server ./cmd/api',
	],
	[
		'Python without packages',
		{ 'server.py': 'ThreadingHTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Api).serve_forever()' },
		'exec python3 server.py',
		'true',
	],
	[
		'Flask with gunicorn',
		{ 'app.py': 'app = Flask(__name__)', 'requirements.txt': 'Flask==3.1.0\ngunicorn==23.0.0\n' },
		'exec .venv/bin/python -m gunicorn --bind "$HOST:$PORT" --worker-class gthread --threads 8 "app:app"',
		PIP,
	],
	[
		'Flask with waitress and a factory',
		{ 'app.py': 'def create_app():\n    return Flask("x")', 'requirements.txt': 'flask\nwaitress\n' },
		`exec .venv/bin/python -m waitress ${PLACE} --threads 8 --call app:create_app`,
		PIP,
	],
	[
		'Flask that reads PORT itself',
		{ 'app.py': 'app = Flask(__name__)\napp.run(port=int(os.environ.get("PORT", 5000)))' },
		'exec python3 app.py',
		'true',
	],
	[
		'FastAPI in a folder, with uv',
		{ 'app/main.py': 'app = FastAPI()', 'uv.lock': '', 'pyproject.toml': '[project]\n' },
		`exec .venv/bin/python -m uvicorn app.main:app ${PLACE} --no-access-log`,
		'uv sync --frozen --no-dev',
	],
	[
		'FastAPI below src, with poetry',
		{ 'src/main.py': 'api: FastAPI = FastAPI()', 'poetry.lock': '' },
		`exec .venv/bin/python -m uvicorn main:api --app-dir src ${PLACE} --no-access-log`,
		'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --only main --no-root',
	],
];

for (const [what, files, command, prepare] of started) {
	test(`a service is found: ${what}`, async (t) => {
		const service = await serviceOf(t, files);
		assert.deepEqual([service?.command, service?.prepare], [command, prepare]);
		assert.equal(service?.readsPort, true);
	});
}

for (const [what, files] of [
	['nothing', {}],
	['a Go package that others import', { 'go.mod': 'module x\n', 'web.go': `package web\nfunc Run() { ${LISTENS} }` }],
	['a Go program that serves nothing', { 'go.mod': 'module x\n', 'main.go': 'package main\nfunc main() {}' }],
	['a script in Python', { 'main.py': 'print("hello")' }],
	['a framework in Python', { 'setup.py': 'setup()', 'bottle.py': 'server.serve_forever()' }],
	['a test', { 'test_app.py': 'app = Flask(__name__)', 'tests/app.py': 'app = Flask(__name__)' }],
] as const) {
	test(`no service is found: ${what}`, async (t) => {
		assert.equal(await serviceOf(t, files), null);
	});
}

test('a service beside other things is installed and started in its folder', async (t) => {
	const service = await serviceOf(t, {
		'api/app.py': 'app = FastAPI()',
		'api/requirements.txt': 'fastapi',
		'frontend/index.html': '',
	});
	assert.equal(service?.folder, 'api');
	assert.match(service?.command ?? '', / -m uvicorn app:app /);
	assert.match(service?.prepare ?? '', /^cd api && python3 -m venv .venv && .* -r requirements\.txt$/);
});

test("Flask's own server is named for what it is, and a port of a program's own too", async (t) => {
	const flask = await serviceOf(t, { 'app.py': 'app = Flask(__name__)' });
	assert.equal(flask?.command, `exec python3 -m flask --app app run ${PLACE}`);
	assert.match(flask?.note ?? '', /development server/);
	const own = await serviceOf(t, { 'server.py': 'HTTPServer(("", 8000), Api).serve_forever()' });
	assert.equal(own?.readsPort, false);
	const go = await serviceOf(t, {
		'go.mod': 'module x\n',
		'main.go': 'package main\nfunc main() { http.ListenAndServe(":8080", nil) }',
	});
	assert.equal(go?.readsPort, false);
});

test('routes of Go are those of its own files, with the prefix of their group', async (t) => {
	const service = await serviceOf(t, {
		'go.mod': 'module x\n',
		'main.go': `package main\nfunc main() { http.HandleFunc("/healthz", a); mux.HandleFunc("GET /users/{id}", b); mux.HandleFunc("POST /users", c); mux.Handle("GET /{$}", d); ${LISTENS} }`,
		'web/web.go':
			'package web\nv1 := r.Group("/v1")\nv1.GET("/notes", a)\nadmin := v1.Group("/admin")\nadmin.GET("/all", a)\nresp, _ := client.Get("/other")',
		'chi.go': 'package main\nr.Route("/inner", func(r chi.Router) { r.Get("/x", a) })',
	});
	assert.deepEqual(service?.routes, ['/healthz', '/users/{id}', '/', '/v1/notes', '/v1/admin/all']);
	assert.equal(service?.health, '/healthz');
});

test('routes of Python are those that answer GET, with the prefix of their router', async (t) => {
	const service = await serviceOf(t, {
		'app.py': `app = FastAPI()
items = APIRouter(prefix="/items", tags=["x"])
@app.get("/health")
@items.get("/")
@items.get("/{item}")
@app.route("/both", methods=["GET", "POST"])
@app.route("/post", methods=["POST"])
# @app.get("/old")
if self.path != "/total":
`,
	});
	assert.deepEqual(service?.routes, ['/health', '/items/', '/items/{item}', '/both', '/total']);
	assert.equal(service?.health, '/health');
});
