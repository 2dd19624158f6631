import * as v from 'valibot';

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * A union that judges an object by the one form it shares the most members with (the first of equals), so
 * that a problem is told at its own path. `message` is for what is in no form at all.
 */
export function toForms<const F extends v.UnionOptions>(forms: F, message: string): v.UnionSchema<F, string> {
  const union = v.union(forms, message);
  const objects = forms.filter((form) => 'entries' in form) as (F[number] & { entries: v.ObjectEntries })[];
  const toLikeness = (form: { entries: v.ObjectEntries }, value: object) =>
    Object.keys(value).filter((key) => Object.hasOwn(form.entries, key)).length;

  return {
    ...union,
    '~run'(dataset, config) {
      const { value } = dataset;
      if (!isObject(value)) return union['~run'](dataset, config);
      const nearest = objects.reduce((best, form) =>
        toLikeness(form, value) > toLikeness(best, value) ? form : best,
      );
      return nearest['~run'](dataset, config) as ReturnType<(typeof union)['~run']>;
    },
  };
}
