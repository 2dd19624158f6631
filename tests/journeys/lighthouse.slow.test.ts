import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listShortfalls, startLighthouse } from '../../scripts/referees/lighthouse/judge.ts';
import { executablePath } from '../support/browser.ts';
import { useServer } from '../support/server.ts';

const pages = suite('Lighthouse on a phone');
const { origin } = await useServer();
const lighthouse = await startLighthouse(executablePath);
pages.after(() => lighthouse.stop());

/** A busy machine lowers performance. `npm run referees -- lighthouse` judges that, on every page. */
const steady = ['accessibility', 'best-practices', 'seo'] as const;

for (const path of ['/', '/receipt.html', '/occupations.html', '/guides/getting-started.html'])
  pages(`gives ${path} full marks for accessibility, best practices and SEO`, async () => {
    assert.equal(listShortfalls(path, await lighthouse.judge(origin + path, steady), true), []);
  });

pages.run();
