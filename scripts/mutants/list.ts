import { readFileSync } from 'node:fs';
import { requireOfReferees } from '../referees/install.ts';

/** One change of one file: the characters from `start` to `end` become `text`. */
export interface Mutant {
  file: string;
  line: number;
  start: number;
  end: number;
  from: string;
  text: string;
}

/** What each operator becomes. */
const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
};

/** What each method, or function of `Math`, becomes. */
const methods: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
};

type Change = [from: { getStart(): number; end: number }, text: string];

/** Lists the changes of one node of the tree, apart from its children. `ts` is the compiler. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler of the referees comes without its types
function listChanges(ts: any, node: any): Change[] {
  const text: string = node.getText();
  if (ts.isBinaryExpression(node)) {
    const other = operators[node.operatorToken.getText()];
    return other === undefined ? [] : [[node.operatorToken, other]];
  }
  if (ts.isIfStatement(node)) return [[node.expression, `!(${node.expression.getText()})`]];
  if (ts.isConditionalExpression(node)) return [[node.condition, `!(${node.condition.getText()})`]];
  if (ts.isPrefixUnaryExpression(node) && text.startsWith('!')) return [[node, `(${text.slice(1)})`]];
  if (ts.isNumericLiteral(node)) return [[node, `(${text} + 1)`]];
  if (text === 'true') return [[node, 'false']];
  if (text === 'false') return [[node, 'true']];
  if (ts.isPropertyAccessExpression(node)) {
    const other = methods[node.name.text];
    return other === undefined ? [] : [[node.name, other]];
  }
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return [[node, ';']];
  return [];
}

/** Lists the mutants of a file, in its order. Types have none, nor have texts. */
export function listMutants(file: string): Mutant[] {
  const ts = requireOfReferees('typescript');
  const source = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const visit = (node: any): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const [part, text] of listChanges(ts, node)) {
      const [start, { end }] = [part.getStart(), part];
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ file, line, start, end, from: source.slice(start, end), text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}
