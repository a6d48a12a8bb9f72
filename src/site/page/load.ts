import type { SiteCell, SiteIndex, SiteOverview } from '../site-data.ts';

const loaded = new Map<string, Promise<unknown>>();

function load<T>(path: string): Promise<T> {
	const cachedPromise = loaded.get(path);
	if (cachedPromise) return cachedPromise as Promise<T>;
	const fresh = fetch(`data/${path}`).then((answer) => {
		if (!answer.ok) throw new Error(`data/${path} could not be loaded: ${answer.status}`);
		return answer.json() as Promise<T>;
	});
	loaded.set(path, fresh);
	fresh.catch(() => loaded.delete(path));
	return fresh;
}

export const loadIndex = () => load<SiteIndex>('index.json');
export const loadOverview = () => load<SiteOverview>('overview.json');
export const loadCell = (file: string) => load<SiteCell>(file);
export const loadCells = async () => (await load<{ readonly cells: readonly SiteCell[] }>('all.json')).cells;
