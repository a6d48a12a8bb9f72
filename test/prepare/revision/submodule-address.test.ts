import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSameOwner, showAddress, submoduleAddress } from '../../../src/prepare/revision/submodules.ts';

const PARENT = 'https://github.com/acme/app.git';

test('https, its equivalents, and paths relative to the outer repository are followed', () => {
	const cases: readonly (readonly [string, string])[] = [
		['https://github.com/acme/data.git', 'https://github.com/acme/data.git'],
		['git@github.com:acme/data.git', 'https://github.com/acme/data.git'],
		['ssh://git@github.com/acme/data', 'https://github.com/acme/data'],
		['ssh://git@host.example:2222/acme/data', 'https://host.example/acme/data'],
		['../data.git', 'https://github.com/acme/data.git'],
		['../../other/data.git', 'https://github.com/other/data.git'],
		['./data.git', 'https://github.com/acme/app.git/data.git'],
		['../../../../../other/data', 'https://github.com/other/data'],
	];
	for (const [url, address] of cases) assert.equal(submoduleAddress(url, PARENT), address, url);
});

test('no other address is followed', () => {
	const cases = [
		...['', '-u./payload', '--upload-pack=touch /tmp/x', 'ext::sh -c true', 'ext::https://github.com/acme/data'],
		...['file:///etc', '/srv/data.git', 'data.git', 'http://github.com/acme/data', 'git://github.com/acme/data'],
		...['https://', 'https:///data', 'https://github.com/acme/data\nhost=evil', 'https://github.com\\@evil/data'],
		...['ssh://-oProxyCommand=x/y', 'user@host:acme/data', 'git@-host:/x', '..', '../', '..\\data', 'fd::17/x'],
	];
	for (const url of cases) {
		const address = submoduleAddress(url, PARENT);
		assert.ok(address === null || address.startsWith('https://github.com/'), `${JSON.stringify(url)} → ${address}`);
		if (!url.startsWith('..')) assert.equal(address, null, JSON.stringify(url));
	}
	assert.equal(submoduleAddress('../data.git', null), null);
});

test('owner and host decide which requests get credentials', () => {
	const same = ['https://github.com/acme/data.git', 'https://GITHUB.com/Acme/x'];
	const others = [
		...['https://github.com/other/data.git', 'https://github.com.evil/acme/data', 'https://github.com:8443/acme/data'],
		...[
			'https://github.com/acme',
			'https://github.com/acme/../other/data',
			'https://github.com/acme%2f..%2fother/data',
		],
		...['https://github.com//acme/data', 'https://acme@evil/acme/data'],
	];
	for (const address of same) assert.equal(hasSameOwner(address, PARENT), true, address);
	for (const address of others) assert.equal(hasSameOwner(address, PARENT), false, address);
	assert.equal(hasSameOwner(PARENT, null), false);
});

test('a password is not shown', () => {
	assert.equal(showAddress('https://name:secret@host/acme/x'), 'https://host/acme/x');
});
