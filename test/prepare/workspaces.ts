import type { Files } from './support.ts';

/** `tinyframe` in packages/core prints its own mark and that of its sibling, which no registry has. */
export function workspaces(mark: string, sibling: string, root: Files): Files {
	return {
		'packages/core/package.json': {
			name: 'tinyframe',
			version: '1.0.0',
			scripts: { prepack: 'node build.js' },
			files: ['dist'],
			main: 'dist/index.js',
			dependencies: { '@benchgate-test/sibling': sibling },
		},
		'packages/core/build.js': `const fs = require('node:fs'); fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/index.js', 'module.exports = "${mark} " + require("@benchgate-test/sibling")');`,
		'packages/sibling/package.json': { name: '@benchgate-test/sibling', version: '1.0.0' },
		'packages/sibling/index.js': `module.exports = 'sibling ${mark}';`,
		'.gitignore': 'node_modules\ndist\n',
		...root,
	};
}
