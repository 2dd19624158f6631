/** Revisions of MCP that open with an initialize handshake, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Revisions in which every request names its own. */
export const modernVersions = ['2026-07-28'];
/** All that the door speaks, newest first. */
export const supportedVersions = [...modernVersions, ...legacyVersions];
