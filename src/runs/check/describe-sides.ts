import { countOf } from '../../text/numbers.ts';
import type { Finding } from '../../types/finding.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { RevisionInfo } from '../../types/result.ts';
import { SIDES } from '../../types/units.ts';

/** Returns what each side was made of, and what was noticed meanwhile. */
export function describeSides({ sides, harness, warnings }: Prepared): readonly Finding[] {
	const made = SIDES.map((side): Finding => {
		const { info, servers } = sides[side];
		const names = Object.keys(servers);
		return {
			kind: 'ok',
			about: side,
			text: `${labelOf(info)}, ready to start ${countOf(names.length, 'server')}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
		};
	});
	const from: Finding[] =
		harness === undefined
			? []
			: [{ kind: 'ok', about: 'harness', text: `${harness.folders.join(', ')} from ${harness.label} on both sides` }];
	const noticed = warnings.map(
		({ message, side }): Finding => ({ kind: 'note', about: side ?? 'sides', text: message.replace(/\.$/, '') }),
	);
	return [...made, ...from, ...noticed];
}

/** `main@1a2b3c4 (koa@3.0.1), built with bun run build because koa names dist/index.js`. */
function labelOf({ label, subject, built }: RevisionInfo): string {
	const name = subject === undefined ? '' : `${subject.name}@${subject.version}`;
	const what = name === '' || name === label ? label : `${label} (${name})`;
	return built === undefined
		? what
		: `${what}, built with ${built.command} because ${built.package} names ${built.file}`;
}
