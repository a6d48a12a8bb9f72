import { duration, type JsonSchema, list, mapping, name, request, text, texts } from './config-schema-parts.ts';

/** An item of `reads`. */
export const readPaths = text('Folder or file, relative to the top of the repository.', 'packages/api');

/** A server of somebody's own. */
export const server: JsonSchema = mapping(
	'a built-in name, or a mapping with name and command',
	{
		name: name('Name, unique among all servers.', 'api'),
		command: text(
			'Shell command that starts it. It gets PORT, HOST=127.0.0.1 and NODE_ENV=production.',
			'node server.js',
		),
		cwd: { ...text("Folder to start in, relative to the side's checkout.", 'bench'), default: '.' },
		env: texts(
			'Environment variables.',
			{
				pattern: '^(?!(?:PORT|HOST)$)[A-Za-z_][A-Za-z0-9_]*$',
				form: 'a variable name; PORT and HOST are set by benchgate',
			},
			{ LOG_LEVEL: 'silent' },
		),
		start: text(
			'Shell command run before each process, such as one that makes its database: ${port}, ${slot} and ${data} are its own.',
			'node migrate.js "bench_${slot}"',
		),
		stop: text('Shell command run after each process, also when start failed.', 'dropdb --if-exists "bench_${slot}"'),
		ready: {
			...mapping('a mapping such as { path: /healthz, timeout: 30s }', {
				path: {
					...(request.properties as Record<string, JsonSchema>).path,
					description: 'Ready when it answers below 500. When absent: when the port accepts a connection.',
					examples: ['/healthz'],
				},
				timeout: { ...duration('Longest wait, and the longest time start and stop may take.', '30s'), default: '30s' },
			}),
			description: 'When it is ready for load.',
		},
		scenarios: list(
			'Scenarios it answers. Default: the scenarios this file defines, or all listed when it defines none.',
			'scenario names and groups',
			name('Scenario or group.', 'ping'),
		),
		writable: list(
			"Folders it may write, relative to the side's checkout. A fresh one for each process: ${data} in command and env.",
			"folders of the side's checkout",
			text('Folder.', 'var/uploads'),
		),
		reads: list(
			'What it and its build read, besides cwd. Default: reads of the file, else everything.',
			'folders and files',
			readPaths,
		),
	},
	'name',
	'command',
);
