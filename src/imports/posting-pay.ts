import { isObject } from '../kernel/json.ts';
import { type AmountFormat, type FileAmount, findAmountFormat, readAmount } from './amounts.ts';
import { type DocumentReader, type JsonObject, readString } from './document.ts';

const membersByUnit: Readonly<Record<string, readonly [least: string, most: string]>> = {
  HOUR: ['payRateUsdHour', 'payRateMaxUsdHour'],
  YEAR: ['salaryUsdYear', 'salaryMaxUsdYear'],
};

interface FoundAmount {
  amount?: FileAmount;
  problem?: string;
  isUnstated?: true;
}

const findFormatOf = (values: readonly unknown[]): AmountFormat =>
  findAmountFormat(values.flatMap((value) => readString(value) ?? []));

/** Reads a number, or an amount as text. */
function readValue(sent: unknown, format: AmountFormat): FoundAmount {
  if (typeof sent === 'number') return sent > 0 ? { amount: { low: sent } } : { problem: 'must be above 0' };
  const text = readString(sent);
  if (text === undefined) return {};
  const read = readAmount(text, format);
  if ('problem' in read) return { problem: read.problem };
  return 'isUnstated' in read ? { isUnstated: true } : { amount: read };
}

const isDollars = (text: string) => /\$|\bUSD\b/.test(text);

/** Where the parts of a salary are: in an object with a value, or in the value itself. */
interface SalaryParts {
  unit: string;
  currency: string | undefined;
  amounts: readonly { object: JsonObject; name: string; at: string }[];
  /** The objects and names that say the unit and the currency. */
  facts: readonly { object: JsonObject; name: string }[];
}

/** The value for facts that contradict each other. It is neither a unit nor a currency. */
const contradiction = 'several';

function findParts(reader: DocumentReader, posting: JsonObject, sent: JsonObject): SalaryParts {
  const inner = reader.documents.resolve([sent.value].flat()[0]);
  const value = isObject(inner) ? inner : sent;
  const objects = value === sent ? [sent] : [value, sent];
  const find = (names: readonly string[], among: readonly JsonObject[]) =>
    among
      .flatMap((object) => names.map((name) => ({ object, name })))
      .filter(({ object, name }) => readString(object[name]));
  const unitPlaces = find(['unitText'], objects);
  const currencyPlaces = [...find(['currency'], objects), ...find(['salaryCurrency'], [posting])];
  // Facts that contradict each other say nothing.
  const read = (places: SalaryParts['facts']) => {
    const texts = new Set(places.map(({ object, name }) => readString(object[name])!.toUpperCase()));
    return texts.size > 1 ? contradiction : [...texts][0];
  };
  const amounts = ['minValue', 'maxValue', 'value']
    .map((name) => ({ object: value, name, at: `baseSalary.${value === sent ? '' : 'value.'}${name}` }))
    .filter(({ object, name }) => ['number', 'string'].includes(typeof object[name]));
  return {
    unit: read(unitPlaces) ?? '',
    currency: read(currencyPlaces),
    amounts,
    facts: [...unitPlaces, ...currencyPlaces],
  };
}

/** Says what is wrong with an amount for its name, if anything: an end of a range is no range itself. */
function findMisfit(name: string, { low, high }: FileAmount): string | undefined {
  if (name !== 'value' && low !== undefined && high !== undefined)
    return 'is a range, where one end belongs; send minValue and maxValue';
  return name === 'minValue' && low === undefined ? 'is the most, where the least belongs' : undefined;
}

/** Returns the ends of a salary by the names of its amounts. A value is there only without an end beside it. */
function joinAmounts(amounts: ReadonlyMap<string, FileAmount>): FileAmount {
  const [least, most, value] = ['minValue', 'maxValue', 'value'].map((name) => amounts.get(name));
  if (value) return value;
  const high = most?.low ?? most?.high;
  return { ...(least?.low !== undefined && { low: least.low }), ...(high !== undefined && { high }) };
}

/** Sets pay that is a text or a number of the posting itself. */
function readPlainPay(reader: DocumentReader, posting: JsonObject): void {
  const { baseSalary } = posting;
  const text = readString(baseSalary);
  const { amount, problem, isUnstated } = readValue(baseSalary, findFormatOf([baseSalary]));
  if (isUnstated) {
    reader.documents.take(posting, 'baseSalary');
    reader.leave('baseSalary', 'states no amount');
  }
  const currency = readString(posting.salaryCurrency)?.toUpperCase();
  if (problem !== undefined && text !== undefined) {
    reader.documents.take(posting, 'baseSalary');
    reader.fail('baseSalary', problem, text);
  }
  const isKnown = currency === 'USD' || (currency === undefined && text !== undefined && isDollars(text));
  const members = membersByUnit[amount?.unit?.toUpperCase() ?? ''];
  if (!amount || !members || !isKnown) return;
  reader.documents.take(posting, 'baseSalary');
  if (currency !== undefined) reader.documents.take(posting, 'salaryCurrency');
  reader.set(members[0], amount.low, 'baseSalary');
  reader.set(members[1], amount.high, 'baseSalary');
}

/** Sets pay in US dollars by the hour or year. Other pay is not taken. */
export function readPostingPay(reader: DocumentReader, posting: JsonObject): void {
  const sent = reader.documents.resolve([posting.baseSalary].flat()[0]);
  if (!isObject(sent)) {
    readPlainPay(reader, posting);
    return;
  }
  const { unit, currency, amounts, facts } = findParts(reader, posting, sent);
  const found = new Map<string, FileAmount>();
  let hasDollars = currency === 'USD';
  const format = findFormatOf(amounts.map(({ object, name }) => object[name]));
  for (const { object, name, at } of amounts) {
    const { amount, problem = amount && findMisfit(name, amount) } = readValue(object[name], format);
    if (problem !== undefined) {
      reader.documents.take(object, name);
      reader.fail(at, problem, object[name]);
    }
    if (amount && problem === undefined) found.set(name, amount);
    hasDollars ||= currency === undefined && typeof object[name] === 'string' && isDollars(object[name]);
  }
  const units = new Set(
    [unit, ...[...found.values()].map((amount) => amount.unit?.toUpperCase() ?? '')].filter(Boolean),
  );
  const members = units.size === 1 ? membersByUnit[[...units][0]!] : undefined;
  if (!members || !hasDollars || found.size === 0) return;
  // Beside an end, a value is another thing.
  if (found.has('minValue') || found.has('maxValue')) found.delete('value');
  for (const { object, name } of amounts) if (found.has(name)) reader.documents.take(object, name);
  for (const { object, name } of facts) reader.documents.take(object, name);
  if (sent !== posting.baseSalary && !Array.isArray(posting.baseSalary))
    reader.documents.take(posting, 'baseSalary');
  const { low, high } = joinAmounts(found);
  reader.set(members[0], low, 'baseSalary');
  reader.set(members[1], high, 'baseSalary');
}
