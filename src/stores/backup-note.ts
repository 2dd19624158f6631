/** The file in DATA_DIR in which `npm run backup` notes its last backup. */
export const backupNote = 'last-backup.json';
