PRAGMA auto_vacuum = 2;
PRAGMA application_id = 1129337649;
PRAGMA user_version = 4;
CREATE TABLE records (
    workspace BLOB NOT NULL,
    seq INTEGER NOT NULL,
    size INTEGER,
    expires_at INTEGER,
    kind TEXT NOT NULL,
    fact TEXT NOT NULL,
    bytes INTEGER,
    PRIMARY KEY (workspace, seq)
  ) WITHOUT ROWID;
CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    fingerprint BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    reply TEXT NOT NULL
  );
INSERT INTO records (workspace,seq,size,expires_at,kind,fact,bytes) VALUES (x'1f8f3e8953bd5cf8392fc58e7f623d82d868cf21e6a3e42a3ad9e66c622e2a8a',1,4,1795264496789,'candidate','{"id":"cand_one","name":"Zoë \"\\\u0000 🧑‍💻 \ud800","onetCode":"15-1252.00","skills":["{}","SQL"]}',364);
INSERT INTO records (workspace,seq,size,expires_at,kind,fact,bytes) VALUES (x'1f8f3e8953bd5cf8392fc58e7f623d82d868cf21e6a3e42a3ad9e66c622e2a8a',2,NULL,NULL,'jobOrder','{"id":"job_one","client":"Example Works","title":"Developer","onetCode":"15-1252.00"}',NULL);
INSERT INTO records (workspace,seq,size,expires_at,kind,fact,bytes) VALUES (x'1f8f3e8953bd5cf8392fc58e7f623d82d868cf21e6a3e42a3ad9e66c622e2a8a',3,NULL,NULL,'placement','{"id":"plc_1","candidateId":"cand_one","jobOrderId":"job_one","onetCode":"15-1252.00"}',NULL);
INSERT INTO records (workspace,seq,size,expires_at,kind,fact,bytes) VALUES (x'1f8f3e8953bd5cf8392fc58e7f623d82d868cf21e6a3e42a3ad9e66c622e2a8a',4,NULL,NULL,'placement','{"id":"plc_2","candidateId":"cand_036","jobOrderId":"job_one","onetCode":"15-1252.00"}',NULL);
INSERT INTO records (workspace,seq,size,expires_at,kind,fact,bytes) VALUES (x'1f8f3ec7db6f615650748e1e24b7b40d158828607b4f5ae0695f5d649f3356e8',1,1,1795264496789,'candidate','{"id":"cand_two","name":"Bob Sample","onetCode":"15-1252.00"}',61);
INSERT INTO records (workspace,seq,size,expires_at,kind,fact,bytes) VALUES (x'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',2,0,1795319543742,'candidate','{"id":"","padding":""}',0);
INSERT INTO keys (number,name,fingerprint,expires_at,reply) VALUES (1,x'2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683',x'c66790da5943c4466dd80634deb63f4e19f07e7f81624f222b86fecf9fff6445',1795264496789,'{"kept":"Zoë"}');
CREATE INDEX workspaces_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX keys_by_expiry ON keys (expires_at);
CREATE INDEX records_by_id ON records (workspace, fact ->> '$.id');
CREATE INDEX placements_by_candidate ON records (workspace, fact ->> '$.candidateId')
    WHERE kind = 'placement';
CREATE INDEX placements_by_job_order ON records (workspace, fact ->> '$.jobOrderId')
    WHERE kind = 'placement';
