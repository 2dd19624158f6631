const place = 'visitor';

function recallVisitor(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

function createVisitor(): string {
  const name = `browser-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`;
  try {
    localStorage.setItem(place, name);
  } catch {}
  return name;
}

let current: string | undefined;

/**
 * The name by which the activity knows this browser, sent as X-Actor with each change that a person makes here. It is random,
 * and opens nothing. If the browser forbids storage, it lasts as long as the page.
 */
export function findVisitor(): string {
  current ??= recallVisitor() ?? createVisitor();
  return current;
}
