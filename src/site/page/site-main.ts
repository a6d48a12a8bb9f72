import type { SiteIndex } from '../site-data.ts';
import { type Address, readAddress } from './address.ts';
import { drawChanges } from './changes-view.ts';
import { drawCompare } from './compare-view.ts';
import { h, say } from './dom.ts';
import { loadIndex } from './load.ts';
import { drawNow } from './now-view.ts';
import { drawQuality } from './quality-view.ts';
import { drawRanking } from './ranking-view.ts';
import { drawReleases } from './releases-view.ts';
import { drawRow } from './row-view.ts';
import { drawRows } from './rows-view.ts';

interface Drawn {
	readonly element: HTMLElement;
	/** Runs once the element is in the page, and returns the clean-up. */
	readonly ready?: () => () => void;
}

const just = async (drawing: HTMLElement | Promise<HTMLElement>): Promise<Drawn> => ({ element: await drawing });

const VIEWS: Readonly<Record<string, (site: SiteIndex, address: Address) => Promise<Drawn>>> = {
	now: (site) => just(drawNow(site)),
	changes: (site, address) => just(drawChanges(site, address)),
	rows: (site, address) => just(drawRows(site, address)),
	row: drawRow,
	compare: (site, address) => just(drawCompare(site, address)),
	releases: (site) => just(drawReleases(site)),
	ranking: (site, address) => just(drawRanking(site, address)),
	quality: (site) => just(drawQuality(site)),
};

let leave = () => {};
let turn = 0;
let shown = '';

async function draw(): Promise<void> {
	const mine = ++turn;
	const main = document.getElementById('main') as HTMLElement;
	const address = readAddress(location.hash);
	const place = [address.view, ...address.path].join('/');
	const page = address.view === 'row' ? 'rows' : address.view;
	for (const link of document.querySelectorAll('nav a')) {
		if (link.getAttribute('href') === `#/${page}`) link.setAttribute('aria-current', 'page');
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
						h('p', {}, h('a', { href: '#/now' }, 'Where the main branch stands now')),
					),
				};
		// The reader has opened another view meanwhile.
		if (mine !== turn) return;
		leave();
		leave = () => {};
		main.replaceChildren(drawn.element);
		if ('ready' in drawn && drawn.ready) leave = drawn.ready();
		main.dataset.view = address.view;
		if (shown !== '' && shown !== place) {
			scrollTo(0, 0);
			if (document.activeElement === document.body) main.focus();
		}
		shown = place;
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

// #main is the skip link.
addEventListener('hashchange', () => {
	if (location.hash !== '#main') void draw();
});
void draw();
