import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answer, type Figures, toFigures } from '../../../scripts/titles/measure.ts';
import { audit, development } from '../../../scripts/titles/read-titles.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'content', 'titles');
const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const stored: { network: { bytes: number; sha256: string }; audit: Figures } = readJson('figures.json');
const network = readFileSync(join(folder, 'network.bin'));
const figures = suite('measured figures of the search');
/** The weights have at most this many bytes. */
const most = 4_000_000;

figures('the network is the one that was measured, and is small', () => {
  assert.is(network.length, stored.network.bytes);
  assert.is(createHash('sha256').update(network).digest('hex'), stored.network.sha256);
  assert.ok(network.length <= most, `${network.length} bytes`);
});

figures('the audit slice is the 600 titles with the lowest SHA-256', () => {
  const toRank = ({ title }: { title: string }) => createHash('sha256').update(title).digest('hex');
  const ranked = [...development, ...audit].sort((a, b) => (toRank(a) < toRank(b) ? -1 : 1));
  assert.is(ranked.length, 2400);
  assert.equal(new Set(ranked.slice(0, 600)), new Set(audit));
});

figures('the audit slice reaches the stored figures with its titles withheld', () => {
  const now = toFigures(answer(audit, audit, network, readJson('calibration.json')));
  console.log(`\nfigure: audit slice ${JSON.stringify(now)}`);
  assert.ok(now.first >= stored.audit.first, `first: ${now.first}`);
  assert.ok(now.firstFive >= stored.audit.firstFive, `first five: ${now.firstFive}`);
  assert.ok(now.rightWhereSure >= stored.audit.rightWhereSure, `right if sure: ${now.rightWhereSure}`);
  assert.ok(now.calibrationError <= stored.audit.calibrationError, `calibration: ${now.calibrationError}`);
  assert.ok(now.calibrationError <= 0.04, `calibration: ${now.calibrationError}`);
});

figures.run();
