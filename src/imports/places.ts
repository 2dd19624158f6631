const countries = /^(?:usa|u\.s\.a?\.?|us|united states(?: of america)?)$/i;
const zip = /\b\d{5}(?:-\d{4})?$/;

/**
 * Returns the city and state of a place, without a country, a ZIP code and a street: `12 Main St, Columbus, OH 43215,
 * USA` is `Columbus, OH`. A place without a comma stays as it is, without a ZIP code.
 */
export function toCityAndState(text: string): string {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !countries.test(part))
    .map((part) => part.replace(zip, '').trim())
    .filter((part) => part !== '');
  const hasStreet = parts.length > 2 || /^\d/.test(parts[0] ?? '');
  return (hasStreet ? parts.slice(Math.max(1, parts.length - 2)) : parts).join(', ');
}
