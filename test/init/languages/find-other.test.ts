import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findOthers } from '../../../src/init/languages/find-other.ts';
import { rankServices } from '../../../src/init/rank-candidates.ts';

/** Returns the service found in a folder with these files. */
async function serviceOf(t: TestContext, files: Readonly<Record<string, string>>) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-other-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	const [started = null] = await findOthers(folder);
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
		'go build -trimpath -buildvcs=false -o benchgate-server .',
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
		'go build -trimpath -buildvcs=false -o benchgate-server ./cmd/api',
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
		'a server that is an optional dependency',
		{
			'web/__init__.py': 'from .core import app',
			'web/core.py': 'app = Flask(__name__)',
			Procfile: 'web: gunicorn web:app -k gevent',
			'pyproject.toml':
				'[project]\ndependencies = [\n  "flask[async]",\n]\n\n[project.optional-dependencies]\ntest = ["pytest"]\nserve = [\n  "gunicorn",\n]\n\n[tool.x]\nother = ["gunicorn"]\n',
		},
		'exec .venv/bin/python -m gunicorn --bind "$HOST:$PORT" --worker-class gthread --threads 8 "web:app"',
		"python3 -m venv .venv && .venv/bin/python -m pip install --quiet '.[serve]'",
	],
	[
		'FastAPI in a folder, with uv',
		{ 'app/main.py': 'app = FastAPI()', 'uv.lock': '', 'pyproject.toml': '[project]\n' },
		`exec .venv/bin/python -m uvicorn app.main:app ${PLACE} --no-access-log`,
		'uv sync --frozen --no-dev',
	],
	[
		'FastAPI in a workspace of uv, which has one environment at its top',
		{
			'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
			'uv.lock': '[[package]]\nname = "app"\nsource = { editable = "backend" }\n',
			'backend/pyproject.toml': '[project]\nname = "app"\n',
			'backend/app/main.py': 'app = FastAPI()',
		},
		`exec ../.venv/bin/python -m uvicorn app.main:app ${PLACE} --no-access-log`,
		'cd backend && uv sync --frozen --no-dev',
	],
	[
		'FastAPI below src, with poetry',
		{ 'src/main.py': 'api: FastAPI = FastAPI()', 'poetry.lock': '' },
		`exec .venv/bin/python -m uvicorn main:api --app-dir src ${PLACE} --no-access-log`,
		'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --only main --no-root',
	],
];

for (const [label, files, command, prepare] of started) {
	test(`a service is found: ${label}`, async (t) => {
		const service = await serviceOf(t, files);
		assert.deepEqual([service?.command, service?.prepare], [command, prepare]);
		assert.equal(service?.readsPort, true);
	});
}

for (const [label, files] of [
	['nothing', {}],
	['a Go package that others import', { 'go.mod': 'module x\n', 'web.go': `package web\nfunc Run() { ${LISTENS} }` }],
	['a Go program that serves nothing', { 'go.mod': 'module x\n', 'main.go': 'package main\nfunc main() {}' }],
	['a script in Python', { 'main.py': 'print("hello")' }],
	['a framework in Python', { 'setup.py': 'setup()', 'bottle.py': 'server.serve_forever()' }],
	['a test', { 'test_app.py': 'app = Flask(__name__)', 'tests/app.py': 'app = Flask(__name__)' }],
] as const) {
	test(`no service is found: ${label}`, async (t) => {
		assert.equal(await serviceOf(t, files), null);
	});
}

test('a service beside other files is installed and started in its folder', async (t) => {
	const service = await serviceOf(t, {
		'api/app.py': 'app = FastAPI()',
		'api/requirements.txt': 'fastapi',
		'frontend/index.html': '',
	});
	assert.equal(service?.folder, 'api');
	assert.match(service?.command ?? '', / -m uvicorn app:app /);
	assert.match(service?.prepare ?? '', /^cd api && python3 -m venv .venv && .* -r requirements\.txt$/);
});

test('services in folders of any name are all found, the one with routes first in the config', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-other-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const pom =
		'<project><artifactId>rest</artifactId><version>1.0</version><dependencies><dependency><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>';
	for (const [path, content] of [
		['before/pom.xml', pom],
		['the end/pom.xml', pom],
		[
			'the end/src/main/java/com/example/Hello.java',
			'@RestController class Hello { @GetMapping("/greeting") String hello() {} }',
		],
		['vendor/pom.xml', pom],
	] as const) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	const found = await findOthers(folder);
	assert.deepEqual(
		rankServices(found).map(({ found: { folder: name }, service }) => [name, service.routes, service.prepare]),
		[
			['the end', ['/greeting'], "cd 'the end' && mvn --quiet --batch-mode -DskipTests package"],
			['before', [], 'cd before && mvn --quiet --batch-mode -DskipTests package'],
		],
	);
});

test("Flask's own server is labelled as such, and so is a program's own port", async (t) => {
	const flask = await serviceOf(t, { 'app.py': 'app = Flask(__name__)' });
	assert.equal(flask?.command, `exec python3 -m flask --app app run ${PLACE}`);
	assert.match(flask?.notes?.join(' ') ?? '', /development server/);
	const pythonService = await serviceOf(t, { 'server.py': 'HTTPServer(("", 8000), Api).serve_forever()' });
	assert.equal(pythonService?.readsPort, false);
	const go = await serviceOf(t, {
		'go.mod': 'module x\n',
		'main.go': 'package main\nfunc main() { http.ListenAndServe(":8080", nil) }',
	});
	assert.equal(go?.readsPort, false);
	for (const [port, reads] of [
		['":" + strconv.Itoa(settings.HTTPPort)', false],
		['settings.Port }\ntype Settings struct { Port string `env:"PORT,required"`', true],
		['viper.GetString("port") }\nfunc init() { viper.AutomaticEnv()', true],
	] as const) {
		const text = `package main\nfunc main() { http.ListenAndServe(${port}, nil) }`;
		assert.equal((await serviceOf(t, { 'go.mod': 'module x\n', 'main.go': text }))?.readsPort, reads, port);
	}
});

test('routes of Go are those of its own files, with the prefix of their group', async (t) => {
	const service = await serviceOf(t, {
		'go.mod': 'module x\n',
		'main.go': `package main\nfunc main() { http.HandleFunc("/healthz", a); mux.HandleFunc("GET /users/{id}", b); mux.HandleFunc("POST /users", c); mux.Handle("GET /{$}", d); ${LISTENS} }`,
		'web/web.go':
			'package web\nv1 := r.Group("/v1")\nv1.GET("/notes", a)\nadmin := v1.Group("/admin")\nadmin.GET("/all", a)\ntags := v1.Group("/tags")\ntags.GET("/", a)\nresp, _ := client.Get("/other")',
		'chi.go': 'package main\nr.Route("/inner", func(r chi.Router) { r.Get("/x", a) })',
	});
	assert.deepEqual(service?.routes, [
		'/inner/x',
		'/healthz',
		'/users/{id}',
		'/',
		'/v1/notes',
		'/v1/admin/all',
		'/v1/tags/',
	]);
	assert.equal(service?.health, '/healthz');
});

test('routes of Go follow nested routers, mounts, and functions that get a group', async (t) => {
	const service = await serviceOf(t, {
		'go.mod': 'module x\nrequire (\n\tgithub.com/lib/pq v1.1.0\n\tgithub.com/mattn/go-sqlite3 v1.1.0 // indirect\n)\n',
		'main.go': `package main
func main() {
	v1 := r.Group("/api")
	users.Register(v1.Group("/users"))
	r.Handle("GET", "/handled", h)
	r.Mount("/admin", adminRouter())
	r.Route("/articles", func(r chi.Router) {
		r.With(paginate).Get("/", list)
		r.Route("/{id}", func(r chi.Router) { r.Get("/", get) })
	})
	r.Get("/ping", p)
	http.Get("http://example.com/", x)
	${LISTENS}
}
func adminRouter() chi.Router { r := chi.NewRouter(); r.Get("/accounts", b); return r }`,
		'users/routes.go':
			'package users\nfunc Register(router *gin.RouterGroup) {\n\trouter.POST("", x)\n\trouter.GET("/all", y)\n}',
	});
	assert.deepEqual(service?.routes, [
		'/handled',
		'/articles',
		'/articles/{id}',
		'/ping',
		'/admin/accounts',
		'/api/users/all',
	]);
	assert.equal(service?.database?.client, 'github.com/lib/pq');
});

test('the database of a Go service is that of the driver it imports', async (t) => {
	const service = await serviceOf(t, {
		'go.mod': 'module x\nrequire github.com/gomodule/redigo v2.0.1\nrequire github.com/jinzhu/gorm v1.9.0\n',
		'main.go': `package main\nimport (\n\t_ "github.com/jinzhu/gorm/dialects/mysql"\n)\nfunc main() { ${LISTENS} }`,
	});
	assert.equal(service?.database?.kind, 'mysql');
});

test('routes of Python follow routers through their modules', async (t) => {
	const fast = await serviceOf(t, {
		'requirements.txt': 'fastapi\nuvicorn\nasyncpg\n',
		'app/main.py':
			'from app.routes.api import router as api_router\nfrom app.settings import get_settings\ndef get_application():\n    application = FastAPI()\n    application.include_router(api_router, prefix=settings.api_prefix)\napp = get_application()\n',
		'app/settings.py': 'class Settings:\n    api_prefix: str = "/api"\n',
		'app/routes/api.py':
			'from app.routes import tags\nfrom app.routes.users import router as users\nrouter = APIRouter()\nrouter.include_router(tags.router, prefix="/tags")\nrouter.include_router(users)\n',
		'app/routes/tags.py': 'router = APIRouter()\n@router.get("")\n@router.post("/x")\n',
		'app/routes/users.py': 'router = APIRouter(prefix="/users")\n@router.get("/me", name="users:me")\n',
		'app/routes/never.py': 'router = APIRouter()\n@router.get("/never")\n',
	});
	assert.match(fast?.command ?? '', / -m uvicorn app\.main:app /);
	assert.deepEqual(fast?.routes, ['/api/tags', '/api/users/me']);
	assert.equal(fast?.database?.kind, 'postgres');
	const flask = await serviceOf(t, {
		Procfile: 'web: gunicorn conduit.autoapp:app -b 0.0.0.0:$PORT -w 3\n',
		'requirements.txt': 'Flask\ngunicorn\nFlask-SQLAlchemy\n',
		'conduit/autoapp.py': 'app = create_app(ProdConfig)\n',
		'conduit/app.py':
			'from conduit import user\ndef create_app(config):\n    app = Flask(__name__)\n    app.register_blueprint(user.views.blueprint, url_prefix="/u")\n',
		'conduit/user/__init__.py': 'from . import views\n',
		'conduit/tags.py': 'blueprint = Blueprint("tags", __name__)\n@blueprint.route("/api/tags", methods=("GET",))\n',
	});
	assert.match(
		flask?.command ?? '',
		/ -m gunicorn --bind "\$HOST:\$PORT" --worker-class gthread --threads 8 "conduit\.autoapp:app"$/,
	);
});

test('a Django service is found, with the addresses of its applications', async (t) => {
	const service = await serviceOf(t, {
		'requirements.txt': 'Django==5\ngunicorn\npsycopg2\n',
		'manage.py': 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")\n',
		'shop/settings.py': 'ROOT_URLCONF = "shop.urls"\n',
		'shop/wsgi.py': 'application = get_wsgi_application()\n',
		'shop/urls.py':
			'urlpatterns = [path("admin/", admin.site.urls), path("api/", include("items.urls")), path("health", ok)]\n',
		'items/urls.py': 'urlpatterns = [path("items/", all), path("items/<int:pk>/", one)]\n',
	});
	assert.match(service?.command ?? '', / "shop\.wsgi:application"$/);
	assert.deepEqual(service?.routes, ['/api/items/', '/api/items/<int:pk>/', '/health']);
	assert.equal(service?.database?.migrate, '.venv/bin/python manage.py migrate');
});

for (const [label, files, expected] of [
	[
		'axum',
		{
			'Cargo.toml':
				'[package]\nname = "shop"\n[dependencies]\naxum = "0.8"\nsqlx = { version = "0.8" }\n[dev-dependencies]\nrocket = "0.5"\n',
			'Cargo.lock': '',
			'src/main.rs':
				'let app = Router::new().nest("/api", api).route("/items", get(list).post(add))\n\t.route("/new", post(add));\nTcpListener::bind("0.0.0.0:3000")',
		},
		['exec ./target/release/shop', 'cargo build --release --locked --bin shop', ['/api/items'], false],
	],
	[
		'Rocket',
		{
			'Cargo.toml': '[package]\nname = "r"\n[dependencies]\nrocket = "0.5"\n',
			'src/main.rs': '#[get("/hello")]\nfn hello() {}\nrocket::build().mount("/", routes![hello])',
		},
		[
			'ROCKET_ADDRESS="$HOST" ROCKET_PORT="$PORT" ROCKET_LOG_LEVEL=critical exec ./target/release/r',
			'cargo build --release --bin r',
			['/hello'],
			true,
		],
	],
	[
		'Spring Boot',
		{
			'pom.xml':
				'<project><parent><artifactId>spring-boot-starter-parent</artifactId><version>4.0.0</version></parent><artifactId>shop</artifactId><version>1.2.3</version><dependencies><dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId></dependency><dependency><artifactId>spring-boot-starter-web</artifactId></dependency></dependencies></project>',
			mvnw: '',
			'src/main/java/com/acme/shop/web/Items.java':
				'@RestController @RequestMapping("/api/items") public class Items { @GetMapping public List<Item> all() {} @GetMapping("/{id}") Item one() {} }',
		},
		[
			'exec java -jar target/shop-1.2.3.jar --server.address="$HOST" --server.port="$PORT"',
			'sh ./mvnw --quiet --batch-mode -DskipTests package',
			['/api/items', '/api/items/{id}'],
			true,
		],
	],
	[
		'Quarkus',
		{
			'pom.xml':
				'<project><artifactId>q</artifactId><dependencies><dependency><groupId>io.quarkus</groupId></dependency></dependencies></project>',
			'src/main/java/org/acme/Hello.java':
				'@Path("/hello")\npublic class Hello {\n@GET\n@Produces(TEXT)\npublic String hello() {}\n@GET @Path("/all") public Response all() {} }',
		},
		[
			'exec java -Dquarkus.http.host="$HOST" -Dquarkus.http.port="$PORT" -jar target/quarkus-app/quarkus-run.jar',
			'mvn --quiet --batch-mode -DskipTests package',
			['/hello', '/hello/all'],
			true,
		],
	],
] as const) {
	test(`a service is found: ${label}`, async (t) => {
		const service = await serviceOf(t, files);
		assert.deepEqual([service?.command, service?.prepare, service?.routes, service?.readsPort], expected);
	});
}

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
