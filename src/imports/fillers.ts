import content from '../../content/import-columns.json' with { type: 'json' };

const fillers = new Set(content.fillers);
const longest = Math.max(...content.fillers.map((filler) => filler.length));

/** Whether a text only fills its place, such as "N/A" or "--". It counts as empty. */
export const isFiller = (text: string): boolean => {
  const word = text.length > 4 * longest ? '' : text.trim();
  return word.length <= longest && fillers.has(word.toLowerCase());
};
