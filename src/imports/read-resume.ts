import type { Steps } from '../kernel/steps.ts';
import {
  DocumentReader,
  type JsonObject,
  listDocuments,
  readObject,
  readObjects,
  readString,
} from './document.ts';
import { createFile, type ImportFile } from './import-file.ts';

const joinPlace = ({ city, region }: JsonObject) =>
  [city, region]
    .map(readString)
    .filter((part) => part !== undefined)
    .join(', ') || undefined;

/** Lists the skills of a résumé: the keywords of each, or its name if it has none. */
function listSkills(skills: unknown): string[] {
  const names = readObjects(skills).flatMap(({ name, keywords }) => {
    const words = [keywords].flat().map(readString);
    return words.some((word) => word !== undefined) ? words : [readString(name)];
  });
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Sets the title: the label of the person or, without one, the position of the job that has no end. */
function readTitle(reader: DocumentReader, basics: JsonObject, work: readonly JsonObject[]): void {
  const label = readString(basics.label);
  if (label !== undefined) {
    reader.set('title', label, 'basics.label');
    return;
  }
  const index = work.findIndex(({ position, endDate }) => readString(position) && !readString(endDate));
  if (index >= 0) reader.set('title', readString(work[index]!.position), `work[${index}].position`);
}

function* readDocument(document: JsonObject, reader: DocumentReader): Steps<void> {
  const basics = readObject(document.basics);
  const location = readObject(basics.location);
  const work = readObjects(document.work);
  yield* reader.refuseLong(document, ['skills', 'certificates']);
  yield* reader.refuseLong(basics, ['name', 'label', 'location'], 'basics');
  yield* reader.refuseLong({ work: work.map(({ position, endDate }) => ({ position, endDate })) }, ['work']);
  const certificates = readObjects(document.certificates);
  const credentials = certificates.map(({ name }) => readString(name)).filter((name) => name !== undefined);
  reader.set('name', readString(basics.name), 'basics.name');
  readTitle(reader, basics, work);
  reader.set('metro', joinPlace(location), 'basics.location');
  reader.set('skills', listSkills(document.skills), 'skills');
  reader.set('credentials', [...new Set(credentials)], 'certificates');
  const hasTitleOfWork = reader.row.places.title?.includes('work[') ?? false;
  const taken = ['$schema', 'meta', 'basics', 'skills', 'certificates', ...(hasTitleOfWork ? ['work'] : [])];
  reader.leave(document, taken);
  reader.leave(basics, ['name', 'label', 'location'], 'basics');
  reader.leave(location, ['city', 'region'], 'basics.location');
  if (hasTitleOfWork)
    for (const [index, job] of work.entries()) {
      const isTitle = reader.row.places.title!.endsWith(`work[${index}].position`);
      reader.leave(job, isTitle ? ['position'] : [], `work[${index}]`);
      yield;
    }
  for (const [index, certificate] of certificates.entries())
    reader.leave(certificate, ['name'], `certificates[${index}]`);
}

/**
 * Reads a résumé in the form of JSON Resume (jsonresume.org, 1.0.0), or several, as candidates. Throws a Refusal if it
 * is neither an object nor an array of them, or holds a text or a list that is too long.
 */
export function* readResume(data: unknown): Steps<ImportFile> {
  const file = createFile();
  for (const { document, at } of listDocuments(data)) {
    yield* readDocument(document, new DocumentReader(file, at));
    yield;
  }
  return file;
}
