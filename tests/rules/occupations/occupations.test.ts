import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { occupationFacts } from '../../../scripts/onet/occupation-facts.ts';
import { pluck } from '../../support/rows.ts';

const occupations = suite('occupations');
const byId = new Map(occupationFacts.map((fact) => [fact.id, fact]));
const release = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'content', 'onet.json'), 'utf8'),
);
occupations('there are 1,016 different codes, in order', () => {
  const codes = occupationFacts.map((fact) => fact.id);
  assert.is(codes.length, 1016);
  assert.equal(codes, [...new Set(codes)].sort());
  assert.is(release.occupations, 1016);
});

occupations('members that the release lacks are absent, never empty', () => {
  const having = (member: keyof (typeof occupationFacts)[number]) =>
    occupationFacts.filter((fact) => member in fact).length;
  assert.is(having('jobZone'), 923);
  assert.is(having('skills'), 879);
  assert.is(having('relatedOccupations'), 923);
  assert.is(having('alternateTitles'), 1016);
  assert.not('skills' in byId.get('15-1252.00')!);
  assert.not('skills' in byId.get('15-2051.00')!);
  assert.ok(byId.get('15-1252.00')?.hotTechnologies);
  for (const fact of occupationFacts)
    for (const value of Object.values(fact))
      assert.ok(value !== null && (value as string).length !== 0, fact.id);
});

occupations('each has everything that is published about it, once, in order', () => {
  let titles = 0;
  for (const { id, title, skills, ...fact } of occupationFacts) {
    const { hotTechnologies = [], relatedOccupations, alternateTitles = [] } = fact;
    if (skills) {
      assert.is(new Set(pluck(skills, 'name')).size, 10, id);
      for (const [place, skill] of skills.slice(1).entries()) {
        const before = skills[place]!;
        const gap = before.importance - skill.importance || (before.level ?? -1) - (skill.level ?? -1);
        assert.ok(gap > 0 || (gap === 0 && before.name < skill.name), `${id}: ${skill.name}`);
      }
    }
    assert.is(new Set(hotTechnologies).size, hotTechnologies.length, id);
    assert.ok(hotTechnologies.length <= 15, id);
    if (relatedOccupations) assert.is(new Set(relatedOccupations).size, 10, id);
    assert.ok(
      (relatedOccupations ?? []).every((code) => code !== id && byId.has(code)),
      id,
    );
    const names = [title, ...alternateTitles].map((name) => name.toLowerCase());
    assert.is(new Set(names).size, names.length, id);
    titles += alternateTitles.length;
  }
  assert.is(release.alternateTitles.count, titles);
});

occupations('the release is credited as its licence requires', () => {
  assert.is(release.release, '29.0');
  assert.is(release.licence.url, 'https://creativecommons.org/licenses/by/4.0/');
  for (const words of ['O*NET 29.0 Database', 'USDOL/ETA', 'CC BY 4.0', 'not approved, endorsed, or tested'])
    assert.ok(release.credit.includes(words), words);
});

occupations.run();
