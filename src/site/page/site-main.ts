import type { SiteIndex } from '../site-data.ts';
import { type Address, readAddress } from './address.ts';
import { drawCell } from './cell-view.ts';
import { drawChanges } from './changes-view.ts';
import { drawCompare } from './compare-view.ts';
import { h, say } from './dom.ts';
import { drawHealth } from './health-view.ts';
import { loadIndex } from './load.ts';
import { drawOverview } from './overview-view.ts';
import { drawRanking } from './ranking-view.ts';
import { drawReleases } from './releases-view.ts';
import { drawStanding } from './standing-view.ts';

interface Drawn {
	readonly element: HTMLElement;
	/** Runs once the element is in the page, and returns the clean-up. */
	readonly ready?: () => () => void;
}

const just = async (drawing: HTMLElement | Promise<HTMLElement>): Promise<Drawn> => ({ element: await drawing });

const VIEWS: Readonly<Record<string, (site: SiteIndex, address: Address) => Promise<Drawn>>> = {
	standing: (site) => just(drawStanding(site)),
	changes: (site) => just(drawChanges(site)),
	cell: drawCell,
	overview: (site) => just(drawOverview(site)),
	compare: (site, address) => just(drawCompare(site, address)),
	releases: (site) => just(drawReleases(site)),
	ranking: (site, address) => just(drawRanking(site, address)),
	health: (site) => just(drawHealth(site)),
};

let leave = () => {};
let turn = 0;

async function draw(): Promise<void> {
	const mine = ++turn;
	const main = document.getElementById('main') as HTMLElement;
	const address = readAddress(location.hash);
	for (const link of document.querySelectorAll('nav a')) {
		if (link.getAttribute('href') === `#/${address.view}`) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
	}
	try {
		const drawing = VIEWS[address.view];
		const drawn = drawing
			? await drawing(await loadIndex(), address)
			: {
					element: h(
						'section',
						{},
						h('h1', {}, 'There is no such page'),
						h('p', {}, h('a', { href: '#/standing' }, 'Where the main branch stands')),
					),
				};
		// The reader has opened another view meanwhile.
		if (mine !== turn) return;
		leave();
		leave = () => {};
		main.replaceChildren(drawn.element);
		if ('ready' in drawn && drawn.ready) leave = drawn.ready();
		main.dataset.view = address.view;
		say(main.querySelector('h1')?.textContent ?? '');
	} catch (error) {
		if (mine !== turn) return;
		main.replaceChildren(
			h(
				'section',
				{ role: 'alert' },
				h('h1', {}, 'The data could not be loaded'),
				h('p', {}, `${(error as Error).message}. Load the page again.`),
			),
		);
		main.dataset.view = 'error';
	}
}

addEventListener('hashchange', () => void draw());
void draw();
