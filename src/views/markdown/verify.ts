import type { Service } from '../../core/service.ts';
import { toSuites } from '../suites.ts';

/** How this service is judged, as prose for a model. */
export async function toVerifyMarkdown(service: Service): Promise<string> {
  const rows = (await toSuites(service)).map(
    ({ name, runner, digest, url, statement }) =>
      `## ${name}\n\n${statement}\n\n- runner: ${runner}\n- digest: \`${digest}\`${url ? `\n- document: [${url}](${url})` : ''}`,
  );
  return `# Verification

Do not take this service's word for it. These suites judge it from outside, and each is pinned by its digest: the SHA-256 of the served bytes.

${rows.join('\n\n')}

Next: [the same as JSON](/verify.json), [contract](/openapi.json).
`;
}
