import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1));

/** The data release behind the occupations, its licence and the credit that it asks for: content/onet.json. */
export const OnetRelease = v.strictObject({
  release: text,
  title: text,
  released: text,
  publisher: text,
  licence: v.strictObject({ name: text, url: text }),
  credit: text,
  trademark: text,
  modifications: text,
  alternateTitles: v.strictObject({ count: v.number(), statement: text }),
  occupations: v.number(),
});
export type OnetRelease = v.InferOutput<typeof OnetRelease>;

declare module '../kernel/service.ts' {
  interface Catalogue {
    onet: OnetRelease;
  }
}
