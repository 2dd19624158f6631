/** A stretch of JSON text: a name, a string, a number, a word (true, false, null), or what is between. */
interface JsonToken {
  kind: 'name' | 'string' | 'number' | 'word' | undefined;
  text: string;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** JSON text cut into tokens; joined, they are the text again. */
export function* toJsonTokens(text: string): Generator<JsonToken> {
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    if (match.index > end) yield { kind: undefined, text: text.slice(end, match.index) };
    const kind = string ? (colon ? 'name' : 'string') : /[\d-]/.test(whole[0]!) ? 'number' : 'word';
    yield { kind, text: string ?? whole };
    if (colon) yield { kind: undefined, text: colon };
    end = match.index + whole.length;
  }
  yield { kind: undefined, text: text.slice(end) };
}
