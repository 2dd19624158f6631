/** What a static build says wherever its words would else promise a live service; an MCP server card takes 100 characters. */
export const preview =
  'This is a static preview: searches, workspaces, creates (POST) and /mcp need the live service.';
