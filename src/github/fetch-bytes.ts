import { UserError } from '../types/errors.ts';

export interface FetchRules {
	/** What it is, for messages: `the artifact`. */
	readonly what: string;
	readonly maxBytes: number;
	readonly fetch: typeof fetch;
}

const ATTEMPTS = 3;
const TIMEOUT_MS = 60_000;

/**
 * Returns what is at an address, asked for without any credentials and tried three times while the store is unwell. Throws a
 * UserError: `artifact-too-large` without reading on, `github-unreachable` with a status but without the address, whose
 * query is a credential.
 */
export async function fetchBytes(address: string, rules: FetchRules): Promise<Uint8Array> {
	let reason = '';
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const answer = await tryOnce(address, rules);
		if (answer instanceof Uint8Array) return answer;
		reason = answer.reason;
		if (!answer.again) break;
	}
	throw new UserError({
		code: 'github-unreachable',
		message: `could not download ${rules.what}: ${reason}`,
		remedy: 'Run the job again later.',
	});
}

async function tryOnce(
	address: string,
	rules: FetchRules,
): Promise<Uint8Array | { readonly reason: string; readonly again: boolean }> {
	try {
		const response = await rules.fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
		if (response.ok) return await readAtMost(response, rules);
		await response.body?.cancel();
		return { reason: `its store answered ${response.status}`, again: response.status >= 500 };
	} catch (error) {
		if (error instanceof UserError) throw error;
		return { reason: 'the connection to its store broke', again: true };
	}
}

async function readAtMost(response: Response, { what, maxBytes }: FetchRules): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop by an error cancels the rest of the body.
	for await (const chunk of response.body ?? []) {
		size += chunk.byteLength;
		if (size > maxBytes) throw tooLarge(what, maxBytes);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function tooLarge(what: string, maxBytes: number): UserError {
	return new UserError({
		code: 'artifact-too-large',
		message: `${what} has more than ${maxBytes} bytes`,
		remedy: 'Nothing of it was read. benchgate writes far smaller ones: look at what the measuring run uploaded.',
	});
}
