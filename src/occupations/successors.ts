import type { Service } from '../kernel/service.ts';

/** Codes of O*NET-SOC 2010 that O*NET-SOC 2019 has no more, and what took their place: content/successors.json. */
export type Successors = Record<string, { title: string; codes: string[] }>;

declare module '../kernel/service.ts' {
  interface Catalogue {
    successors: Successors;
  }
}

/** Codes with their titles, as a sentence lists them. */
export function toNamed(codes: readonly string[], { occupationByCode }: Service): string {
  return codes.map((code) => `${code} (${occupationByCode.get(code)?.title})`).join(', ');
}

/** What took the place of a code of 2010 that is gone, in words; undefined for any other text. */
export function toSuccession(code: string, service: Service): string | undefined {
  const { successors } = service.catalogue;
  if (!Object.hasOwn(successors, code)) return undefined;
  const { title, codes } = successors[code]!;
  return `${code} (${title}) is a code of O*NET-SOC 2010 that is gone; use ${toNamed(codes, service)}`;
}
