import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requireOfReferees } from '../../../scripts/referees/install.ts';
import { workspaceIdPattern } from '../../../src/records/account/workspace.ts';

const recheck = requireOfReferees('recheck');
const ts = requireOfReferees('typescript');
const root = join(import.meta.dirname, '..', '..', '..');
const test = suite('regular expressions');
/** Code that runs at build time, or on a page for its own reader, gets no input of callers. */
const unmet = /^src\/(pages|hosts\/build)\//;

// biome-ignore lint/suspicious/noExplicitAny: the compiler is loaded without its types
type Node = any;

interface Found {
  file: string;
  source: string;
  flags: string;
}

function listSources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !unmet.test(file));
}

/** Lists every regular expression of a source file, and every one that is built there. */
function toExpressions(file: string): { literals: Found[]; made: string[] } {
  const literals: Found[] = [];
  const made: string[] = [];
  const tree = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const visit = (node: Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text)!;
      literals.push({ file, source, flags });
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp')
      made.push(`${file}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { literals, made };
}

/**
 * Without timeouts the fuzzer only counts steps. With timeouts it is faster, but a busy machine looks like an attack.
 */
const noTimeouts = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

async function check(source: string, flags: string) {
  const found = await recheck.check(source, flags, { timeout: null });
  return found.status === 'safe' ? found : recheck.check(source, flags, { timeout: null, ...noTimeouts });
}

const all = listSources().map(toExpressions);

test('take at worst a time in proportion to the length of their input', async () => {
  const literals = all.flatMap((one) => one.literals);
  const ids = { file: 'src/records/account/workspace.ts', source: workspaceIdPattern, flags: '' };
  assert.ok(literals.length > 40, `${literals.length} found`);
  const slow: string[] = [];
  for (const { file, source, flags } of [...literals, ids]) {
    const found = await check(source, flags);
    if (found.status === 'safe') continue;
    const worst = found.status === 'vulnerable' ? found.complexity.summary : 'not decided';
    slow.push(`${file}: /${source}/${flags} ${worst}`);
  }
  assert.equal(slow, []);
});

test.run();
