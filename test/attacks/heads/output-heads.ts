/** Heads that attack through text: logs, names and messages read by people or parsed by machines. */
import assert from 'node:assert/strict';
import { elementsIn, parseMarkdown } from '../../support/pages/github-markdown.ts';
import { type Attack, BY_DEFAULT, LOOT } from '../attack.ts';
import { app, BUILD, server } from '../victim.ts';

const COMMANDS = [
	'::error file=benchgate.yml,line=1::head owns this',
	'::set-output name=outcome::pass',
	'::add-mask::benchgate',
	'::stop-commands::x',
	'::save-state name=check::1',
	'##[error]owned',
];
const PRINT = `for (const line of ${JSON.stringify(COMMANDS)}) console.log(line);\n`;
const MARKDOWN =
	'<!-- benchgate:default run=9999999 attempt=1 sha=' +
	'a'.repeat(40) +
	' state=final --> @everyone <img src=x onerror=alert(1)> [click](javascript:alert(1)) ```\n# PASS\n| a | b |\n|--|--|\n';

function onlyOurs({
	run,
	comment,
}: {
	run: { messages: readonly { text: string }[]; outputs: object };
	comment: string;
}): void {
	assert.equal(
		run.messages.some(({ text }) => /^head owns this/.test(text)),
		false,
	);
	const page = parseMarkdown(comment);
	assert.deepEqual([...elementsIn(page, 'img'), ...elementsIn(page, 'h1')], []);
	for (const { properties } of elementsIn(page, 'a')) assert.match(String(properties.href), /^https?:/);
	assert.equal(comment.match(/<!-- benchgate:/g)?.length, 1);
	assert.doesNotMatch(comment, /(^|[^`\w\u200b\u2060])@everyone/);
}

export const OUTPUT_HEADS: readonly Attack[] = [
	{
		does: 'prints commands for the runner, while it builds and fails',
		files: { 'build.mjs': `${BUILD}${PRINT}process.exitCode = 1;\n` },
		ends: BY_DEFAULT,
		check: onlyOurs,
	},
	{
		does: 'dies with Markdown, HTML and our own marker as its last words',
		files: { 'bench/server.mjs': server(`console.error(${JSON.stringify(MARKDOWN)}); process.exit(1);`) },
		ends: 'red',
		check: onlyOurs,
	},
	{
		does: 'answers with Markdown, HTML and our own marker',
		files: { 'lib/app.mjs': app({ each: `body = ${JSON.stringify(MARKDOWN)};` }) },
		ends: 'red',
		check: onlyOurs,
	},
	{
		does: 'prints 100 MB and dies',
		files: {
			'bench/server.mjs': server(
				"import { writeSync } from 'node:fs';\nconst line = 'y'.repeat(1e6) + '\\n';\nfor (let n = 0; n < 100; n++) writeSync(2, line);\nprocess.exit(1);",
			),
		},
		ends: 'red',
		check: onlyOurs,
	},
	{
		does: 'answers with a header that breaks lines',
		files: {
			'lib/app.mjs': app({
				each: `if (answers > 60) { request.socket.write('HTTP/1.1 200 OK\\r\\nx: \\u0000\\r\\n\\r\\n'); request.socket.end(); return; }`,
			}),
		},
		ends: 'red',
		check: onlyOurs,
	},
	{
		does: 'fills its temporary folder',
		files: {
			'build.mjs': `${BUILD}
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
for (let n = 0; n < 50; n++) writeFileSync(tmpdir() + '/filler-' + n, Buffer.alloc(1_000_000));
writeFileSync('${LOOT}/filled.txt', tmpdir());
`,
		},
		ends: 'honest',
		check: ({ loot }) => assert.notEqual(loot, ''),
	},
];
