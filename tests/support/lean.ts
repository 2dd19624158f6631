import type { Body } from './http.ts';

const kept = ['candidate', 'jobOrder', 'receipt', 'keys'];

function leanMember(name: string, member: Body): Body {
  if (name === 'links') {
    const links = Object.entries(member).filter(([link]) => kept.includes(link));
    return links.length > 0 ? Object.fromEntries(links) : undefined;
  }
  if (!Array.isArray(member)) return lean(member);
  const rows = member.filter((row) => row?.calls !== 0).map(lean);
  return rows.length > 0 ? rows : undefined;
}

/** Returns a body of HTTP as a tool returns it: without addresses, empty lists and rows of no calls. */
export function lean(body: Body): Body {
  if (Array.isArray(body)) return body.map(lean);
  if (typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body).map(([name, member]) => [name, leanMember(name, member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
