/** The token of the address, which it leaves at once; kept for this tab alone, so that the page can be loaded anew. */
export function takeToken(place: string): string {
  const given = location.hash.slice(1);
  if (given !== '') {
    history.replaceState(null, '', location.pathname);
    sessionStorage.setItem(place, given);
  }
  return given || (sessionStorage.getItem(place) ?? '');
}
