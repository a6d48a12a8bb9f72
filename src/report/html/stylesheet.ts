import { INTERVAL_LABEL } from '../compare/columns.ts';

/** The palette is safe for colour-blind readers (Okabe and Ito), darker on light ground and lighter on dark. */
export const STYLESHEET = `
:root {
	color-scheme: light dark;
	--back: #ffffff; --raised: #f5f6f8; --line: #e3e6ea; --text: #1b1f24; --muted: #626b76; --link: #0a5cad;
	--regressed: #c2410c; --improved: #0067a8; --unchanged: #0b7a5c; --inconclusive: #946200;
	--invalid: #9c2f77; --new: #3b6ea5; --removed: #626b76; --base: #6b7280; --head: #0067a8;
	--plot-background: var(--back);
}
@media (prefers-color-scheme: dark) {
	:root {
		--back: #14171b; --raised: #1d2126; --line: #30363d; --text: #e6e9ed; --muted: #9aa4af; --link: #79b8ff;
		--regressed: #ff8a5b; --improved: #5cb8f5; --unchanged: #3fc79a; --inconclusive: #e9b949;
		--invalid: #e58fc4; --new: #8ab4e8; --removed: #9aa4af; --base: #a5adb8; --head: #5cb8f5;
	}
}
* { box-sizing: border-box; }
body {
	margin: 0; background: var(--back); color: var(--text);
	font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
a { color: var(--link); }
h1 { font-size: 1.3rem; line-height: 1.35; font-weight: 600; margin: .25rem 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2.25rem 0 .5rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
code, h1, li, dd { overflow-wrap: anywhere; }
pre { background: var(--raised); border-radius: 8px; padding: .75rem 1rem; white-space: pre-wrap; margin: .5rem 0; }
header { border-left: 5px solid var(--tone); background: var(--raised); border-radius: 0 10px 10px 0; padding: 1rem 1.25rem; }
header p { margin: 0; }
header .subject { color: var(--muted); overflow-wrap: anywhere; }
header ul { margin: .25rem 0 0; padding-left: 1.25rem; }
header.pass { --tone: var(--unchanged); }
header.fail, header.error { --tone: var(--regressed); }
header.inconclusive { --tone: var(--inconclusive); }
.outcome { color: var(--tone); font-weight: 700; }
.outcome .mark {
	display: inline-grid; place-items: center; width: 1.4em; height: 1.4em; border-radius: 50%;
	background: var(--tone); color: var(--back); font-size: .85em; margin-right: .25em;
}
.hint, figcaption { color: var(--muted); font-size: .9rem; margin: 0 0 .5rem; }
.key { white-space: nowrap; margin-left: .75em; }
.key::before { content: ""; display: inline-block; height: .9em; margin-right: .4em; vertical-align: -.1em; }
.key.threshold::before { border-left: 2px solid var(--regressed); }
.key.tolerance::before { border-left: 2px dotted var(--muted); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .93rem; }
th { font-weight: 500; color: var(--muted); font-size: .85rem; }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { vertical-align: bottom; }
th.right, td.right { text-align: right; }
td { white-space: nowrap; }
.cards td.right:not([data-label="change"], [data-label="${INTERVAL_LABEL}"]) { white-space: normal; }
td code.long { display: inline-block; min-width: 14ch; white-space: normal; overflow-wrap: anywhere; }
.cards td:has(.picture) { width: 18%; min-width: 9rem; }
.interval { color: var(--muted); }
.scroll { overflow-x: auto; }
.scroll + .scroll { margin-top: 1.25rem; }
.verdict { font-weight: 600; }
.regressed { --tone: var(--regressed); } .improved { --tone: var(--improved); } .unchanged { --tone: var(--unchanged); }
.inconclusive { --tone: var(--inconclusive); } .invalid { --tone: var(--invalid); }
.new { --tone: var(--new); } .removed { --tone: var(--removed); }
.verdict { color: var(--tone); }
.picture { display: block; overflow: visible; }
.picture .bar { stroke: var(--tone); stroke-width: 3; stroke-linecap: round; }
.picture .dot { fill: var(--tone); stroke: var(--back); stroke-width: 1.5; }
.picture .zero { stroke: var(--text); stroke-opacity: .6; }
.picture .threshold { stroke: var(--regressed); stroke-width: 1.5; }
.picture .tolerance { stroke: var(--muted); stroke-dasharray: 2 3; }
figure { margin: 0; min-width: 0; }
#forest .hit, #forest .name { cursor: pointer; }
tr:target, tr:target td { background: var(--raised); }
.plot { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; color: var(--text); overflow: visible; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.5rem; }
select, button {
	font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
	padding: .35rem .5rem; max-width: 100%;
}
details { border-top: 1px solid var(--line); margin-top: 1.5rem; }
details + details { margin-top: 0; }
summary { cursor: pointer; padding: .7rem 0; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0; font-size: .93rem; }
dt { color: var(--muted); max-width: 11rem; }
dd { margin: 0; }
.notes { padding-left: 1.4rem; font-size: .93rem; }
.notes li:target { background: var(--raised); }
@media (max-width: 720px) {
	dl { grid-template-columns: 1fr; gap: 0; }
	dt { max-width: none; margin-top: .5rem; }
	h1 { font-size: 1.12rem; }
}
@media (max-width: 1100px) {
	th, td { padding-inline: .35rem; }
	details td:not(:has(code, .verdict), [data-label="${INTERVAL_LABEL}"]) { white-space: normal; }
	.cards td:has(.picture) { min-width: 7rem; }
}
@media (max-width: 960px) {
	.cards thead { display: none; }
	.cards, .cards tbody { display: block; }
	.cards tr { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 45%), 1fr)); gap: .2rem .75rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
	.cards td { display: block; border: 0; padding: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
	.cards td.none { display: none; }
	.cards td::before { content: attr(data-label); display: block; color: var(--muted); font-size: .78rem; }
	.cards td[data-label="${INTERVAL_LABEL}"], .cards td[data-label="change"], .cards td:is([data-label="server/scenario"], [data-label="verdict"]) { grid-column: 1 / -1; width: auto; }
	.cards td:is([data-label="server"], [data-label="scenario"], [data-label="server/scenario"], [data-label="${INTERVAL_LABEL}"], [data-label="change"], [data-label="verdict"])::before { display: none; }
	.cards td code { white-space: normal; overflow-wrap: anywhere; }
	.cards td code.long { min-width: 0; }
	.cards td[data-label="verdict"] { order: -1; }
}
@media print { details { display: none; } }
`.trim();
