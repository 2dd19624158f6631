import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { createRandom } from '../../support/random-desk.ts';
import { World } from '../../support/world.ts';

const law = suite('what a shortlist of a random desk never shows');

const codes = ['29-1141.00', '15-1252.00'];
const clients = ['Wexley Care', 'wexley care ', 'Orbin Health'];
/** Words that no other text has. The last two have no spaces around them in a text. */
const namePool = ['Zqarin', "O'Qellim", 'Jœrnvik', 'Anne-Quorra', 'Xélho', 'de', 'Vq', '王小明', 'Ünqar'];
const toClient = (client: string) => client.trim().toLowerCase();

interface Person {
  ref: string;
  name: string;
  employer: string;
  credentials: string[];
}

/** A desk with two clients, on which people were declined before, and what must not be read on a shortlist. */
class SecretDesk {
  readonly #world = new World();
  readonly #random: () => number;
  #mine = {};
  readonly people: Person[] = [];
  readonly orders: { ref: string; client: string }[] = [];
  /** By person and client in lower case. */
  readonly declined = new Set<string>();
  readonly secrets: string[] = [];

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  #below = (count: number) => Math.floor(this.#random() * count);
  #pick = <T>(items: readonly T[]): T => items[this.#below(items.length)]!;

  async ask(method: string, path: string, body?: object, headers: object = this.#mine) {
    const answer = await this.#world.ask(method, path, body, headers);
    assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`);
    return answer;
  }

  /** Returns a text that no caller may read on a shortlist. */
  #hide(kind: string): string {
    const secret = `zx${kind}${this.secrets.length}zx`;
    this.secrets.push(secret);
    return secret;
  }

  /** Returns an amount that no other number of a shortlist contains. */
  #pay(): number {
    const amount = 40.37 + (this.secrets.length % 50);
    this.secrets.push(amount.toFixed(2));
    return Number(amount.toFixed(2));
  }

  async start(): Promise<void> {
    const candidates = Array.from({ length: 4 }, (_, index) => this.#makePerson(index));
    const jobOrders = Array.from({ length: 4 }, (_, index) => this.#makeOrder(index));
    const { body } = await this.ask('POST', '/batch', { candidates, jobOrders });
    this.#mine = { 'x-workspace': body.workspace };
    this.secrets.push(body.workspace, 'cand_', 'job_');
  }

  #makePerson(index: number): object {
    const ref = this.#hide('ref');
    const name = `${this.#pick(namePool)} ${this.#pick(namePool)} Pq${index}rsona`;
    const employer = `Zmployer${index}`;
    const credentials = ['BLS', `ACLS ${name.split(' ')[0]}`].slice(0, this.#below(3));
    this.people.push({ ref, name, employer, credentials });
    return {
      ...{ ref, name, credentials, onetCode: this.#pick(codes) },
      title: `Nurse at ${employer}`,
      skills: [`Go at ${employer} until 2030-01-01`, `${name} method`, 'SQL'],
      payRateUsdHour: this.#pay(),
      source: this.#hide('source'),
      note: this.#hide('note'),
    };
  }

  #makeOrder(index: number): object {
    const ref = this.#hide('ref');
    const client = this.#pick(clients);
    this.orders.push({ ref, client });
    return {
      ...{ ref, client, title: `Work ${index}`, onetCode: this.#pick(codes), requires: ['BLS'] },
      ...{ openings: 4, billRateUsdHour: this.#pay() + 30, payRateUsdHour: this.#pay() },
      ...{ note: this.#hide('note'), contact: this.#hide('contact') },
    };
  }

  async #propose(person: Person, order: { ref: string }): Promise<string> {
    const onetCode = this.#pick(codes);
    const pair = { candidateId: `#${person.ref}`, jobOrderId: `#${order.ref}`, onetCode };
    const sent = { ...pair, status: 'proposed', note: this.#hide('note'), payRateUsdHour: this.#pay() };
    return (await this.ask('POST', '/placements', sent)).body.placement.id;
  }

  /** Declines some people for some orders, for the client or for another reason. */
  async decline(): Promise<void> {
    for (const person of this.people) {
      const order = this.#pick(this.orders);
      if (this.#random() < 0.3) continue;
      const id = await this.#propose(person, order);
      const declineReason = this.#pick(['client', 'candidate', 'other']);
      await this.ask('PATCH', `/placements/${id}`, {
        ...{ status: 'declined', declineReason, reason: this.#hide('reason') },
      });
      if (declineReason === 'client') this.declined.add(`${person.ref} ${toClient(order.client)}`);
      if (this.#random() < 0.5) {
        person.credentials.push('TNCC');
        await this.ask('PATCH', `/candidates/%23${person.ref}`, { credentials: person.credentials });
      }
    }
  }

  /** Proposes everybody for an order, and reads its shortlist through a link with names and one without. */
  async share({ ref }: { ref: string }) {
    for (const person of this.people) await this.#propose(person, { ref });
    const make = async (sent: object) => {
      const { body } = await this.ask('POST', `/job-orders/%23${ref}/shortlist`, sent);
      return { 'x-shortlist': body.shortlist.token as string };
    };
    const named = await make({ reviewer: 'Dana' });
    const blind = await make({ anonymous: true });
    const see = (held: object) => this.ask('GET', '/shortlist', undefined, held);
    for (const { id } of (await see(named)).body.shortlist.placements) {
      const comment = `${this.people.map(({ name }) => name).join(' or ')}?`;
      const sent = { placementId: id, decision: 'comment', comment };
      await this.ask('POST', '/shortlist', sent, named);
      // A comment comes back in the row, through the link without names too.
      const back = await this.ask('POST', '/shortlist', { ...sent, comment: 'Who is it?' }, blind);
      this.#holdAnonymous(back.text);
    }
    const [open, hidden] = [await see(named), await see(blind)];
    this.#holdSecrets(open.text);
    this.#holdSecrets(hidden.text);
    this.#holdAnonymous(hidden.text);
    return { open: open.body.shortlist, hidden: hidden.body.shortlist };
  }

  #holdSecrets(text: string): void {
    for (const secret of this.secrets) assert.not.ok(text.includes(secret), `${secret} in ${text}`);
  }

  #holdAnonymous(text: string): void {
    const folded = text.toLowerCase();
    for (const { name, employer } of this.people) {
      for (const word of name.split(/[^\p{L}\d]+/u).filter((one) => one.length > 2))
        assert.not.ok(folded.includes(word.toLowerCase()), `${word} in ${text}`);
      assert.not.ok(text.includes(employer), `${employer} in ${text}`);
    }
  }
}

law('has no pay, note, ref or id, and no name or employer on an anonymous link', async () => {
  let declines = 0;
  for (let seed = 0; seed < 8; seed += 1) {
    const desk = new SecretDesk(seed);
    await desk.start();
    await desk.decline();
    for (const order of desk.orders.slice(0, 2)) {
      const others = desk.orders.filter(({ client }) => toClient(client) !== toClient(order.client));
      const { open, hidden } = await desk.share(order);
      assert.is(open.placements.length, 4);
      for (const { candidate, declinedBefore } of open.placements as Body[]) {
        const person = desk.people.find(({ name }) => name === candidate.name)!;
        const was = desk.declined.has(`${person.ref} ${toClient(order.client)}`);
        assert.is(declinedBefore !== undefined, was, `declined by ${order.client}`);
        if (!was) continue;
        declines += 1;
        const { newCredentials } = declinedBefore;
        assert.equal(newCredentials, person.credentials.includes('TNCC') ? ['TNCC'] : []);
      }
      for (const { client } of others) assert.not.match(JSON.stringify(open), client.trim());
      for (const row of hidden.placements) assert.not('declinedBefore' in row);
      const scores = (rows: Body[]) => rows.map(({ score }) => score);
      assert.equal(scores(hidden.placements), scores(open.placements), 'people fit as before');
    }
  }
  assert.ok(declines > 0);
});

law.run();
