let asked: Promise<boolean> | undefined;

/**
 * Whether queries are answered at this address: a static host sends the whole list where one row was asked
 * for. Asked once a page.
 */
export function isLive(): Promise<boolean> {
  asked ??= fetch('/placements.json?limit=1')
    .then(async (response) => {
      const { placements } = (await response.json()) as { placements: unknown[] };
      return response.ok && placements.length === 1;
    })
    .catch(() => false);
  return asked;
}
