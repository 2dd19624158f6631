/** Excel reads a file as UTF-8 only if it begins with a byte order mark. */
export const byteOrderMark = '\uFEFF';

/**
 * Where a spreadsheet could begin a formula, and where an import would take a text for a marked one: at the start of a
 * cell and, for a spreadsheet that splits the file at other signs, behind a semicolon or a tab.
 */
const formula = /(^|[;\t] *"*)(?='*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20])/g;

const entity = /&(?=(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp);)/gi;

/** A value of a cell. A list is written with semicolons. */
export type CellValue = string | number | boolean | null | undefined | readonly string[];

/** Writes every digit of a number, and no exponent. */
const digits = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 });

/** Formats an item of a list. It is in quotes if a reader would split it. */
function formatItem(text: string): string {
  return /[,;\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formatText(value: CellValue): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return digits.format(value);
  return typeof value === 'object' ? value.map(formatItem).join('; ') : String(value);
}

/** Formats a cell as RFC 4180 asks. An apostrophe stands before what a spreadsheet would run as a formula. */
function formatCell(value: CellValue): string {
  const text = formatText(value).replace(entity, '&amp;');
  const safe = text.replace(formula, "$1'");
  return /[",;\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a row of a table as CSV (RFC 4180) that Excel and LibreOffice open with the right letters. */
export const formatRow = (cells: readonly CellValue[]): string => `${cells.map(formatCell).join(',')}\r\n`;
