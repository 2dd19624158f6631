/** What a request (Indexed Database API 3.0, section 2.8) answers. */
export function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves once a transaction (section 2.7) is committed. */
export function commit({ transaction }: IDBObjectStore): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

/** What stands in a range, in its order or against it, up to so many. */
export async function readRange<T>(
  objects: IDBObjectStore,
  range: IDBKeyRange,
  {
    direction = 'next',
    limit = Number.POSITIVE_INFINITY,
  }: { direction?: 'next' | 'prev'; limit?: number } = {},
): Promise<{ key: IDBValidKey; value: T }[]> {
  const found: { key: IDBValidKey; value: T }[] = [];
  const cursors = objects.openCursor(range, direction);
  for (;;) {
    const cursor = await settle(cursors);
    if (!cursor) return found;
    found.push({ key: cursor.key, value: cursor.value });
    if (found.length >= limit) return found;
    cursor.continue();
  }
}

/** All keys that begin with these: an array sorts behind every text and number (section 2.4). */
export const toRange = (...begin: string[]) => IDBKeyRange.bound(begin, [...begin, []]);
