import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';

const journey = suite('the way of an agent from the first reply to a grade');

/** What an agent has read so far. It follows only addresses that stand there. */
class Reader {
  text = '';

  async read(method: string, path: string, headers: Record<string, string> = {}) {
    assert.ok(path.startsWith('/'), `${path} is an address of this service`);
    const { status, text } = await client.ask(method, path, undefined, headers);
    assert.ok(status < 400, `${method} ${path} is ${status}: ${text}`);
    this.text = text;
    return text;
  }

  /** Returns the first group of a pattern in the last reply. */
  find(pattern: RegExp): string {
    const found = pattern.exec(this.text)?.[1];
    assert.ok(found, `the reply has ${pattern}: ${this.text.slice(0, 3000)}`);
    return found!;
  }
}

/** Ways to write the address of the list, and that of one brief, by the representation that an agent reads. */
const ways = {
  'the JSON at /': { path: '/', list: /"GET (\/briefs)"/, brief: /"self":"(\/briefs\/[\w-]+)"/ },
  'the links of the JSON at /': { path: '/', list: /"briefs":"(\/briefs)"/, brief: /"self":"([^"]+)"/ },
  '/index.md': { path: '/index.md', list: /\]\((\/briefs\.md)\)/, brief: /\]\((\/briefs\/[\w-]+\.md)\)/ },
  '/llms.txt': { path: '/llms.txt', list: /\]\((\/briefs)\)/, brief: /"self":"(\/briefs\/[\w-]+)"/ },
};

for (const [name, { path, list, brief }] of Object.entries(ways))
  journey(`lists the briefs, starts one and reads its grade, by ${name}`, async () => {
    const agent = new Reader();
    await agent.read('GET', path);
    await agent.read('GET', agent.find(list));
    await agent.read('GET', agent.find(brief));
    const start = agent.find(/POST `?(\/briefs\/[\w-]+\/start)/);
    const grade = agent.find(/GET `?(\/\w+)/);
    const header = agent.find(/\b(X-\w+)/);
    const { grader, workspace } = JSON.parse(await agent.read('POST', start));
    assert.match(workspace, /^ws_/);
    const graded = JSON.parse(await agent.read('GET', grade, { [header]: grader }));
    assert.is(graded.grade.passed, false);
  });

for (const path of ['/', '/llms.txt'])
  journey(`says at ${path} how to start a brief and how to be graded`, async () => {
    const agent = new Reader();
    await agent.read('GET', path);
    assert.is(agent.find(/POST (\/briefs\/\{id\}\/start)/), '/briefs/{id}/start');
    assert.is(agent.find(/GET (\/grade)\b/), '/grade');
    assert.is(agent.find(/(X-Grader)/), 'X-Grader');
  });

journey.run();
