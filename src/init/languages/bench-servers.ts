/** Bench servers for libraries that no built-in server loads. */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { MARGINS, prepareComment } from '../config-parts.ts';
import type { InitialConfig } from '../repository.ts';

export interface BenchServer {
	/** Of the library. */
	readonly name: string;
	/** By default the packages are installed. */
	readonly prepare?: string;
	readonly runtime?: 'bun';
	/** Runs in `bench`. */
	readonly command: string;
	/** Relative to the repository. */
	readonly files: Readonly<Record<string, string>>;
	readonly note?: string;
	/** The package manager, if the program guesses how the library is mounted. */
	readonly guessedFor?: string;
}

export const FOLDER = 'bench';
const GO_PREPARE = `go build -trimpath -buildvcs=false -o ${FOLDER}/server ./${FOLDER}`;

const go = (module: string, body: string) =>
	`package main\n\nimport (\n\t"net/http"\n\t"os"\n\n\t"${module}"\n)\n\nfunc main() {\n${body.trim().replace(/^/gm, '\t')}\n}\n`;

const GO: Readonly<Record<string, (module: string) => string>> = {
	'github.com/go-chi/chi': (module) =>
		go(
			module,
			`
r := chi.NewRouter()
r.Get("/", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) })
r.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(chi.URLParam(r, "id"))) })
panic(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), r))`,
		),
	'github.com/labstack/echo': (module) =>
		go(
			module,
			`
e := echo.New()
e.GET("/", func(c ${/\/v[5-9]$/.test(module) ? '*' : ''}echo.Context) error { return c.String(200, "hello") })
e.GET("/users/:id", func(c ${/\/v[5-9]$/.test(module) ? '*' : ''}echo.Context) error { return c.String(200, c.Param("id")) })
panic(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), e))`,
		),
	'github.com/gorilla/mux': (module) =>
		go(
			module,
			`
r := mux.NewRouter()
r.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) })
r.HandleFunc("/users/{id}", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(mux.Vars(r)["id"])) })
panic(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), r))`,
		),
	'github.com/gin-gonic/gin': (module) =>
		go(
			module,
			`
gin.SetMode(gin.ReleaseMode)
r := gin.New()
r.GET("/", func(c *gin.Context) { c.String(200, "hello") })
r.GET("/users/:id", func(c *gin.Context) { c.String(200, "%s", c.Param("id")) })
panic(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), r))`,
		),
};

interface Crate {
	readonly dependencies: string;
	readonly features?: readonly string[];
	readonly program: string;
}

const RUST: Readonly<Record<string, Crate>> = {
	axum: {
		dependencies: 'tokio = { version = "1", features = ["net", "rt-multi-thread"] }\n',
		program: `use axum::{extract::Path, routing::get, Router};
use std::env::var;

fn main() {
    let app = Router::new().route("/", get(|| async { "hello" })).route(
        "/users/{id}",
        get(|Path(id): Path<String>| async move { id }),
    );
    let address = format!("{}:{}", var("HOST").unwrap(), var("PORT").unwrap());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        let _ = axum::serve(listener, app).await;
    });
}
`,
	},
	warp: {
		dependencies: 'tokio = { version = "1", features = ["rt-multi-thread"] }\n',
		features: ['server'],
		program: `use std::{env::var, net::IpAddr};
use warp::Filter;

fn main() {
    let home = warp::path::end().map(|| "hello");
    let user = warp::path!("users" / String).map(|id: String| id);
    let host: IpAddr = var("HOST").unwrap().parse().unwrap();
    let port: u16 = var("PORT").unwrap().parse().unwrap();
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(warp::serve(home.or(user)).run((host, port)));
}
`,
	},
	'actix-web': {
		dependencies: '',
		program: `use actix_web::{web, App, HttpServer};
use std::env::var;

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let address = format!("{}:{}", var("HOST").unwrap(), var("PORT").unwrap());
    HttpServer::new(|| {
        App::new()
            .route("/", web::get().to(|| async { "hello" }))
            .route(
                "/users/{id}",
                web::get().to(|id: web::Path<String>| async move { id.into_inner() }),
            )
    })
    .bind(address)?
    .run()
    .await
}
`,
	},
};

const PYTHON: Readonly<Record<string, { readonly server: string; readonly start: string; readonly program: string }>> =
	{
		starlette: {
			server: 'uvicorn==0.54.0',
			start: '-m uvicorn server:app --host "$HOST" --port "$PORT" --no-access-log',
			program: `from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route


async def home(request):
    return PlainTextResponse("hello")


async def user(request):
    return PlainTextResponse(request.path_params["id"])


app = Starlette(routes=[Route("/", home), Route("/users/{id}", user)])
`,
		},
		falcon: {
			server: 'gunicorn==23.0.0',
			start: '-m gunicorn --bind "$HOST:$PORT" --worker-class gthread --threads 8 server:app',
			program: `import falcon


class Home:
    def on_get(self, request, response):
        response.text = "hello"


class User:
    def on_get(self, request, response, id):
        response.text = id


app = falcon.App(media_type=falcon.MEDIA_TEXT)
app.add_route("/", Home())
app.add_route("/users/{id}", User())
`,
		},
		flask: {
			server: 'gunicorn==23.0.0',
			start: '-m gunicorn --bind "$HOST:$PORT" --worker-class gthread --threads 8 server:app',
			program: `from flask import Flask

app = Flask(__name__)


@app.get("/")
def home():
    return "hello"


@app.get("/users/<id>")
def user(id):
    return id
`,
		},
	};

const ELYSIA = `import { Elysia } from "../src/index.ts";

new Elysia()
  .get("/", () => "hello")
  .get("/users/:id", ({ params }) => params.id)
  .listen({ port: process.env.PORT, hostname: process.env.HOST });
`;

/** Returns the config and program of a bench server for a library that it knows; null for other repositories, or if the folder is taken. */
export async function findBenchServer(cwd: string): Promise<InitialConfig | null> {
	const read = (file: string) => readFile(path.join(cwd, file), 'utf8').catch(() => null);
	if (await isTaken(cwd)) return null;
	const found = (await ofGo(read)) ?? (await ofRust(read)) ?? (await ofPython(read)) ?? (await ofBun(read));
	return found === null ? null : configOf(found);
}

/** Whether the folder for a bench server exists. */
export function isTaken(cwd: string): Promise<boolean> {
	return access(path.join(cwd, FOLDER)).then(
		() => true,
		() => false,
	);
}

type Read = (file: string) => Promise<string | null>;

async function ofGo(read: Read): Promise<BenchServer | null> {
	const module = /^module\s+(\S+)/m.exec((await read('go.mod')) ?? '')?.[1] ?? '';
	const program = GO[module.replace(/\/v\d+$/, '')];
	if (program === undefined) return null;
	const name =
		module
			.replace(/\/v\d+$/, '')
			.split('/')
			.at(-1) ?? module;
	return { name, prepare: GO_PREPARE, command: 'exec ./server', files: { [`${FOLDER}/main.go`]: program(module) } };
}

async function ofRust(read: Read): Promise<BenchServer | null> {
	for (const [name, { dependencies, features, program }] of Object.entries(RUST)) {
		for (const folder of ['', `${name}/`]) {
			const manifest = (await read(`${folder}Cargo.toml`)) ?? '';
			if (!new RegExp(`^\\[package\\][^[]*?^name\\s*=\\s*"${name}"`, 'm').test(manifest)) continue;
			const place = `../${folder}`.replace(/\/$/, '');
			return {
				name,
				prepare: `cargo build --release --manifest-path ${FOLDER}/Cargo.toml`,
				command: 'exec ./target/release/bench',
				files: {
					[`${FOLDER}/Cargo.toml`]: `[package]\nname = "bench"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${name} = { path = "${place}"${features === undefined ? '' : `, features = ${JSON.stringify(features)}`} }\n${dependencies}\n# Not a member of the workspace around it.\n[workspace]\n`,
					[`${FOLDER}/src/main.rs`]: program,
				},
				note: `Commit ${FOLDER}/Cargo.lock, which the first build writes: it pins what the bench server is built with.`,
			};
		}
	}
	return null;
}

async function ofPython(read: Read): Promise<BenchServer | null> {
	const project = /^\[project\][^[]*?^name\s*=\s*"([^"]+)"/m.exec((await read('pyproject.toml')) ?? '')?.[1];
	const known = PYTHON[project?.toLowerCase() ?? ''];
	if (project === undefined || known === undefined) return null;
	return {
		name: project,
		prepare: `python3 -m venv .venv && .venv/bin/python -m pip install --quiet . ${known.server}`,
		command: `exec ../.venv/bin/python ${known.start}`,
		files: { [`${FOLDER}/server.py`]: known.program },
	};
}

async function ofBun(read: Read): Promise<BenchServer | null> {
	const isElysia = /"name"\s*:\s*"elysia"/.test((await read('package.json')) ?? '');
	if (!isElysia || (await read('src/index.ts')) === null) return null;
	// The runtime of a side is its "node".
	return { name: 'elysia', runtime: 'bun', command: 'node server.ts', files: { [`${FOLDER}/server.ts`]: ELYSIA } };
}

export function configOf(server: BenchServer): InitialConfig {
	const { name, prepare, runtime, command, files, note, guessedFor } = server;
	const isGuess = guessedFor !== undefined;
	const prepareLines = isGuess
		? `${prepareComment(guessedFor)}\n`
		: prepare === undefined
			? ''
			: `# Run once per side: builds the bench server with the library of that side.\nprepare: ${JSON.stringify(prepare)}\n\n`;
	const text = `# Does a change make servers that use ${name} slower?

${prepareLines}${runtime === undefined ? '' : `runtime: ${runtime}\n\n`}${isGuess ? `# A guess: the bench server mounts ${name} with its default options.\n` : ''}# Both sides run the bench server of one revision: in pull requests that of the base branch.
harness: [${FOLDER}]
servers:
  - name: ${FOLDER}
    command: ${command}
    cwd: ${FOLDER}

# Requests with their right answers. Wrong answers are never counted as fast.
scenarios:
  - name: home
    request: { path: / }
    expect: { status: 200, text: hello }
${isGuess ? '' : USER}`;
	const wrote = `Wrote ${Object.keys(files).join(' and ')}, a bench server of ${name}`;
	const advice = isGuess
		? '. It is a guess: it mounts the package with its default options. npx benchgate check shows whether it starts and answers.'
		: ': add the routes that should be fast.';
	return { text: text + MARGINS, notes: [wrote + advice, ...(note === undefined ? [] : [note])], files };
}

const USER = `  - name: user
    request: { path: /users/42 }
    expect: { status: 200, text: "42" }
`;
