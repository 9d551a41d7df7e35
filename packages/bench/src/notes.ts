/** What the figures mean, for whoever reads the table. */
export const notes: ReadonlyArray<string> = [
  "Both sides of a line run in turn in processes of their own, with databases of their own that begin equal; each figure is the median of the rounds, with the lowest and the highest. CPU is that of the one process, not of the database's.",
  "64 callers wait for answers at the same time. Every commit is durable: Postgres with `fsync` and `synchronous_commit` on, SQLite in WAL mode with `synchronous=FULL`. One webhook endpoint hears of everything.",
  "*Engine* (lanes idle): from the body of a request to the stored answer, in process. *By hand*: the same rows, by the same schema, in one transaction for each message; on Postgres seven statements between BEGIN and COMMIT on 16 connections of `pg`, each prepared once; on SQLite `better-sqlite3` with prepared statements in an immediate transaction. It checks nothing and reads nothing, not even who calls, and draws no rate tokens: Parley does all of that too.",
  "*Lanes idle*: the lane that hands messages over has no room, so that the engine commits the jobs and leaves them to others.",
  "*Sent, read, and its 4 webhooks delivered*: so many messages are sent at once, and the time ends when no job is left.",
  "*HTTP by hand*: Fastify with a JSON schema; in one transaction it reads the key's application, connections, template, contact, conversation and endpoints, then writes the same rows. No rate limits, no replay of a key, no worker.",
  "*Access*: requests with the credential, the requests bucket and the scopes checked, against the same server with an admission that lets everybody in as one application. The sends bucket of `POST /messages` is drawn by both.",
  "*Whole host*: `parley serve`, which hands messages over, receives receipts and delivers webhooks while it accepts more; it works off what is left between the rounds.",
  "*Lists*: one call after the other. Contacts are read through the public interface in process, 25 a page, with every check of who calls; searched are names, parts of them, and numbers. Conversations (of three connections) and messages (those that the application may see, two of three) are read from the storage; on the last page, those after all others but 25."
]
