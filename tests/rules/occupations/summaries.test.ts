import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';

const summaries = suite('summaries of occupations');

const { occupations: rows } = (await client.get('/occupations')).body;
const records: Body[] = [];
for (const { id } of rows) records.push((await client.get(`/occupations/${id}`)).body.occupation);
const byCode = new Map(records.map((record) => [record.id, record]));
const nurse = byCode.get('29-1141.00')!.summary;

const idle = new Set(
  'a an and as at be by each for from in into is it its not of on or other own such than that the their them they this to who with work worker'.split(
    ' ',
  ),
);
const endings = /(?:ations?|ings?|[eo]rs?|ies|ied|es|ed|s|y|e)$/;

/** Returns the stems of the words that mean something, so that `nurses` and `nursing` are the same word. */
function listStems(text: string): Set<string> {
  const words = (text.toLowerCase().match(/[a-z][a-z']+/g) ?? []).filter((word) => !idle.has(word));
  return new Set(words.map((word) => (word.length > 4 ? word.replace(endings, '') : word)));
}

/** Returns the stems of a summary that are not in the title. */
const listOwnStems = ({ title, summary }: Body) => listStems(summary).difference(listStems(title));

/** Returns the codes and titles of the records that break a rule. */
const listBreaches = (isBreach: (record: Body) => boolean) =>
  records.filter(isBreach).map(({ id, title, summary }) => `${id} ${title}: ${summary}`);

summaries('every occupation has one of at most 140 characters', () => {
  assert.is(records.length, 1016);
  assert.equal(
    listBreaches(({ summary = '' }) => summary === '' || summary.length > 140),
    [],
  );
});

summaries('is one plain sentence that begins with what the worker does', () => {
  const isSentence = (text: string) =>
    /^[A-Z][-a-z]+s,? [^;]+[^.;]\.$/.test(text) && !/\. |\betc\b/.test(text);
  assert.equal(
    listBreaches(({ summary }) => !isSentence(summary)),
    [],
  );
});

summaries('no two are alike', () => {
  const bySummary = Map.groupBy(records, ({ summary }) => summary.toLowerCase());
  assert.equal(
    [...bySummary.values()].filter(({ length }) => length > 1),
    [],
  );
});

summaries('no five begin with the same three words', () => {
  const byOpening = Map.groupBy(records, ({ summary }) => summary.split(/\W+/, 3).join(' '));
  const common = [...byOpening].filter(([, { length }]) => length >= 5).map(([opening]) => opening);
  assert.equal(common, []);
});

summaries('says more than the title', () => {
  assert.equal(
    listBreaches((record) => listOwnStems(record).size < 2),
    [],
  );
});

summaries('names something that the five closest related occupations do not', () => {
  const isLikeNeighbours = (record: Body) => {
    const neighbours: Body[] = (record.relatedOccupations ?? []).slice(0, 5);
    const stems = neighbours.flatMap(({ id }) => [...listStems(byCode.get(id)!.summary)]);
    return listOwnStems(record).isSubsetOf(new Set(stems));
  };
  assert.equal(listBreaches(isLikeNeighbours), []);
});

summaries('is in each row of a search by title', async () => {
  const { body } = await client.get('/occupations?q=registered%20nurse&limit=5');
  assert.is(body.occupations.length, 5);
  for (const { id, summary } of body.occupations) assert.is(summary, byCode.get(id)!.summary, id);
});

summaries('is in each row of a search by code', async () => {
  const { body } = await client.get('/occupations?q=29-1141');
  assert.is(body.occupations.length, 5);
  for (const { id, summary } of body.occupations) assert.is(summary, byCode.get(id)!.summary, id);
});

summaries('is in no row of a list without a query', async () => {
  const { body } = await client.get('/occupations?majorGroup=29&limit=3');
  for (const row of body.occupations) assert.not('summary' in row, row.id);
});

summaries('is in the first row of coded titles', async () => {
  const { body } = await client.post('/titles', { titles: ['registered nurse', '29-1141.00'] });
  for (const { title, occupations } of body.titles) {
    assert.is(occupations[0].id, '29-1141.00', title);
    assert.is(occupations[0].summary, byCode.get('29-1141.00')!.summary, title);
    for (const { id, summary } of occupations.slice(1)) assert.is(summary, undefined, id);
  }
});

summaries('is in the Markdown of an occupation', async () => {
  assert.ok((await client.get('/occupations/29-1141.00.md')).text.includes(nurse));
});

summaries.run();
