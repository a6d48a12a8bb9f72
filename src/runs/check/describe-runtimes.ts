import { nameRuntime } from '../../text/runtime-words.ts';
import type { Finding } from '../../types/finding.ts';
import type { RuntimeInfo } from '../../types/runtime.ts';
import type { Sides } from '../../types/units.ts';
import { runtimeWarnings } from '../open-runtimes.ts';

/** Returns what the servers of each side run on, and what that lacks; nothing where nobody asked for a runtime. */
export function describeRuntimes(runtimes: Sides<RuntimeInfo> | undefined): readonly Finding[] {
	if (runtimes === undefined) return [];
	const { base, head } = runtimes;
	const [onBase, onHead] = [nameRuntime(base), nameRuntime(head)];
	const text = onBase === onHead ? `both sides run on ${onBase}` : `base runs on ${onBase}, head on ${onHead}`;
	const notes = runtimeWarnings(runtimes).map(({ message }) => message.replace(/\.$/, ''));
	return [
		{ kind: 'ok', about: 'runtime', text },
		...notes.map((note): Finding => ({ kind: 'note', about: 'runtime', text: note })),
	];
}
