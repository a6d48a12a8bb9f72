/** The HTML of the dashboard. */
import { escapeHtml } from '../text/escape.ts';
import type { SiteInfo } from './site-data.ts';

/** Allows only the page's own files. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

export const VIEWS = [
	['now', 'Now'],
	['changes', 'Changes'],
	['rows', 'All rows'],
	['compare', 'Compare'],
	['releases', 'Releases'],
	['ranking', 'Ranking'],
	['quality', 'Quality'],
] as const;

/** Returns the only page. Its script draws the view in the URL. */
export function renderSitePage({ project }: Pick<SiteInfo, 'project'>): string {
	const title = escapeHtml(project);
	const links = VIEWS.map(([view, name]) => `<a href="#/${view}">${name}</a>`).join('\n\t\t');
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}: speed of the main branch</title>
<link rel="stylesheet" href="site.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
	<p class="name"><a href="#/now">${title}</a></p>
	<nav aria-label="Views">
		${links}
	</nav>
</header>
<main id="main" tabindex="-1"><p>Loading …</p></main>
<footer><p id="status" role="status"></p></footer>
<noscript><p>The dashboard draws its curves with a script. The numbers are in <a href="data/all.json">data/all.json</a>.</p></noscript>
<script src="site.js" defer></script>
</body>
</html>
`;
}
