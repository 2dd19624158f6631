/** JSON as it stands inside a JSON string. The quote of two texts is that of the first and that of the second. */
export function quote(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}
