import { describe } from 'node:test';
import { skip, testReports, useBrowser } from './browser.ts';

describe('other HTML reports in a real browser', { skip }, () => {
	testReports(useBrowser(), ['two-hundred', 'one-cell', 'nothing-measured', 'few-rounds', 'generator-bound']);
});
