/** What PRAGMA user_version tells of a file of ours. */
export const schemaVersion = 8;

/**
 * A workspace has a number that is never given again while this process lives; its records and names are ranges of
 * their tables by that number, so that what is made together lies together, and a page of one kind is read as one
 * range. A row of names tells the record that has the name, how many records hold that, or both.
 */
export const workspacesOf = `
  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    records INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    counts TEXT NOT NULL,
    state TEXT
  );
  CREATE INDEX workspaces_by_expiry ON workspaces (expires_at);
  CREATE TABLE records (
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL,
    fact TEXT NOT NULL,
    PRIMARY KEY (workspace, kind, seq)
  ) WITHOUT ROWID;
  CREATE TABLE names (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT,
    seq INTEGER,
    held INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace, name)
  ) WITHOUT ROWID;
`;

/** A kept reply belongs to the workspace that takes it along. */
const keys = `
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    fingerprint BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    workspace INTEGER,
    reply TEXT NOT NULL
  );
  CREATE INDEX keys_by_expiry ON keys (expires_at);
`;

/** What finds the kept replies of a workspace. */
export const keysOf = 'CREATE INDEX keys_by_workspace ON keys (workspace);';

/** What leads to a workspace without its hash; a name of one that is gone leads nowhere. */
export const pointersOf = `
  CREATE TABLE pointers (
    name BLOB PRIMARY KEY,
    workspace INTEGER NOT NULL,
    leads_to TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX pointers_by_workspace ON pointers (workspace);
  CREATE INDEX pointers_by_expiry ON pointers (expires_at);
`;

/** What was charged in a workspace; none where nothing ever was. */
export const usedOf = 'ALTER TABLE workspaces ADD COLUMN used TEXT;';

/** What was charged and is not in the rows of workspaces. */
export const chargeLogOf =
  'CREATE TABLE charge_log (number INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL);';

/** What makes the tables of an empty file. */
export const schema = `${workspacesOf} ${usedOf} ${chargeLogOf} ${keys} ${keysOf} ${pointersOf} PRAGMA user_version = ${schemaVersion};`;
