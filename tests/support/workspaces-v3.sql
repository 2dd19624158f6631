PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA application_id = 1129337649;
PRAGMA user_version = 3;
CREATE TABLE records (
  workspace BLOB NOT NULL,
  seq INTEGER NOT NULL,
  size INTEGER,
  expires_at INTEGER,
  kind TEXT NOT NULL,
  fact TEXT NOT NULL,
  PRIMARY KEY (workspace, seq)
) WITHOUT ROWID;
CREATE INDEX workspaces_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE keys (
  number INTEGER PRIMARY KEY,
  name BLOB NOT NULL UNIQUE,
  fingerprint BLOB NOT NULL,
  expires_at INTEGER NOT NULL,
  reply TEXT NOT NULL
);
CREATE INDEX keys_by_expiry ON keys (expires_at);
